package io.minilockd;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of one holder of a lock.
 *
 * @param type what has happened
 * @param time when, on the server's clock
 * @param lock the name of the lock
 * @param kind the kind of the lock, as far as it was known then
 * @param mode of {@link LockKind#READ_WRITE}: {@code "read"} or {@code "write"}
 * @param owner as of {@link LockHolder}; a semaphore does not know it
 * @param holds how many holds the owner has after the event; of a semaphore, how many permits were
 *     taken or released
 * @param lease the lease after the event; absent if it has no end
 * @param connection which has made the change; of {@link LockEventType#LAPSED}, the one that had
 *     taken the lock
 * @param lost whether the lease has lapsed while the connection was alive: the owner may believe
 *     that it holds the lock
 */
public record LockEvent(
        LockEventType type,
        Instant time,
        String lock,
        LockKind kind,
        Optional<String> mode,
        Optional<String> owner,
        long holds,
        Optional<Duration> lease,
        Optional<LockConnection> connection,
        boolean lost) {
    static LockEvent of(Reply reply, String lock) {
        return new LockEvent(
                LockEventType.of(reply.text("event")),
                Instant.ofEpochMilli(reply.number("time")),
                lock,
                LockKind.of(reply.text("kind")),
                reply.optionalText("mode"),
                reply.optionalText("owner"),
                reply.number("holds"),
                reply.lease("lease"),
                LockConnection.of(reply),
                Boolean.TRUE.equals(reply.fields().get("lost")));
    }

    /**
     * Describes the event in one line.
     *
     * @return when, what, and by which connection
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(Texts.time(time));
        text.append(' ').append(type).append(' ').append(Quotes.quoted(lock));
        owner.ifPresent(by -> text.append(" by ").append(Quotes.word(by)));
        text.append(", holds ").append(holds);
        lease.filter(left -> !left.isZero())
                .ifPresent(left -> text.append(", lease ").append(Texts.duration(left)));
        connection.ifPresent(by -> text.append(", ").append(by));
        return lost ? text + ", lost" : text.toString();
    }
}
