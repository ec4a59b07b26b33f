package io.minilockd.compat.object;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.ServerTest;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.redisson.api.RMapCache;
import org.redisson.api.map.event.EntryCreatedListener;
import org.redisson.api.map.event.EntryExpiredListener;
import org.redisson.api.map.event.EntryRemovedListener;
import org.redisson.api.map.event.EntryUpdatedListener;
import org.redisson.config.Config;

class MapCacheTest extends ServerTest {
    /** The client deletes expired entries; here it does so every second instead of every five. */
    @Override
    protected List<Config> configs() {
        List<Config> configs = super.configs();
        configs.forEach(config -> config.setMinCleanUpDelay(1));
        return configs;
    }

    @Test
    void anEntryExpires() throws Exception {
        RMapCache<String, String> map = alice.client().getMapCache(newName());
        map.put("short", "1", 300, MILLISECONDS);
        map.put("long", "2", 60, SECONDS);
        map.put("persistent", "3");
        long left = map.remainTimeToLive("long");
        assertTrue(left > 0 && left <= 60_000, () -> "time to live " + left);
        assertEquals(-1, map.remainTimeToLive("persistent"));
        Eventually.until("the short entry expires", () -> map.get("short") == null);
        assertEquals("2", map.get("long"));
        assertEquals("3", map.get("persistent"));
    }

    @Test
    void anIdleEntryExpires() throws Exception {
        RMapCache<String, String> map = alice.client().getMapCache(newName());
        map.put("idle", "1", 0, SECONDS, 300, MILLISECONDS);
        map.put("persistent", "2");
        Eventually.until("the idle entry expires", () -> map.size() == 1);
        assertEquals("2", map.get("persistent"));
    }

    @Test
    void putsOnlyIfAbsentOrExpired() throws Exception {
        RMapCache<String, String> map = alice.client().getMapCache(newName());
        assertNull(map.putIfAbsent("a", "1", 300, MILLISECONDS));
        Eventually.until("the entry expires", () -> map.putIfAbsent("a", "2", 60, SECONDS) == null);
        assertEquals("2", map.get("a"));
    }

    @Test
    void notifiesListenersOfAnotherClient() throws Exception {
        RMapCache<String, String> map = alice.client().getMapCache(newName());
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        RMapCache<String, String> observed = bob.client().getMapCache(map.getName());
        observed.addListener((EntryCreatedListener<String, String>) event -> events.add("created " + event.getValue()));
        observed.addListener((EntryUpdatedListener<String, String>)
                event -> events.add("updated " + event.getOldValue() + " to " + event.getValue()));
        observed.addListener((EntryRemovedListener<String, String>) event -> events.add("removed " + event.getKey()));
        observed.addListener((EntryExpiredListener<String, String>) event -> events.add("expired " + event.getValue()));

        map.put("a", "1");
        assertEquals("created 1", events.poll(30, SECONDS));
        map.put("a", "2");
        assertEquals("updated 1 to 2", events.poll(30, SECONDS));
        map.remove("a");
        assertEquals("removed a", events.poll(30, SECONDS));
        map.put("b", "3", 100, MILLISECONDS);
        assertEquals("created 3", events.poll(30, SECONDS));
        assertEquals("expired 3", events.poll(30, SECONDS));
        map.destroy();
        observed.destroy();
    }
}
