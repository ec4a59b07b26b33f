package io.minilockd.compat.interop;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** One request: a verb and its arguments. The first two arguments are the kind and the name of a lock. */
final class Request {
    private final List<RedissonClient> clients;
    private final RedissonClient client;
    private final String[] arguments;

    Request(List<RedissonClient> clients, String[] arguments) {
        this.clients = clients;
        this.client = clients.get(0);
        this.arguments = arguments;
    }

    /** Returns a token, a number, a boolean, or an empty string. */
    String run(String verb) throws Exception {
        return switch (verb) {
            case "connect" -> "";
            case "acquire" -> Acquisition.acquire(lock());
            case "try-acquire" -> orTaken(lock().tryAcquire());
            case "release" -> release();
            case "lock" -> watched();
            case "holds" -> String.valueOf(single().getHoldCount());
            case "unlock" -> unlock();
            case "force-unlock" -> String.valueOf(single().forceUnlock());
            case "count", "read", "limit" -> race(verb, Integer.parseInt(arguments[2]));
            case "count-down" -> countDown();
            case "await" -> String.valueOf(latch().await(LockAdapter.LEASE_SECONDS, TimeUnit.SECONDS));
            case "set-rate" -> String.valueOf(
                    NewerLocks.setRate(client, arguments[1], number(), LockAdapter.LEASE_SECONDS));
            case "try-acquire-rate" -> String.valueOf(client.getRateLimiter(arguments[1]).tryAcquire(number()));
            default -> throw new IllegalArgumentException("no verb: " + verb);
        };
    }

    private LockAdapter lock() {
        return LockAdapters.open(clients, arguments[0], arguments[1]);
    }

    private RLock single() {
        return LockAdapters.lock(client, arguments[0], arguments[1]);
    }

    /** Without a lease: the watchdog renews the lock. */
    private String watched() {
        single().lock();
        return "";
    }

    private String unlock() {
        single().unlock();
        return "";
    }

    private RCountDownLatch latch() {
        return client.getCountDownLatch(arguments[1]);
    }

    private long number() {
        return Long.parseLong(arguments[2]);
    }

    private static String orTaken(String token) {
        return token == null ? "taken" : token;
    }

    private String release() {
        lock().release(arguments.length > 2 ? arguments[2] : "");
        return "";
    }

    private String countDown() {
        latch().countDown();
        return "";
    }

    private String race(String verb, int rounds) throws InterruptedException {
        CriticalSection section = new CriticalSection(client, arguments[1]);
        LockAdapter lock = lock();
        section.awaitOthers(Integer.parseInt(arguments[4]));
        for (int i = 0; i < rounds; i++) {
            String token = Acquisition.acquire(lock);
            try {
                runOnce(section, verb, token);
            } finally {
                lock.release(token);
            }
        }
        return String.valueOf(verb.equals("limit") ? section.mostInside() : section.languageSwitches());
    }

    private void runOnce(CriticalSection section, String verb, String token) {
        switch (verb) {
            case "read" -> section.read();
            case "limit" -> section.checkLimit(Integer.parseInt(arguments[3]));
            default -> section.count();
        }
        if (arguments[0].equals("fenced")) {
            section.checkToken(Long.parseLong(token));
        }
    }
}
