package io.minilockd.compat.interop;

import org.redisson.api.RAtomicLong;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;

/**
 * The critical section in which Go and Java threads contend; interop_section_test.go is its Go half. Its keys are named
 * after the lock. A violation is thrown as an {@link IllegalStateException}.
 */
final class CriticalSection {
    private static final String LANGUAGE = "java";

    private final RBucket<Long> counter;
    private final RBucket<Long> token;
    private final RBucket<String> last;
    private final RAtomicLong readers;
    private final RAtomicLong inside;
    private final RAtomicLong arrived;
    private int languageSwitches;
    private long mostInside;

    CriticalSection(RedissonClient client, String name) {
        counter = client.getBucket("counter:" + name, LongCodec.INSTANCE);
        token = client.getBucket("token:" + name, LongCodec.INSTANCE);
        last = client.getBucket("last:" + name, StringCodec.INSTANCE);
        readers = client.getAtomicLong("readers:" + name);
        arrived = client.getAtomicLong("arrived:" + name);
        inside = client.getAtomicLong("inside:" + name);
    }

    /** Waits until all threads of the race have arrived. */
    void awaitOthers(int threads) throws InterruptedException {
        arrived.incrementAndGet();
        while (arrived.get() < threads) {
            Thread.sleep(1);
        }
    }

    /** How often the previous section was executed in the other language. */
    int languageSwitches() {
        return languageSwitches;
    }

    /** The highest number of threads inside at once that this thread has seen. */
    long mostInside() {
        return mostInside;
    }

    /** Increments the counter by a read and a write, which needs mutual exclusion. */
    void count() {
        long before = counter.get();
        expect(readers.get() == 0, "a reader is inside with a writer");
        if (!LANGUAGE.equals(last.getAndSet(LANGUAGE))) {
            languageSwitches++;
        }
        counter.set(before + 1);
    }

    /** Expects a fencing token to be larger than the previous one. */
    void checkToken(long mine) {
        expect(token.get() < mine, "token " + mine + " is not larger than the previous one");
        token.set(mine);
    }

    /** Expects that the counter does not change meanwhile. */
    void read() {
        readers.incrementAndGet();
        long before = counter.get();
        expect(counter.get() == before, "a writer is inside with a reader");
        readers.decrementAndGet();
    }

    /** Expects that at most this many threads are inside at once. */
    void checkLimit(int limit) {
        long now = inside.incrementAndGet();
        expect(now <= limit, now + " threads are inside, the limit is " + limit);
        mostInside = Math.max(mostInside, now);
        inside.decrementAndGet();
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
