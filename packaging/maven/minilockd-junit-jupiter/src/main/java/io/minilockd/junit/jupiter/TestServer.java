package io.minilockd.junit.jupiter;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.MinilockdBuilder;
import io.minilockd.Snapshot;
import io.minilockd.TestReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server of one test, or one that the tests of a class have one after the other: those that JUnit
 * runs at the same time wait for each other, since it is reset before each.
 */
final class TestServer implements AutoCloseable {
    private final Settings settings;
    private final String owner;
    private final Minilockd server;
    private final Optional<Snapshot> beginning;
    private final ReentrantLock turn = new ReentrantLock();
    private String running = ""; // the test that has the server; guarded by turn

    /** Starts a server for the class or the test with a unique id. */
    TestServer(Settings settings, String owner) {
        this.settings = settings;
        this.owner = owner;
        MinilockdBuilder builder = settings.builder();
        server = builder.start();
        beginning = builder.fills() ? Optional.of(server.snapshot()) : Optional.empty();
    }

    Minilockd server() {
        return server;
    }

    boolean isOf(String uniqueId) {
        return owner.equals(uniqueId);
    }

    /** Gives the server to a test, in the state of its beginning. */
    void begin(String test) {
        if (turn.isHeldByCurrentThread()) { // a test that starts others, or JUnit's work stealing
            throw new IllegalStateException(
                    test + " begins in the thread of " + running + ", which has the server");
        }
        turn.lock();
        running = test;
        server.reset();
        beginning.ifPresent(Snapshot::restore);
        server.journal().on();
    }

    /** Takes the server from a test, which has failed with an exception or not. */
    void end(String test, String name, Optional<Throwable> failure) {
        if (!hasBegun(test)) {
            return;
        }
        try {
            TestReport.endTest(server, name, failure, held());
        } finally {
            giveBack();
        }
    }

    /** Takes the server from a test that ends since an assumption does not hold. */
    void abort(String test) {
        if (hasBegun(test)) {
            giveBack();
        }
    }

    private boolean hasBegun(String test) {
        return turn.isHeldByCurrentThread() && running.equals(test);
    }

    private void giveBack() {
        running = "";
        turn.unlock();
    }

    private List<LockInfo> held() {
        return settings.failOnHeldLocks() ? server.locks().held(settings.heldLocks()) : List.of();
    }

    @Override
    public void close() {
        server.close();
    }
}
