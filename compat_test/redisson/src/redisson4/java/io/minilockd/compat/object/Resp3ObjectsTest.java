package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.minilockd.compat.support.Resp3;
import io.minilockd.compat.support.ServerTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.redisson.api.RScoredSortedSet;
import org.redisson.config.Config;

/** Objects whose replies have other types in RESP3: maps, doubles, nulls and pushes. */
class Resp3ObjectsTest extends ServerTest {
    @Override
    protected List<Config> configs() {
        return Resp3.useResp3(super.configs());
    }

    @Test
    void scoresAreDoubles() {
        RScoredSortedSet<String> set = alice.client().getScoredSortedSet(newName());
        set.add(1.5, "a");
        set.addAll(Map.of("b", 2.0, "c", 1e300));
        assertEquals(1.5, set.getScore("a"));
        assertNull(set.getScore("nobody"));
        assertEquals(4.25, set.addScore("b", 2.25));
        assertEquals(1e300, set.lastScore());
        assertEquals(List.of("a", "b", "c"), List.copyOf(set.readAll()));
        assertEquals(1.5, set.entryRange(0, -1).iterator().next().getScore());
    }

    @Nested
    class Maps extends MapTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class MapCaches extends MapCacheTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class Topics extends TopicTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class Scripts extends ScriptTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class Batches extends BatchTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class Transactions extends TransactionTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }
}
