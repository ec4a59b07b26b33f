package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.FairWait;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Worker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.config.Config;

class FairLockTest extends SoloLockContract {
    private static final int WAITERS = 5;

    /** How long a waiter that does not answer keeps its place: longer than the queue takes to form. */
    private static final long ABSENCE_MILLIS = 5000;

    @Override
    protected RLock lock(Party party, String name) {
        return party.client().getFairLock(name);
    }

    @Override
    protected boolean hasWaiter(String name) {
        return queueLength(name) > 0;
    }

    @Test
    void servesWaitersOfTwoClientsInTheOrderOfTheirArrival() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock();
        try (Queue queue = new Queue(name)) {
            for (int i = 0; i < WAITERS; i++) {
                queue.join(lock(parties().get(i % 2), name));
            }
            held.unlock();
            assertEquals(List.of(0, 1, 2, 3, 4), queue.served(WAITERS));
        }
    }

    @Test
    void passesOverAWaiterWhoseClientDied() throws Exception {
        String name = newName();
        try (Party patient = openImpatient(); Party mortal = openImpatient(); Queue queue = new Queue(name)) {
            RLock held = impatientLock(patient, name);
            held.lock();
            queue.join(impatientLock(mortal, name));
            for (int i = 1; i < WAITERS; i++) {
                queue.join(impatientLock(patient, name));
            }
            mortal.close();
            held.unlock();
            assertEquals(List.of(1, 2, 3, 4), queue.served(WAITERS - 1));
        }
    }

    private Party openImpatient() {
        List<Config> configs = configs();
        configs.forEach(config -> FairWait.configure(config, ABSENCE_MILLIS));
        return Party.open(configs);
    }

    private static RLock impatientLock(Party party, String name) {
        return FairWait.fairLock(party.client(), name, ABSENCE_MILLIS);
    }

    private int queueLength(String name) {
        return alice.client().getList("redisson_lock_queue:{" + name + "}").size();
    }

    /** Waiters, numbered as they arrive, that note their number when they are served. */
    private final class Queue implements AutoCloseable {
        private final String name;
        private final List<Worker> workers = new ArrayList<>();
        private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

        Queue(String name) {
            this.name = name;
        }

        /** Lets one more wait, and returns when it stands in the queue. */
        void join(RLock lock) throws Exception {
            int number = workers.size();
            Worker worker = new Worker();
            workers.add(worker);
            Future<?> turn = worker.startStep(() -> {
                lock.lock();
                order.add(number);
                lock.unlock();
            });
            Eventually.until("waiter " + number + " stands in the queue", () -> queueLength(name) > number || turn.isDone());
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
