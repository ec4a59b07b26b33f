package io.minilockd;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection by which a test controls its server. Calls of several threads wait for each other.
 * If the server closes it, as it does with idle clients, the next call opens another one. It first
 * asks the server to be exempt from fault rules, partitions and pauses.
 */
final class ControlConnection implements AutoCloseable {
    static final String NAME = "minilockd-control";

    /**
     * How long a server may take to accept a later connection, and to reply to its first commands.
     */
    private static final Duration TIME_TO_OPEN = Duration.ofSeconds(30);

    /** After such an error, as for quotes that are not closed, the server closes the connection. */
    private static final String PROTOCOL_ERROR = "ERR Protocol error";

    private final ServerProcess process;
    private final List<Object> hello;
    private final ReentrantLock lock = new ReentrantLock(); // guards in, out and the order of calls
    private volatile Socket socket;
    private InputStream in;
    private OutputStream out;

    /** Opens the connection of a server that has just started, within the time that is left. */
    ControlConnection(ServerProcess process, String password, Deadline start) {
        this.process = process;
        List<Object> command = new ArrayList<>(List.of("HELLO", 3));
        if (!password.isEmpty()) {
            command.addAll(List.of("AUTH", "default", password));
        }
        command.addAll(List.of("SETNAME", NAME));
        hello = List.copyOf(command);
        try {
            open(start);
        } catch (IOException | MinilockdException e) {
            close();
            throw process.refusal(e);
        }
    }

    private void open(Deadline deadline) throws IOException {
        socket = new Socket();
        try {
            socket.connect(
                    new InetSocketAddress(
                            InetAddress.getByName("127.0.0.1"), process.ready().port()),
                    deadline.millisLeft());
            process.checkRuns(); // else it is another server that listens on the port
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
            shakeHands(List.of("FAULT.EXEMPT"), deadline);
            shakeHands(hello, deadline);
            socket.setSoTimeout(0);
        } catch (SocketTimeoutException e) {
            throw new IOException("nothing was answered within " + deadline, e);
        }
    }

    private void shakeHands(List<?> command, Deadline deadline) throws IOException {
        socket.setSoTimeout(deadline.millisLeft());
        send(List.of(Resp.encode(command)));
        if (Resp.read(in) instanceof RedisErrorException e) {
            throw e;
        }
    }

    /** Sends a command and returns its reply. An error reply is thrown. */
    Object call(Object... command) {
        return check(exchange(List.of(Resp.encode(List.of(command))))).get(0);
    }

    /**
     * Sends a command that is a line of text, with quotes as in redis-cli, and returns its reply.
     */
    Object callLine(String line) {
        if (line.contains("\n") || line.contains("\r")) {
            throw new IllegalArgumentException("more than one line: " + Quotes.quoted(line));
        }
        return check(exchange(List.of(Resp.encodeLine(line)))).get(0);
    }

    /** Sends commands at once and returns their replies. The first error reply is thrown. */
    List<Object> callAll(List<List<?>> commands) {
        return check(exchange(commands.stream().map(Resp::encode).toList()));
    }

    private List<Object> check(List<Object> replies) {
        for (Object reply : replies) {
            if (reply instanceof RedisErrorException e) {
                if (e.getMessage().startsWith(PROTOCOL_ERROR)) {
                    close();
                }
                e.fillInStackTrace(); // that of the caller
                throw e;
            }
        }
        return replies;
    }

    private List<Object> exchange(List<byte[]> commands) {
        lock.lock();
        try {
            process.checkOpen();
            if (socket.isClosed()) {
                open(Deadline.in(TIME_TO_OPEN));
            }
            send(commands);
            List<Object> replies = new ArrayList<>();
            for (int i = 0; i < commands.size(); i++) {
                replies.add(Resp.read(in));
            }
            return replies;
        } catch (IOException e) {
            close();
            throw process.failure(e);
        } catch (MinilockdException e) { // it cannot be opened again
            close();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void send(List<byte[]> commands) throws IOException {
        for (byte[] command : commands) {
            out.write(command);
        }
        out.flush();
    }

    /** Returns what the server says of itself. */
    @Override
    public String toString() {
        return process.toString();
    }

    /** Closes the socket, also while another thread waits for a reply. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is left to be sent.
        }
    }
}
