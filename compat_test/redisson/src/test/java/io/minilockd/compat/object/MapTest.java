package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.ServerTest;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.redisson.api.RMap;
import org.redisson.client.codec.IntegerCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.codec.SerializationCodec;

class MapTest extends ServerTest {
    private RMap<String, String> newMap() {
        return alice.client().getMap(newName());
    }

    @Test
    void isAConcurrentMap() {
        RMap<String, String> map = newMap();
        assertNull(map.put("a", "1"));
        assertEquals("1", map.put("a", "2"));
        assertEquals("2", map.putIfAbsent("a", "3"));
        assertNull(map.putIfAbsent("b", "3"));
        assertTrue(map.replace("a", "2", "4"));
        assertFalse(map.remove("a", "2"));
        assertEquals("4", map.remove("a"));
        assertTrue(map.containsKey("b"));
        assertTrue(map.containsValue("3"));
        assertEquals(Map.of("b", "3"), bob.client().<String, String>getMap(map.getName()).readAllMap());
        assertEquals(1, map.fastRemove("b"));
        assertFalse(map.isExists());
    }

    @Test
    void readsAndWritesManyEntriesAtOnce() {
        RMap<String, String> map = newMap();
        Map<String, String> entries = new HashMap<>();
        IntStream.range(0, 1000).forEach(i -> entries.put("key" + i, "value" + i));
        map.putAll(entries);
        assertEquals(1000, map.size());
        assertEquals(Map.of("key1", "value1", "key999", "value999"), map.getAll(Set.of("key1", "key999", "no key")));
        Map<String, String> scanned = new HashMap<>();
        map.entrySet().forEach(entry -> scanned.put(entry.getKey(), entry.getValue()));
        assertEquals(entries, scanned);
        assertEquals(entries.keySet(), map.readAllKeySet());
    }

    @Test
    void addsToNumbers() {
        RMap<String, Integer> map = alice.client().getMap(newName(), IntegerCodec.INSTANCE);
        assertEquals(5, map.addAndGet("n", 5));
        assertEquals(3, map.addAndGet("n", -2));
    }

    @Test
    void storesBinaryValues() {
        String name = newName();
        byte[] bytes = new byte[256];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) i);
        RMap<String, byte[]> map = alice.client().getMap(name, new SerializationCodec());
        map.put("bytes", bytes);
        assertArrayEquals(bytes, bob.client().<String, byte[]>getMap(name, new SerializationCodec()).get("bytes"));
    }

    @Test
    void locksSingleKeys() {
        RMap<String, String> map = alice.client().getMap(newName(), StringCodec.INSTANCE);
        map.getLock("a").lock();
        assertFalse(bob.client().getMap(map.getName(), StringCodec.INSTANCE).getLock("a").tryLock());
        assertTrue(bob.client().getMap(map.getName(), StringCodec.INSTANCE).getLock("b").tryLock());
        map.getLock("a").unlock();
        bob.client().getMap(map.getName(), StringCodec.INSTANCE).getLock("b").unlock();
    }
}
