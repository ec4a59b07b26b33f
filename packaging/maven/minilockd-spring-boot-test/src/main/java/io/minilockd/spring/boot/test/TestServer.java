package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;

/** The server of a context as the tests see it that run with this context. */
final class TestServer {
    private final Minilockd server;

    TestServer(Minilockd server) {
        this.server = server;
    }
}
