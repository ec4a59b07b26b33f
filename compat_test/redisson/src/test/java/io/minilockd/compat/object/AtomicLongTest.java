package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import org.junit.jupiter.api.Test;
import org.redisson.api.RAtomicDouble;
import org.redisson.api.RAtomicLong;

class AtomicLongTest extends ServerTest {
    @Test
    void behavesAsAtomicLong() {
        RAtomicLong number = alice.client().getAtomicLong(newName());
        assertEquals(0, number.get());
        assertEquals(1, number.incrementAndGet());
        assertEquals(1, number.getAndIncrement());
        assertEquals(2, number.getAndAdd(10));
        assertEquals(11, number.decrementAndGet());
        assertTrue(number.compareAndSet(11, Long.MAX_VALUE));
        assertFalse(number.compareAndSet(11, 12));
        assertEquals(Long.MAX_VALUE, number.getAndSet(Long.MIN_VALUE));
        assertEquals(Long.MIN_VALUE, number.getAndDelete());
        assertFalse(number.isExists());
    }

    @Test
    void countsManyThreads() throws Exception {
        String name = newName();
        int rounds = 20;
        Race.run(instances(), rounds, instance -> () -> instance.client().getAtomicLong(name).incrementAndGet());
        assertEquals((long) rounds * Race.THREADS * instances().size(), bob.client().getAtomicLong(name).get());
    }

    @Test
    void addsFractions() {
        RAtomicDouble number = alice.client().getAtomicDouble(newName());
        assertEquals(0.5, number.addAndGet(0.5));
        assertEquals(2.75, number.addAndGet(2.25));
        assertEquals(2.75, bob.client().getAtomicDouble(number.getName()).get());
    }
}
