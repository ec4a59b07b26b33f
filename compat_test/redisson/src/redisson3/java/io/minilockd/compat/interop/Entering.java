package io.minilockd.compat.interop;

import org.redisson.client.RedisTimeoutException;

/**
 * Redisson 3.13 now and then loses a subscription when two threads of a process subscribe at the same time: the one that waits for
 * a lock is told of a "Subscribe timeout" (redisson/redisson#4064; later versions don't). It has not got in, and so tries again.
 */
final class Entering {
    private static final int ATTEMPTS = 3;

    private Entering() {}

    static String enter(Gate gate) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return gate.enter();
            } catch (RedisTimeoutException e) {
                if (attempt == ATTEMPTS || !e.getMessage().startsWith("Subscribe timeout")) {
                    throw e;
                }
                System.err.println("tries again to enter: " + e.getMessage());
            }
        }
    }
}
