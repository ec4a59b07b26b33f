package io.minilockd.compat.interop;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;

/**
 * The way into a critical section, whatever kind of lock guards it. Who is let in gets a pass, which is shown on leaving: a
 * fencing token, the id of a permit, or nothing but an empty string. Leases are so long that nobody can have waited for their
 * end.
 */
interface Gate {
    long LEASE_SECONDS = 60;

    String enter() throws InterruptedException;

    /** Returns null if somebody is in the way. */
    String tryEnter() throws InterruptedException;

    void leave(String pass);

    static Gate of(RLock lock) {
        return new Gate() {
            @Override
            public String enter() {
                lock.lock(LEASE_SECONDS, TimeUnit.SECONDS);
                return "";
            }

            @Override
            public String tryEnter() throws InterruptedException {
                return lock.tryLock(0, LEASE_SECONDS, TimeUnit.SECONDS) ? "" : null;
            }

            @Override
            public void leave(String pass) {
                lock.unlock();
            }
        };
    }

    static Gate of(RSemaphore semaphore) {
        return new Gate() {
            @Override
            public String enter() throws InterruptedException {
                semaphore.acquire();
                return "";
            }

            @Override
            public String tryEnter() {
                return semaphore.tryAcquire() ? "" : null;
            }

            @Override
            public void leave(String pass) {
                semaphore.release();
            }
        };
    }

    static Gate of(RPermitExpirableSemaphore semaphore) {
        return new Gate() {
            @Override
            public String enter() throws InterruptedException {
                return semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
            }

            @Override
            public String tryEnter() throws InterruptedException {
                return semaphore.tryAcquire(0, LEASE_SECONDS, TimeUnit.SECONDS);
            }

            @Override
            public void leave(String pass) {
                semaphore.release(pass);
            }
        };
    }
}
