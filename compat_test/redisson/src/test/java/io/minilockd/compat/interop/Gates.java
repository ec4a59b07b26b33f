package io.minilockd.compat.interop;

import java.util.List;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** The kinds of lock by the names that the Go side gives them. */
final class Gates {
    private Gates() {}

    /** The gate on the first server, or on all where the kind spans them. */
    static Gate open(List<RedissonClient> clients, String kind, String name) {
        RedissonClient client = clients.get(0);
        return switch (kind) {
            case "semaphore" -> Gate.of(client.getSemaphore(name));
            case "permits" -> Gate.of(client.getPermitExpirableSemaphore(name));
            case "fenced" -> NewerLocks.fenced(client, name);
            case "red" -> Gate.of(red(clients, name));
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

    private static RLock red(List<RedissonClient> clients, String name) {
        return clients.get(0).getRedLock(clients.stream().map(client -> client.getLock(name)).toArray(RLock[]::new));
    }
}
