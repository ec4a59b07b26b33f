package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minilockd.Minilockd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A server that files fill: what they add is there at the beginning of each test. */
class FilledServerTest {
    @TempDir private static Path folder;

    @RegisterExtension
    private static final MinilockdExtension MINILOCKD =
            MinilockdExtension.builder()
                    .server(server -> server.load(file("load", "SET stock 3")))
                    .server(
                            server ->
                                    server.faults(file("faults", "COMMAND get NTH 100 THEN CLOSE")))
                    .build();

    private static Minilockd ofClass;

    @BeforeAll
    static void keep() {
        ofClass = MINILOCKD.server();
    }

    private static Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @RepeatedTest(2)
    void beginsWithWhatTheFilesAdd(Minilockd server) {
        assertEquals(ofClass.pid(), server.pid());
        assertEquals("3", server.execute("GETDEL", "stock"));
        assertEquals(1, server.faults().list().size());
        server.faults().clear();
    }
}
