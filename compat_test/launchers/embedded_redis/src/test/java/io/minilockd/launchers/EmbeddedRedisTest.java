package io.minilockd.launchers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisExecProvider;
import redis.embedded.RedisServer;
import redis.embedded.util.OS;

/** embedded-redis starts the program whose path its RedisExecProvider has. */
class EmbeddedRedisTest {
    private static final String PROGRAM = System.getProperty("minilockd");

    private static RedisExecProvider provider() {
        return RedisExecProvider.defaultProvider().override(OS.UNIX, PROGRAM).override(OS.MAC_OS_X, PROGRAM);
    }

    @Test
    void startsByOptions() throws Exception {
        int port = freePort();
        RedisServer server = new RedisServer(provider(), port);
        server.start();
        assertTrue(server.isActive());
        assertTrue(infoOf(port).contains("minilockd_version"));
        server.stop();
        assertFalse(server.isActive());
    }

    @Test
    void startsByAConfigurationFile() throws Exception {
        int port = freePort();
        RedisServer server = RedisServer.builder().redisExecProvider(provider()).port(port)
                .setting("maxmemory 100mb").setting("bind 127.0.0.1").build();
        server.start();
        assertTrue(infoOf(port).contains("minilockd_version"));
        server.stop();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** INFO server. */
    private static String infoOf(int port) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("INFO server\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            StringBuilder info = new StringBuilder();
            for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                info.append(line).append('\n');
            }
            return info.toString();
        }
    }
}
