package io.minilockd;

import java.util.Arrays;
import java.util.Locale;

/** What has happened to a lock. */
public enum LockEventType {
    /** An owner has taken it. */
    TAKEN,
    /** The same owner has taken it again. */
    RE_ENTERED,
    /** Its lease was extended. */
    RENEWED,
    /** One hold was released, or the last one: see {@link LockEvent#holds}. */
    RELEASED,
    /** Its lease has ended. */
    LAPSED,
    /** Another client has removed the holder: forceUnlock, DEL, FLUSHALL. */
    FORCED,
    /**
     * An event that this version of the package does not know, since the server is of another
     * version.
     */
    OTHER;

    static LockEventType of(String text) {
        return Arrays.stream(values())
                .filter(type -> type.toString().equals(text))
                .findFirst()
                .orElse(OTHER);
    }

    /**
     * Returns the name that the server uses, such as {@code "re-entered"}.
     *
     * @return the name
     */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
