package io.minilockd.compat.interop;

import org.redisson.api.RAtomicLong;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;

/**
 * What is done in the critical sections of a race, in Go as here. The keys are all numbers or words, named after the lock;
 * what must not be is thrown as an {@link IllegalStateException}.
 */
final class Laps {
    private static final String LANGUAGE = "java";

    private final RBucket<Long> counter;
    private final RBucket<Long> token;
    private final RBucket<String> last;
    private final RAtomicLong readers;
    private final RAtomicLong inside;
    private final RAtomicLong present;
    private int crossings;
    private long largest;

    Laps(RedissonClient client, String name) {
        counter = client.getBucket("counter:" + name, LongCodec.INSTANCE);
        token = client.getBucket("token:" + name, LongCodec.INSTANCE);
        last = client.getBucket("last:" + name, StringCodec.INSTANCE);
        readers = client.getAtomicLong("readers:" + name);
        present = client.getAtomicLong("present:" + name);
        inside = client.getAtomicLong("inside:" + name);
    }

    /** Waits until all who take part are there. */
    void assemble(int parties) throws InterruptedException {
        present.incrementAndGet();
        while (present.get() < parties) {
            Thread.sleep(1);
        }
    }

    /** How often the section before had been one of the other language. */
    int crossings() {
        return crossings;
    }

    /** The largest crowd that this side has seen. */
    long largest() {
        return largest;
    }

    /** Counts up by reading and writing, which only mutual exclusion makes safe. */
    void count() {
        long before = counter.get();
        expect(readers.get() == 0, "a reader is inside with a writer");
        if (!LANGUAGE.equals(last.getAndSet(LANGUAGE))) {
            crossings++;
        }
        counter.set(before + 1);
    }

    /** Expects a fencing token to be larger than that of the section before. */
    void compare(long mine) {
        expect(token.get() < mine, "token " + mine + " is not larger than the one before");
        token.set(mine);
    }

    /** Expects that nobody counts meanwhile. */
    void read() {
        readers.incrementAndGet();
        long before = counter.get();
        expect(counter.get() == before, "a writer is inside with a reader");
        readers.decrementAndGet();
    }

    /** Expects that no more than so many are inside at once. */
    void crowd(int most) {
        long now = inside.incrementAndGet();
        expect(now <= most, now + " are inside, " + most + " may be");
        largest = Math.max(largest, now);
        inside.decrementAndGet();
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
