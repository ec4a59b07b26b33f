package io.minilockd;

import static io.minilockd.FaultAction.ask;
import static io.minilockd.FaultAction.close;
import static io.minilockd.FaultAction.cutReply;
import static io.minilockd.FaultAction.delay;
import static io.minilockd.FaultAction.delayBetween;
import static io.minilockd.FaultAction.drop;
import static io.minilockd.FaultAction.error;
import static io.minilockd.FaultAction.hang;
import static io.minilockd.FaultAction.loseReply;
import static io.minilockd.FaultAction.moved;
import static io.minilockd.FaultAction.refuse;
import static io.minilockd.FaultAction.silent;
import static io.minilockd.FaultAction.stopReading;
import static io.minilockd.FaultAction.throttle;
import static io.minilockd.FaultAction.twice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultsTest {
    private static final Minilockd SERVER = Minilockd.start();

    private static final String ALL_CONDITIONS =
            "COMMAND @write SCRIPTED KEY order:* SCRIPT \"my function\" CLIENT worker-* AGE 1000 FROM 1 UNTIL 2";

    @AfterAll
    static void closeServer() {
        SERVER.close();
    }

    @AfterEach
    void reset() {
        SERVER.reset();
    }

    private static Stream<Arguments> rules() {
        Duration two = Duration.ofMillis(2);
        FaultRule.Conditions calls = FaultRule.calls();
        FaultRule.Conditions connections = FaultRule.connections();
        return Stream.of(
                rule(
                        allConditions().then(error("ERR not now")),
                        ALL_CONDITIONS + " THEN ERROR \"ERR not now\""),
                rule(FaultRule.calls().nth(3).then(hang()), "NTH 3 THEN HANG"),
                rule(
                        FaultRule.calls().every(2).times(4).then(close()),
                        "EVERY 2 TIMES 4 THEN CLOSE"),
                rule(
                        FaultRule.calls().probability(0.5).seed(7).then(loseReply()),
                        "PROBABILITY 0.5 SEED 7 THEN LOSEREPLY"),
                rule(calls.then(moved("h:1")), "THEN MOVED h:1"),
                rule(calls.then(ask("h:1")), "THEN ASK h:1"),
                rule(calls.then(delay(Duration.ofNanos(1))), "THEN DELAY 1"),
                rule(
                        calls.then(delayBetween(two, two.plus(two)).onRealTime()),
                        "THEN DELAY 2 TO 4 REALTIME"),
                rule(calls.then(cutReply(5)), "THEN CUTREPLY 5"),
                rule(calls.then(twice()), "THEN TWICE"),
                rule(calls.then(stopReading()), "THEN STOPREADING"),
                rule(FaultRule.messages("c*").then(drop()), "CHANNEL c* THEN DROP"),
                rule(connections.then(refuse()), "CONNECT THEN REFUSE"),
                rule(connections.then(silent()), "CONNECT THEN SILENT"),
                rule(connections.then(throttle(9)), "CONNECT THEN THROTTLE 9"));
    }

    private static FaultRule.Conditions allConditions() {
        return FaultRule.calls()
                .command("@write")
                .scripted()
                .key("order:*")
                .script("my function")
                .client("worker-*")
                .age(Duration.ofSeconds(1))
                .from(Instant.ofEpochMilli(1))
                .until(Instant.ofEpochMilli(2));
    }

    private static Arguments rule(FaultRule rule, String text) {
        return Arguments.of(rule, text);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void theServerTakesEveryConditionAndAction(FaultRule rule, String text) {
        SERVER.faults().add(rule);
        assertEquals(text, SERVER.faults().list().get(0).rule());
        assertEquals(text.replace("\"", ""), rule.toString());
    }

    @Test
    void onlyADelayCanBeOnRealTime() {
        assertThrows(IllegalStateException.class, () -> hang().onRealTime());
    }

    @Test
    void aRuleCountsItsMatchesAndHits() throws IOException {
        Fault fault =
                SERVER.faults().add("COMMAND get KEY \"a b\" NTH 2 THEN ERROR \"ERR not now\"");
        try (RawClient client = new RawClient(SERVER)) {
            assertNull(client.call("GET", "a b"));
            assertEquals(List.of(1L, 0L), List.of(fault.matches(), fault.hits()));
            String text = "#" + fault.id() + " " + fault.rule();
            assertEquals(text + ": 1 match, 0 hits", fault.toString());
            RedisErrorException error =
                    assertInstanceOf(RedisErrorException.class, client.call("GET", "a b"));
            assertEquals("ERR not now", error.getMessage());
            assertEquals(1, fault.hits());
            assertEquals(text + ": 2 matches, 1 hit", fault.toString());
        }
        assertEquals(
                List.of(
                        new ListedFault(
                                fault.id(),
                                "COMMAND get KEY \"a b\" NTH 2 THEN ERROR \"ERR not now\"",
                                2,
                                1)),
                SERVER.faults().list());
        fault.remove();
        assertEquals(List.of(), SERVER.faults().list());
        assertEquals("#" + fault.id() + " " + fault.rule(), fault.toString());
        assertThrows(MinilockdException.class, fault::matches);
    }

    @Test
    void clearRemovesAllRules() {
        SERVER.faults().add("THEN CLOSE");
        SERVER.faults().add("COMMAND get THEN HANG");
        SERVER.faults().clear();
        assertEquals(List.of(), SERVER.faults().list());
    }

    @Test
    void aLineThatIsNoRuleIsAnError() {
        for (String line : List.of("COMMAND get", "\"unbalanced")) {
            assertThrows(RedisErrorException.class, () -> SERVER.faults().add(line), line);
            assertEquals("PONG", SERVER.execute("PING"));
        }
        for (String line : List.of("THEN CLOSE\nTHEN CLOSE", "", " ")) {
            assertThrows(IllegalArgumentException.class, () -> SERVER.faults().add(line), line);
        }
    }

    @Test
    void nullIsAnErrorThatSaysWhatIsMissing() {
        FaultRule.Conditions calls = FaultRule.calls();
        assertEquals(
                "the argument of COMMAND is null",
                assertThrows(NullPointerException.class, () -> calls.command(null)).getMessage());
        assertEquals(
                "an argument of ERROR is null",
                assertThrows(NullPointerException.class, () -> error(null)).getMessage());
    }

    @Test
    void aLostReplyIsThatOfACallWhichHasRun() throws IOException {
        SERVER.faults().add("COMMAND incr NTH 1 THEN LOSEREPLY");
        try (RawClient client = new RawClient(SERVER)) {
            assertThrows(IOException.class, () -> client.call("INCR", "counter"));
        }
        assertEquals("1", SERVER.execute("GET", "counter"));
    }

    @Test
    void aRestartKeepsLosesOrRestoresData() {
        SERVER.execute("SET", "key", "saved");
        Snapshot saved = SERVER.snapshot();
        SERVER.execute("SET", "key", "later");
        SERVER.faults().restart();
        assertEquals("later", SERVER.execute("GET", "key"));
        SERVER.faults().restart(saved);
        assertEquals("saved", SERVER.execute("GET", "key"));
        SERVER.faults().restart(RestartData.LOSE);
        assertNull(SERVER.execute("GET", "key"));
        try (Minilockd other = Minilockd.start()) {
            Snapshot ofOther = other.snapshot();
            assertThrows(IllegalArgumentException.class, () -> SERVER.faults().restart(ofOther));
        }
    }

    @Test
    void aPartitionDoesNotCutOffTheTest() {
        SERVER.faults().partition();
        SERVER.clock().advance(Duration.ofSeconds(1));
        SERVER.faults().heal();
        assertEquals("PONG", SERVER.execute("PING"));
    }
}
