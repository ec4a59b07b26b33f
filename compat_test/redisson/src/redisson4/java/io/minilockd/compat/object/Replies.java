package io.minilockd.compat.object;

import org.redisson.api.RScript.ReturnType;

/** The kinds of a script's reply whose names are not the same in all versions. */
final class Replies {
    static final ReturnType LONG = ReturnType.LONG;
    static final ReturnType LIST = ReturnType.LIST;
    static final ReturnType STATUS = ReturnType.STRING;

    private Replies() {}
}
