package io.minilockd.compat.lock;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/** What both kinds of semaphore can do. A permit has an id; those of the plain semaphore are empty. */
interface Permits {
    boolean trySet(int permits);

    int available();

    String acquire() throws InterruptedException;

    /** Waits for a permit; returns null after the timeout. */
    String tryAcquire(long waitMillis) throws InterruptedException;

    /** Returns null if no permit is available. */
    String tryAcquire();

    void release(String permit);

    static Permits of(RSemaphore semaphore) {
        return new Permits() {
            @Override
            public boolean trySet(int permits) {
                return semaphore.trySetPermits(permits);
            }

            @Override
            public int available() {
                return semaphore.availablePermits();
            }

            @Override
            public String acquire() throws InterruptedException {
                semaphore.acquire();
                return "";
            }

            @Override
            public String tryAcquire(long waitMillis) throws InterruptedException {
                return semaphore.tryAcquire(waitMillis, TimeUnit.MILLISECONDS) ? "" : null;
            }

            @Override
            public String tryAcquire() {
                return semaphore.tryAcquire() ? "" : null;
            }

            @Override
            public void release(String permit) {
                semaphore.release();
            }
        };
    }

    static Permits of(RPermitExpirableSemaphore semaphore) {
        return new Permits() {
            @Override
            public boolean trySet(int permits) {
                return semaphore.trySetPermits(permits);
            }

            @Override
            public int available() {
                return semaphore.availablePermits();
            }

            @Override
            public String acquire() throws InterruptedException {
                return semaphore.acquire();
            }

            @Override
            public String tryAcquire(long waitMillis) throws InterruptedException {
                return semaphore.tryAcquire(waitMillis, TimeUnit.MILLISECONDS);
            }

            @Override
            public String tryAcquire() {
                return semaphore.tryAcquire();
            }

            @Override
            public void release(String permit) {
                semaphore.release(permit);
            }
        };
    }
}
