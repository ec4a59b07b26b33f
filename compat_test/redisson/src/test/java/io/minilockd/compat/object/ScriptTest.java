package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.ServerTest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.client.RedisException;

class ScriptTest extends ServerTest {
    private RScript script() {
        return alice.client().getScript();
    }

    @Test
    void evalGetsKeysAndArgumentsAndWrites() {
        String name = newName();
        String value = script().eval(Mode.READ_WRITE,
                "redis.call('set', KEYS[1], ARGV[1] .. ARGV[2]) return redis.call('get', KEYS[1])",
                ReturnType.VALUE, List.of(name), "one", "two");
        assertEquals("onetwo", value);
        assertEquals("onetwo", bob.client().getBucket(name).get());
    }

    @Test
    void evalReadOnlyReads() {
        String name = newName();
        alice.client().getBucket(name).set("read");
        String read = script().eval(Mode.READ_ONLY, "return redis.call('get', KEYS[1])", ReturnType.VALUE,
                List.of(name));
        assertEquals("read", read);
    }

    @Test
    void repliesAreConverted() {
        assertEquals(Arrays.asList("a", null, "c"),
                script().eval(Mode.READ_WRITE, "return {'a', false, 'c', nil, 'cut off'}", Replies.LIST));
        assertEquals(2L, script().<Long>eval(Mode.READ_WRITE, "return 2.9", Replies.LONG));
        assertEquals(true, script().eval(Mode.READ_WRITE, "return true", ReturnType.BOOLEAN));
        assertEquals(false, script().eval(Mode.READ_WRITE, "return 0", ReturnType.BOOLEAN));
        assertEquals("PONG", script().eval(Mode.READ_WRITE, "return redis.call('ping')", Replies.STATUS));
    }

    @Test
    void evalShaRunsWhatWasLoaded() {
        String body = "return '" + newName() + "'";
        String sha = script().scriptLoad(body);
        assertEquals(40, sha.length());
        String unknown = "0".repeat(40);
        assertEquals(List.of(true, false), bob.client().getScript().scriptExists(sha, unknown));
        assertEquals(body, "return '" + bob.client().getScript().evalSha(Mode.READ_WRITE, sha, ReturnType.VALUE) + "'");
        RedisException missing = assertThrows(RedisException.class,
                () -> script().evalSha(Mode.READ_WRITE, unknown, ReturnType.VALUE));
        assertTrue(missing.getMessage().contains("NOSCRIPT"), missing::getMessage);
    }

    @Test
    void errorsReachTheCaller() {
        RedisException syntax = assertThrows(RedisException.class,
                () -> script().eval(Mode.READ_WRITE, "return return", ReturnType.VALUE));
        assertTrue(syntax.getMessage().contains("Error compiling script"), syntax::getMessage);
        RedisException wrongType = assertThrows(RedisException.class, () -> script().eval(Mode.READ_WRITE,
                "redis.call('set', KEYS[1], 'text') return redis.call('incr', KEYS[1])", ReturnType.VALUE,
                List.of(newName())));
        assertTrue(wrongType.getMessage().contains("not an integer"), wrongType::getMessage);
    }
}
