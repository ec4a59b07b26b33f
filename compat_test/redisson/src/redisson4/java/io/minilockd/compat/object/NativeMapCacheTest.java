package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.NewestServerTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.redisson.api.RMapCacheNative;
import org.redisson.api.map.PutArgs;

/** A map whose entries the server itself expires: HPEXPIRE, HSETEX and the like. */
class NativeMapCacheTest extends NewestServerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private RMapCacheNative<String, String> newMap() {
        return alice.client().getMapCacheNative(newName());
    }

    private static void assertBetween(long low, long value, long high) {
        assertTrue(low <= value && value <= high, () -> value + " ms");
    }

    @Test
    void entriesExpire() throws Exception {
        RMapCacheNative<String, String> map = newMap();
        assertNull(map.put("soon", "1", Duration.ofMillis(200)));
        assertTrue(map.fastPut("later", "2", HOUR));
        assertNull(map.put("never", "3"));
        Eventually.until("the entry expires", () -> map.get("soon") == null);
        assertEquals(Map.of("later", "2", "never", "3"), map.readAllMap());
        assertBetween(1, map.remainTimeToLive("later"), HOUR.toMillis());
        assertEquals(-1, map.remainTimeToLive("never"));
        assertEquals(-2, map.remainTimeToLive("soon"));
        assertEquals("2", map.put("later", "4", Instant.now().plus(MINUTE)));
        assertBetween(1, map.remainTimeToLive("later"), MINUTE.toMillis());
    }

    @Test
    void theMapGoesWithItsLastEntry() throws Exception {
        RMapCacheNative<String, String> map = newMap();
        map.putAll(Map.of("a", "1", "b", "2"), Duration.ofMillis(200));
        Eventually.until("all entries expire", () -> !map.isExists());
        assertEquals(0, map.size());
    }

    @Test
    void putsIfAbsentOrPresent() {
        RMapCacheNative<String, String> map = newMap();
        assertNull(map.putIfAbsent("a", "1", MINUTE));
        assertEquals("1", map.putIfAbsent("a", "2", HOUR));
        assertFalse(map.fastPutIfAbsent("a", "2", HOUR));
        assertTrue(map.fastPutIfAbsent("b", "2", HOUR));
        assertNull(map.putIfExist("c", "3", HOUR));
        assertEquals("1", map.putIfExist("a", "3", MINUTE));
        assertEquals(Map.of("a", "3", "b", "2"), map.readAllMap());
        assertBetween(1, map.remainTimeToLive("a"), MINUTE.toMillis());
    }

    @Test
    void putsAllEntriesOrNone() {
        RMapCacheNative<String, String> map = newMap();
        assertFalse(map.putIfAllKeysExist(PutArgs.entries(Map.of("a", "1", "b", "2")).timeToLive(MINUTE)));
        assertTrue(map.putIfAllKeysAbsent(PutArgs.entries(Map.of("a", "1", "b", "2")).timeToLive(MINUTE)));
        assertFalse(map.putIfAllKeysAbsent(PutArgs.entries(Map.of("b", "3", "c", "3"))));
        assertTrue(map.putIfAllKeysExist(PutArgs.entries(Map.of("a", "4")).keepTTL()));
        assertEquals(Map.of("a", "4", "b", "2"), map.readAllMap());
        assertBetween(1, map.remainTimeToLive("a"), MINUTE.toMillis());
        map.putAll(PutArgs.entries(Map.of("c", "5")).expireAt(Instant.now().plus(HOUR)));
        assertBetween(MINUTE.toMillis() + 1, map.remainTimeToLive("c"), HOUR.toMillis());
    }

    @Test
    void changesWhenEntriesExpire() {
        RMapCacheNative<String, String> map = newMap();
        map.putAll(Map.of("a", "1", "b", "2", "c", "3"));
        assertTrue(map.expireEntry("a", MINUTE));
        assertFalse(map.expireEntryIfNotSet("a", HOUR));
        assertTrue(map.expireEntryIfGreater("a", HOUR));
        assertTrue(map.expireEntryIfLess("a", MINUTE));
        assertFalse(map.expireEntry("nobody", MINUTE));
        assertEquals(2, map.expireEntriesIfNotSet(Set.of("a", "b", "c"), MINUTE));
        assertEquals(3, map.expireEntries(Set.of("a", "b", "c"), HOUR));
        assertEquals(Map.of("a", true, "nobody", false), nullsAsFalse(map.clearExpire(Set.of("a", "nobody"))));
        assertTrue(map.clearExpire("b"));
        Map<String, Long> left = map.remainTimeToLive(Set.of("a", "b", "c"));
        assertEquals(-1, left.get("a"));
        assertEquals(-1, left.get("b"));
        assertBetween(1, left.get("c"), HOUR.toMillis());
    }

    private static Map<String, Boolean> nullsAsFalse(Map<String, Boolean> cleared) {
        return Map.of("a", cleared.get("a"), "nobody", Boolean.TRUE.equals(cleared.get("nobody")));
    }

    @Test
    void computesEntries() {
        RMapCacheNative<String, String> map = newMap();
        assertEquals("a1", map.computeIfAbsent("a", MINUTE, key -> key + "1"));
        assertEquals("a1", map.computeIfAbsent("a", MINUTE, key -> key + "2"));
        assertEquals("a1+", map.compute("a", HOUR, (key, value) -> value + "+"));
        assertBetween(MINUTE.toMillis() + 1, map.remainTimeToLive("a"), HOUR.toMillis());
    }
}
