package io.minilockd.compat.interop;

import org.redisson.client.RedisTimeoutException;

/**
 * Acquires a lock again after a "Subscribe timeout". Redisson 3.13 now and then loses a subscription when two threads
 * of a process subscribe at the same time (redisson/redisson#4064); the thread does not have the lock then.
 */
final class Acquisition {
    private static final int ATTEMPTS = 3;

    private Acquisition() {}

    static String acquire(LockAdapter lock) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return lock.acquire();
            } catch (RedisTimeoutException e) {
                if (attempt == ATTEMPTS || !e.getMessage().startsWith("Subscribe timeout")) {
                    throw e;
                }
                System.err.println("acquires again: " + e.getMessage());
            }
        }
    }
}
