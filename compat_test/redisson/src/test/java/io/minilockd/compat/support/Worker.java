package io.minilockd.compat.support;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A thread that runs one task after another. The owner of a Redisson lock is a thread, so a test needs the same thread
 * for several calls.
 */
public final class Worker implements AutoCloseable {
    /** How long a test waits for what must happen soon; it is much less than the leases of 60 s. */
    public static final long TIMEOUT_SECONDS = 30;

    private static final Set<Thread.State> PARKED = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

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

    /** Starts a task and returns when it runs, so that it can be interrupted. */
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

    /** Runs a task to its end, and throws what it throws. */
    public <T> T call(Callable<T> task) throws Exception {
        return result(start(task));
    }

    public void run(Step step) throws Exception {
        result(startStep(step));
    }

    /**
     * Whether the current task waits for a message; in Redisson it is parked in a Semaphore then. A task that is
     * interrupted before may still get the permit that it has asked for.
     */
    public boolean waitsForMessage() {
        boolean inSemaphore = Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.Semaphore"));
        return inSemaphore && PARKED.contains(thread.getState());
    }

    /** Interrupts the current task. */
    public void interrupt() {
        thread.interrupt();
    }

    /** Waits for a result up to {@link #TIMEOUT_SECONDS}, and throws what the task throws. */
    public static <T> T result(Future<T> future) throws Exception {
        return result(future, TIMEOUT_SECONDS);
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
