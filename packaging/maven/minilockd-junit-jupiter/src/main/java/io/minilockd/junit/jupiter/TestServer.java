package io.minilockd.junit.jupiter;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.MinilockdBuilder;
import io.minilockd.Snapshot;
import io.minilockd.TestReport;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A server of one test, or one that the tests of a class have one after the other. */
final class TestServer {
    private final Settings settings;
    private final Minilockd server;
    private final Optional<Snapshot> beginning;
    private final AtomicReference<String> running =
            new AtomicReference<>(""); // the test that has the server

    TestServer(Settings settings) {
        this.settings = settings;
        MinilockdBuilder builder = settings.builder();
        server = builder.start();
        beginning = builder.fills() ? Optional.of(server.snapshot()) : Optional.empty();
    }

    Minilockd server() {
        return server;
    }

    /** Gives the server to a test, in the state of its beginning. */
    void begin(String test) {
        if (!running.compareAndSet("", test)) {
            throw ParallelTests.sharing(test, running.get());
        }
        server.reset();
        beginning.ifPresent(Snapshot::restore);
        server.journal().on();
    }

    /** Takes the server from a test, which has failed with an exception or not. */
    void end(String test, Optional<Throwable> failure) {
        if (!running.get().equals(test)) {
            return; // it has not begun
        }
        try {
            List<LockInfo> held = settings.failOnHeldLocks() ? server.locks().held() : List.of();
            TestReport.endTest(server, failure, held);
        } finally {
            running.set("");
        }
    }

    void close() {
        server.close();
    }
}
