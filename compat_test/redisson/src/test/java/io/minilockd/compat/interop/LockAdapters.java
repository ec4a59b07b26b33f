package io.minilockd.compat.interop;

import java.util.List;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Locks by the names that the Go tests give to their kinds. */
final class LockAdapters {
    private LockAdapters() {}

    /** The lock is on the first server; a red lock is on all servers. */
    static LockAdapter open(List<RedissonClient> clients, String kind, String name) {
        RedissonClient client = clients.get(0);
        return switch (kind) {
            case "semaphore" -> LockAdapter.of(client.getSemaphore(name));
            case "permits" -> LockAdapter.of(client.getPermitExpirableSemaphore(name));
            case "fenced" -> NewerLocks.fenced(client, name);
            case "red" -> LockAdapter.of(red(clients, name));
            default -> LockAdapter.of(lock(client, kind, name));
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

    private static RLock red(List<RedissonClient> clients, String name) {
        return clients.get(0).getRedLock(clients.stream().map(client -> client.getLock(name)).toArray(RLock[]::new));
    }
}
