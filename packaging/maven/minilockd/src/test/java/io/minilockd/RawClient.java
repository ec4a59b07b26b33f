package io.minilockd;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;

/** A client as an application has one: faults hit it. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawClient(Minilockd server) {
        try {
            socket = new Socket(server.host(), server.port());
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command and returns its reply, which may be a RedisErrorException. */
    Object call(Object... command) throws IOException {
        send(command);
        return Resp.read(in);
    }

    void send(Object... command) throws IOException {
        socket.getOutputStream().write(Resp.encode(List.of(command)));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
