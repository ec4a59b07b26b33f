package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.FairWaitTimeout;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Worker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.config.Config;

class FairLockTest extends SingleServerLockContract {
    private static final int WAITERS = 5;

    /** How long a waiter whose client has ended stays in the queue: longer than it takes to fill the queue. */
    private static final long WAIT_TIMEOUT_MILLIS = 5000;

    @Override
    protected RLock lock(Instance instance, String name) {
        return instance.client().getFairLock(name);
    }

    @Override
    protected boolean hasWaiter(String name, Worker worker) {
        return queueLength(name) > 0;
    }

    @Test
    void servesWaitersOfTwoClientsInTheirOrder() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock();
        try (Queue queue = new Queue(name)) {
            for (int i = 0; i < WAITERS; i++) {
                queue.join(lock(instances().get(i % 2), name));
            }
            held.unlock();
            assertEquals(List.of(0, 1, 2, 3, 4), queue.served(WAITERS));
        }
    }

    @Test
    void skipsAWaiterWhoseClientHasEnded() throws Exception {
        String name = newName();
        try (Instance living = openInstance(); Instance dying = openInstance(); Queue queue = new Queue(name)) {
            RLock held = fairLock(living, name);
            held.lock();
            queue.join(fairLock(dying, name));
            for (int i = 1; i < WAITERS; i++) {
                queue.join(fairLock(living, name));
            }
            dying.close();
            held.unlock();
            assertEquals(List.of(1, 2, 3, 4), queue.served(WAITERS - 1));
        }
    }

    private Instance openInstance() {
        List<Config> configs = configs();
        configs.forEach(config -> FairWaitTimeout.configure(config, WAIT_TIMEOUT_MILLIS));
        return Instance.open(configs);
    }

    private static RLock fairLock(Instance instance, String name) {
        return FairWaitTimeout.fairLock(instance.client(), name, WAIT_TIMEOUT_MILLIS);
    }

    private int queueLength(String name) {
        return alice.client().getList("redisson_lock_queue:{" + name + "}").size();
    }

    /** Numbered waiters, which record their number when they get the lock. */
    private final class Queue implements AutoCloseable {
        private final String name;
        private final List<Worker> workers = new ArrayList<>();
        private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

        Queue(String name) {
            this.name = name;
        }

        /** Adds a waiter, and returns when it is in the queue. */
        void join(RLock lock) throws Exception {
            int number = workers.size();
            Worker worker = new Worker();
            workers.add(worker);
            Future<?> turn = worker.startStep(() -> {
                lock.lock();
                order.add(number);
                lock.unlock();
            });
            Eventually.until("waiter " + number + " is in the queue",
                    () -> queueLength(name) > number || turn.isDone());
        }

        List<Integer> served(int count) throws Exception {
            Eventually.until(count + " waiters are served", () -> order.size() >= count);
            return List.copyOf(order);
        }

        @Override
        public void close() {
            workers.forEach(Worker::close);
        }
    }
}
