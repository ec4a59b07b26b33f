package io.minilockd.compat.interop;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/**
 * Acquires and releases any kind of lock. The token of an acquired lock is needed to release it: a fencing token, the
 * id of a permit, or an empty string. Leases are longer than any test waits.
 */
interface LockAdapter {
    long LEASE_SECONDS = 60;

    String acquire() throws InterruptedException;

    /** Returns null if the lock is held. */
    String tryAcquire() throws InterruptedException;

    void release(String token);

    static LockAdapter of(RLock lock) {
        return new LockAdapter() {
            @Override
            public String acquire() {
                lock.lock(LEASE_SECONDS, TimeUnit.SECONDS);
                return "";
            }

            @Override
            public String tryAcquire() throws InterruptedException {
                return lock.tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS) ? "" : null;
            }

            @Override
            public void release(String token) {
                lock.unlock();
            }
        };
    }

    static LockAdapter of(RSemaphore semaphore) {
        return new LockAdapter() {
            @Override
            public String acquire() throws InterruptedException {
                semaphore.acquire();
                return "";
            }

            @Override
            public String tryAcquire() {
                return semaphore.tryAcquire() ? "" : null;
            }

            @Override
            public void release(String token) {
                semaphore.release();
            }
        };
    }

    static LockAdapter of(RPermitExpirableSemaphore semaphore) {
        return new LockAdapter() {
            @Override
            public String acquire() throws InterruptedException {
                return semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
            }

            @Override
            public String tryAcquire() throws InterruptedException {
                return semaphore.tryAcquire(0, LEASE_SECONDS, TimeUnit.SECONDS);
            }

            @Override
            public void release(String token) {
                semaphore.release(token);
            }
        };
    }
}
