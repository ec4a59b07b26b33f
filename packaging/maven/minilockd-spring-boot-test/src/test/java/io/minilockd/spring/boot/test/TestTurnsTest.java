package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestTurnsTest {
    private final TestTurns turns = new TestTurns();

    @Test
    void testsThatShareRunAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CountDownLatch both = new CountDownLatch(2);
        Future<?> one = threads.submit(() -> share(both));
        Future<?> two = threads.submit(() -> share(both));
        one.get();
        two.get();
        threads.shutdown();
    }

    private Object share(CountDownLatch both) throws InterruptedException {
        turns.begin(false);
        both.countDown();
        both.await(); // which only comes back if the other one has begun
        turns.end(false);
        return null;
    }

    @Test
    void aTestThatNeedsTheServerAloneWaits() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        turns.begin(false);
        Thread other =
                new Thread(
                        () -> {
                            turns.begin(true);
                            order.add("alone");
                            turns.end(true);
                        });
        other.start();
        while (other.getState() != Thread.State.WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        order.add("shared");
        turns.end(false);
        other.join();
        assertEquals(List.of("shared", "alone"), order);
    }

    @Test
    void aThreadHasOneTestAtATime() {
        turns.begin(true);
        assertThrows(IllegalStateException.class, () -> turns.begin(true));
        assertThrows(IllegalStateException.class, () -> turns.begin(false));
        turns.end(true);
        turns.begin(false);
        assertThrows(IllegalStateException.class, () -> turns.begin(true));
        turns.end(false);
    }
}
