package io.minilockd.compat.support;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One thread that does what it is told, one task after another. Redisson names an owner by client id and thread id, so a test
 * needs a thread that it can come back to.
 */
public final class Worker implements AutoCloseable {
    /** How long a test waits for what must happen soon: far more than it takes, far less than the leases of 60 s. */
    public static final long PATIENCE_SECONDS = 30;

    /** A task without a result. */
    public interface Step {
        void run() throws Exception;
    }

    private volatile Thread thread;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        thread = new Thread(task, "worker");
        thread.setDaemon(true);
        return thread;
    });

    /** Begins a task, and returns when it has begun: from then on it can be interrupted. */
    public <T> Future<T> start(Callable<T> task) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Future<T> future = executor.submit(() -> {
            begun.countDown();
            return task.call();
        });
        begun.await();
        return future;
    }

    public Future<?> startStep(Step step) throws InterruptedException {
        return start(() -> {
            step.run();
            return null;
        });
    }

    /** Runs a task to its end; what it throws is thrown here. */
    public <T> T call(Callable<T> task) throws Exception {
        return result(start(task));
    }

    public void run(Step step) throws Exception {
        result(startStep(step));
    }

    /**
     * Whether the task in hand waits for a message, having tried: Redisson's waiters do so by a Semaphore. One that is interrupted before
     * has an attempt in flight, which may succeed when the thread has given up.
     */
    public boolean waitsForMessage() {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("java.util.concurrent.Semaphore")) {
                return true;
            }
        }
        return false;
    }

    /** Interrupts the task in hand. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits for a result within {@link #PATIENCE_SECONDS}; what the task threw is thrown here. */
    public static <T> T result(Future<T> future) throws Exception {
        return result(future, PATIENCE_SECONDS);
    }

    static <T> T result(Future<T> future, long seconds) throws Exception {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        } catch (TimeoutException late) {
            throw new AssertionError("not done within " + seconds + " s", late);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
