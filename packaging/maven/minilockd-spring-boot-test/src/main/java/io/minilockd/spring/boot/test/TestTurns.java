package io.minilockd.spring.boot.test;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets tests that share a server run at the same time, except for those that need it alone. JUnit
 * runs classes in parallel if asked, and Spring gives them the same context.
 */
final class TestTurns {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    /** Waits for the tests that must not run at the same time. */
    void begin(boolean alone) {
        if (lock.isWriteLockedByCurrentThread() || lock.getReadHoldCount() > 0) {
            throw new IllegalStateException(
                    "this thread has begun another test, with the same server, within a test that has not ended");
        }
        if (alone) {
            lock.writeLock().lock();
        } else {
            lock.readLock().lock();
        }
    }

    /** Reports whether no other test runs than the one that calls this. */
    boolean hasOne() {
        return lock.isWriteLocked() || lock.getReadLockCount() == 1;
    }

    void end(boolean alone) {
        if (alone) {
            lock.writeLock().unlock();
        } else {
            lock.readLock().unlock();
        }
    }
}
