package io.minilockd;

import java.util.Arrays;
import java.util.Locale;

/** A kind of lock, with the class of Redisson that has it. */
public enum LockKind {
    /** RLock; RSpinLock and the members of multi and red locks have the same data. */
    LOCK,
    /** RFairLock. */
    FAIR,
    /** RReadWriteLock. */
    READ_WRITE,
    /** RFencedLock. */
    FENCED,
    /** The lock of getMultiLock(group, values): its holders hold values of the group. */
    FASTER_MULTI,
    /** RSemaphore. */
    SEMAPHORE,
    /** RPermitExpirableSemaphore. */
    PERMITS,
    /** RCountDownLatch. */
    LATCH,
    /** RRateLimiter. */
    RATE_LIMITER,
    /** A key of SET NX PX, as of ShedLock or Spring Integration. */
    TOKEN,
    /**
     * A kind that this version of the package does not know, since the server is of another
     * version.
     */
    OTHER;

    static LockKind of(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst()
                .orElse(OTHER);
    }

    /**
     * Returns the name that the server uses, such as {@code "read-write"}.
     *
     * @return the name
     */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
