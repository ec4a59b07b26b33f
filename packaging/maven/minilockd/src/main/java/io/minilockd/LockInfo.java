package io.minilockd;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The state of a lock at one moment.
 *
 * @param database the number of the database
 * @param name the name
 * @param kind the kind
 * @param mode of {@link LockKind#READ_WRITE}: {@code "read"} or {@code "write"}
 * @param lease what is left of the lease, the longest if the holders have leases of their own;
 *     absent if it has no end, or if the lock is not held
 * @param permits the free permits of a semaphore or rate limiter
 * @param count the count of a latch
 * @param token the last token of a fenced lock
 * @param holders who holds it, sorted by owner. A semaphore, a latch and a rate limiter do not know
 *     theirs
 * @param waiters who waits: in the order of the queue for a fair lock, else in that in which they
 *     subscribed
 */
public record LockInfo(
        int database,
        String name,
        LockKind kind,
        Optional<String> mode,
        Optional<Duration> lease,
        Optional<Long> permits,
        Optional<Long> count,
        Optional<Long> token,
        List<LockHolder> holders,
        List<LockWaiter> waiters) {
    static LockInfo of(Reply reply, int database, Instant now) {
        return new LockInfo(
                reply.optionalNumber("db").map(Long::intValue).orElse(database),
                reply.text("name"),
                LockKind.of(reply.text("kind")),
                reply.optionalText("mode"),
                reply.lease("lease"),
                reply.optionalNumber("permits"),
                reply.optionalNumber("count"),
                reply.optionalNumber("token"),
                reply.list("holders", holder -> LockHolder.of(holder, now)),
                reply.list("waiters", LockWaiter::of));
    }

    /**
     * Reports whether the lock has holders. A semaphore, a latch and a rate limiter have none.
     *
     * @return whether it is held
     */
    public boolean isHeld() {
        return !holders.isEmpty();
    }

    /**
     * Describes the lock in one line.
     *
     * @return its holders, since when and by which connections they hold it as far as that is
     *     known, and how many wait
     */
    @Override
    public String toString() {
        String text = Quotes.quoted(name) + " (" + kind + ")";
        if (database != 0) {
            text += " of database " + database;
        }
        text += isHeld() ? " is held by " + join(holders) : " is not held";
        return waiters.isEmpty() ? text : text + "; " + waiters.size() + " waiting";
    }

    private static String join(List<LockHolder> holders) {
        return holders.stream().map(LockHolder::toString).collect(Collectors.joining(", and by "));
    }
}
