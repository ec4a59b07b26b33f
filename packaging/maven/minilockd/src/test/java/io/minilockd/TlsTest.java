package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class TlsTest {
    @Test
    void aClientTrustsTheServer() throws Exception {
        TlsAddress tls;
        try (Minilockd server = Minilockd.builder().tls(true).password("p w").start()) {
            tls = server.tls();
            assertEquals("rediss://:p%20w@127.0.0.1:" + tls.port(), tls.uri().toString());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, tls.trustManagerFactory().getTrustManagers(), null);
            assertEquals("-NOAUTH", ping(context, tls.port()).substring(0, 7));
            assertThrows(IOException.class, () -> ping(SSLContext.getDefault(), tls(server)));
        }
        assertFalse(Files.exists(tls.ca()));
    }

    @Test
    void aClientHasACertificate() throws Exception {
        try (Minilockd server =
                Minilockd.builder().tls(true).config("tls-auth-clients", "yes").start()) {
            assertEquals("+PONG\r\n", ping(server.tls().sslContext(), tls(server)));
            SSLContext without = SSLContext.getInstance("TLS");
            without.init(null, server.tls().trustManagerFactory().getTrustManagers(), null);
            assertThrows(IOException.class, () -> ping(without, tls(server)));
        }
    }

    @Test
    void withoutTheOptionThereIsNoTls() {
        try (Minilockd server = Minilockd.start()) {
            var error = assertThrows(IllegalStateException.class, server::tls);
            assertTrue(error.getMessage().contains("option tls"));
        }
    }

    private static int tls(Minilockd server) {
        return server.tls().port();
    }

    /** Returns the reply to a client, which checks the name of the host. */
    private static String ping(SSLContext context, int port) throws IOException {
        try (Socket socket = context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] reply = new byte[100];
            int length = socket.getInputStream().read(reply);
            if (length < 0) {
                throw new IOException("the server has closed the connection");
            }
            return new String(reply, 0, length, StandardCharsets.US_ASCII);
        }
    }
}
