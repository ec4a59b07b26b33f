package io.minilockd.compat.lock;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/** What the two kinds of semaphore have in common. A permit is named by a string; the plain semaphore's have no names. */
interface Permits {
    boolean trySet(int permits);

    int available();

    String acquire() throws InterruptedException;

    /** Waits for a permit, and returns null if there was none in time. */
    String tryAcquire(long waitMillis) throws InterruptedException;

    /** Returns null if there is no permit now. */
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
