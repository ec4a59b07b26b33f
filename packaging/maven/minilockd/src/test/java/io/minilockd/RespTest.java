package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RespTest {
    private static Object read(String text) throws IOException {
        return Resp.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Stream<Arguments> replies() {
        return Stream.of(
                Arguments.of("+OK\r\n", "OK"),
                Arguments.of(":-5\r\n", -5L),
                Arguments.of("$6\r\na\r\n\u00e4b\r\n", "a\r\n\u00e4b"),
                Arguments.of("$0\r\n\r\n", ""),
                Arguments.of("$-1\r\n", null),
                Arguments.of("*-1\r\n", null),
                Arguments.of("_\r\n", null),
                Arguments.of("#t\r\n", true),
                Arguments.of("#f\r\n", false),
                Arguments.of(",1.5\r\n", 1.5),
                Arguments.of(",inf\r\n", Double.POSITIVE_INFINITY),
                Arguments.of(",-inf\r\n", Double.NEGATIVE_INFINITY),
                Arguments.of(",nan\r\n", Double.NaN),
                Arguments.of("(12345678901234567890\r\n", new BigInteger("12345678901234567890")),
                Arguments.of("=8\r\ntxt:text\r\n", "text"),
                Arguments.of(
                        "*3\r\n:1\r\n_\r\n*1\r\n+a\r\n", Arrays.asList(1L, null, List.of("a"))),
                Arguments.of("~2\r\n:1\r\n:2\r\n", Set.of(1L, 2L)),
                Arguments.of("%1\r\n+a\r\n*0\r\n", Map.of("a", List.of())),
                Arguments.of("|1\r\n+ttl\r\n:3\r\n:7\r\n", 7L),
                Arguments.of(">2\r\n+invalidate\r\n*1\r\n+k\r\n:7\r\n", 7L));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void readsEveryType(String text, Object expected) throws IOException {
        assertEquals(expected, read(text));
    }

    @Test
    void returnsErrors() throws IOException {
        RedisErrorException simple =
                assertInstanceOf(RedisErrorException.class, read("-WRONGTYPE no\r\n"));
        assertEquals("WRONGTYPE no", simple.getMessage());
        assertEquals("WRONGTYPE", simple.code());
        List<?> array = (List<?>) read("*1\r\n!5\r\nERR a\r\n");
        assertEquals("ERR a", ((RedisErrorException) array.get(0)).getMessage());
    }

    @Test
    void failsAtTheEndOfTheConnection() {
        for (String part : List.of("", ":1", "$3\r\nab", "$2\r\nab", "*2\r\n:1\r\n")) {
            assertThrows(EOFException.class, () -> read(part), part);
        }
        assertThrows(IOException.class, () -> read("HTTP/1.1 200\r\n"));
    }

    @Test
    void encodesCommands() {
        byte[] encoded = Resp.encode(List.of("SET", "\u00e4", 5, new byte[] {1}));
        assertEquals(
                "*4\r\n$3\r\nSET\r\n$2\r\n\u00e4\r\n$1\r\n5\r\n$1\r\n\u0001\r\n",
                new String(encoded, StandardCharsets.UTF_8));
    }
}
