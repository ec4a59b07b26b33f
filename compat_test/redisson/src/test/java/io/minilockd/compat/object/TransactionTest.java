package io.minilockd.compat.object;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RMap;
import org.redisson.api.RTransaction;
import org.redisson.api.TransactionOptions;

class TransactionTest extends ServerTest {
    private RTransaction begin() {
        return alice.client().createTransaction(TransactionOptions.defaults());
    }

    @Test
    void isVisibleToOthersOnceCommitted() {
        String name = newName();
        RTransaction transaction = begin();
        RMap<String, String> map = transaction.getMap(name + ":map");
        RBucket<String> bucket = transaction.getBucket(name);
        map.put("a", "1");
        map.put("b", "2");
        bucket.set("text");
        assertEquals("1", map.get("a"), "its own writes are seen inside");
        assertNull(bob.client().getBucket(name).get());
        assertFalse(bob.client().getMap(name + ":map").isExists());
        transaction.commit();
        assertEquals("text", bob.client().getBucket(name).get());
        assertEquals(2, bob.client().getMap(name + ":map").size());
    }

    @Test
    void leavesNothingWhenRolledBack() {
        String name = newName();
        bob.client().getBucket(name).set("before");
        RTransaction transaction = begin();
        transaction.getBucket(name).set("after");
        transaction.getMap(name + ":map").put("a", "1");
        transaction.rollback();
        assertEquals("before", bob.client().getBucket(name).get());
        assertFalse(bob.client().getMap(name + ":map").isExists());
    }

    @Test
    void locksItsEntriesUntilItEnds() throws Exception {
        String name = newName();
        // The lease of the entries' locks: a waiter that misses the unlock message gets the lock at its end.
        TransactionOptions options = TransactionOptions.defaults().timeout(10, SECONDS);
        RTransaction first = alice.client().createTransaction(options);
        RTransaction second = bob.client().createTransaction(options);
        first.getBucket(name).set("first");
        try (Worker worker = new Worker()) {
            Future<?> written = worker.startStep(() -> second.getBucket(name).set("second"));
            assertFalse(written.isDone());
            first.commit();
            Worker.result(written);
            assertEquals("first", bob.client().getBucket(name).get());
            worker.run(second::commit);
        }
        assertEquals("second", bob.client().getBucket(name).get());
    }
}
