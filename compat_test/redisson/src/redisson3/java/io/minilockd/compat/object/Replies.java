package io.minilockd.compat.object;

import org.redisson.api.RScript.ReturnType;

/** The return types of scripts whose names differ between versions of Redisson. */
final class Replies {
    static final ReturnType LONG = ReturnType.INTEGER;
    static final ReturnType LIST = ReturnType.MULTI;
    static final ReturnType STATUS = ReturnType.STATUS;

    private Replies() {}
}
