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
    void countsLikeItsNamesake() {
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
    void losesNoStepOfManyThreads() throws Exception {
        String name = newName();
        int laps = 20;
        Race.run(parties(), laps, party -> () -> party.client().getAtomicLong(name).incrementAndGet());
        assertEquals((long) laps * Race.THREADS * parties().size(), bob.client().getAtomicLong(name).get());
    }

    @Test
    void fractionsAddUp() {
        RAtomicDouble number = alice.client().getAtomicDouble(newName());
        assertEquals(0.5, number.addAndGet(0.5));
        assertEquals(2.75, number.addAndGet(2.25));
        assertEquals(2.75, bob.client().getAtomicDouble(number.getName()).get());
    }
}
