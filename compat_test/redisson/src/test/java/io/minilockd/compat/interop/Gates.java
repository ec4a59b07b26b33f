package io.minilockd.compat.interop;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** The kinds of lock by the names that the Go side gives them. */
final class Gates {
    private Gates() {}

    static Gate open(RedissonClient client, String kind, String name) {
        return switch (kind) {
            case "semaphore" -> Gate.of(client.getSemaphore(name));
            case "permits" -> Gate.of(client.getPermitExpirableSemaphore(name));
            case "fenced" -> NewerLocks.fenced(client, name);
            default -> Gate.of(lock(client, kind, name));
        };
    }

    static RLock lock(RedissonClient client, String kind, String name) {
        return switch (kind) {
            case "plain" -> client.getLock(name);
            case "fair" -> client.getFairLock(name);
            case "read" -> client.getReadWriteLock(name).readLock();
            case "write" -> client.getReadWriteLock(name).writeLock();
            case "spin" -> NewerLocks.spin(client, name);
            case "multi" -> client.getMultiLock(client.getLock(name + ":1"), client.getLock(name + ":2"));
            default -> throw new IllegalArgumentException("no kind of lock: " + kind);
        };
    }
}
