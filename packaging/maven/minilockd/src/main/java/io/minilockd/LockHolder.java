package io.minilockd;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One of those who hold a lock.
 *
 * @param owner {@code uuid:thread} of Redisson's client and thread; the id of a permit; or the
 *     token
 * @param value the value that is held, of {@link LockKind#FASTER_MULTI}
 * @param holds how often
 * @param writes whether it holds the write lock of {@link LockKind#READ_WRITE}
 * @param lease what is left of the lease; absent if it has no end
 * @param since when the lock was taken; known with lock history only
 * @param age how long it has been held; known with lock history only
 * @param connection which connection has taken it; known with lock history only
 */
public record LockHolder(
        String owner,
        Optional<String> value,
        long holds,
        boolean writes,
        Optional<Duration> lease,
        Optional<Instant> since,
        Optional<Duration> age,
        Optional<LockConnection> connection) {
    static LockHolder of(Reply reply, Instant now) {
        Optional<Instant> since = reply.time("since");
        return new LockHolder(
                reply.text("owner"),
                reply.optionalText("value"),
                reply.number("holds"),
                reply.text("mode").equals("write"),
                reply.lease("lease"),
                since,
                since.map(time -> Duration.between(time, now)),
                LockConnection.of(reply));
    }

    /**
     * Describes the holder.
     *
     * @return its owner, since when and by which connection as far as that is known, and what is
     *     left of the lease
     */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(Quotes.word(owner));
        if (holds > 1) {
            text.append(' ').append(holds).append(" times");
        }
        since.ifPresent(time -> text.append(" since ").append(Texts.time(time)));
        age.ifPresent(time -> text.append(" (for ").append(Texts.duration(time)).append(')'));
        connection.ifPresent(by -> text.append(", which took it by ").append(by));
        lease.ifPresent(left -> text.append(", ").append(Texts.duration(left)).append(" left"));
        return text.toString();
    }
}
