package io.minilockd;

import java.time.Instant;
import java.util.Optional;

/**
 * One of those who wait for a lock.
 *
 * @param owner as of {@link LockHolder}; only a fair lock, or lock history, tells it
 * @param deadline when its place in the queue of a fair lock lapses
 * @param since when it tried first; known with lock history only
 * @param connection the connection that waits
 */
public record LockWaiter(
        Optional<String> owner,
        Optional<Instant> deadline,
        Optional<Instant> since,
        Optional<LockConnection> connection) {
    static LockWaiter of(Reply reply) {
        return new LockWaiter(
                reply.optionalText("owner"),
                reply.time("deadline"),
                reply.time("since"),
                LockConnection.of(reply));
    }

    /**
     * Describes the waiter.
     *
     * @return its owner, since when, and by which connection, as far as that is known
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(owner.map(Quotes::word).orElse("unknown owner"));
        since.ifPresent(time -> text.append(" since ").append(Texts.time(time)));
        connection.ifPresent(by -> text.append(" by ").append(by));
        return text.toString();
    }
}
