package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalLinesTest {
    @Test
    void longArgumentsAreCut() {
        String longest = "x".repeat(80);
        assertEquals("SET a " + longest, JournalLines.shortened("SET a " + longest));
        assertEquals(
                "EVAL " + longest + "… 1 \"a b\"",
                JournalLines.shortened("EVAL " + longest + "y 1 \"a b\""));
        String words = "a b\\\"c de".repeat(10); // 8 characters each
        assertEquals(
                "EVAL \"" + words + "\" 1", JournalLines.shortened("EVAL \"" + words + "\" 1"));
        assertEquals(
                "EVAL \"" + words + "…\" 1", JournalLines.shortened("EVAL \"" + words + "ef\" 1"));
    }

    @Test
    void anEscapedByteIsOneCharacter() {
        String bytes = String.join("", Collections.nCopies(80, "\\xc3"));
        assertEquals("\"" + bytes + "\"", JournalLines.shortened("\"" + bytes + "\""));
        assertEquals("\"" + bytes + "…\"", JournalLines.shortened("\"" + bytes + "\\xa4\\n\""));
    }

    @Test
    void onlyWhatClientsSendCounts() throws IOException {
        try (Minilockd server = Minilockd.start()) {
            server.journal().on();
            try (RawClient client = new RawClient(server)) {
                for (int i = 0; i < 60; i++) {
                    client.call("ECHO", i);
                    client.call("PING");
                    server.execute("ECHO", "of the test");
                }
                client.call("ping", "text");
            }
            List<String> lines = JournalLines.of(server.journal().entries());
            assertEquals(50, lines.size());
            assertEquals("ECHO 10", lines.get(0).replaceAll(".*] ", ""));
            assertEquals("ECHO 59", lines.get(49).replaceAll(".*] ", ""));
        }
    }
}
