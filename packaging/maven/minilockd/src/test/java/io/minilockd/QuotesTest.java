package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuotesTest {
    private static final String RAW = "a\n\u001b[31m\"";
    private static final String QUOTED = "\"a\\n\\x1b[31m\\\"\"";

    @Test
    void textsAreQuotedAsByRedisCli() {
        assertEquals("\"\\r\\n\\t\\b\\a\\x00\\x7f\"", Quotes.quoted("\r\n\t\b\u0007\u0000\u007f"));
        assertEquals("\"\\xc3\\xa4 \\\\ \\\" '\"", Quotes.quoted("\u00e4 \\ \" '"));
        assertEquals("\"\\\\n\"", Quotes.quoted("\\n"));
    }

    @Test
    void wordsHaveQuotesIfTheyNeedThem() {
        assertEquals("5c0cb5a3-2f6b:37", Quotes.word("5c0cb5a3-2f6b:37"));
        assertEquals("\"\"", Quotes.word(""));
        assertEquals("\"a b\"", Quotes.word("a b"));
        assertEquals(QUOTED, Quotes.word(RAW));
    }

    @Test
    void locksAndOwnersArePrintedInOneLine() {
        try (Minilockd server = Minilockd.builder().lockHistory(10).start()) {
            server.execute("SET", RAW, RAW, "NX", "PX", 30_000);
            String lock = server.locks().held().get(0).toString();
            assertTrue(lock.startsWith(QUOTED + " (token) is held by " + QUOTED + " since"), lock);
            String event = server.locks().history(RAW).get(0).toString();
            assertTrue(event.contains(" " + QUOTED + " by " + QUOTED), event);
        }
    }

    @Test
    void waitersAndCyclesArePrintedInOneLine() {
        LockConnection connection = new LockConnection(4, RAW, "127.0.0.1:1", RAW);
        assertEquals(
                "connection 4 (127.0.0.1:1, name " + QUOTED + ", a\\n\\x1b[31m\")",
                connection.toString());
        LockWaiter waiter =
                new LockWaiter(
                        Optional.of(RAW), Optional.empty(), Optional.empty(), Optional.empty());
        assertEquals(QUOTED, waiter.toString());
        Deadlock cycle = new Deadlock(List.of(new Deadlock.Wait(RAW, RAW, RAW, 0)));
        assertEquals(QUOTED + " holds " + QUOTED + " and waits for " + QUOTED, cycle.toString());
    }

    @Test
    void entriesOfTheJournalArePrintedInOneLine() {
        JournalEntry entry =
                new JournalEntry(
                        1, Instant.EPOCH, 4, RAW, "addr", 0, "GET a", false, Optional.of("a\nb"));
        assertTrue(
                entry.toString().endsWith("[client 4 addr " + QUOTED + "] GET a -> a\\nb"),
                entry.toString());
    }
}
