package io.minilockd.compat.object;

import org.redisson.api.RScript.ReturnType;

/** The kinds of a script's reply whose names are not the same in all versions. */
final class Replies {
    static final ReturnType LONG = ReturnType.INTEGER;
    static final ReturnType LIST = ReturnType.MULTI;
    static final ReturnType STATUS = ReturnType.STATUS;

    private Replies() {}
}
