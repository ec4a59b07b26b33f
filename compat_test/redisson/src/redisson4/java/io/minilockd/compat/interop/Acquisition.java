package io.minilockd.compat.interop;

/** Acquires a lock; see the class of the same name for Redisson 3. */
final class Acquisition {
    private Acquisition() {}

    static String acquire(LockAdapter lock) throws InterruptedException {
        return lock.acquire();
    }
}
