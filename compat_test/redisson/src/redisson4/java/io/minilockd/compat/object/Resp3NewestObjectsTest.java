package io.minilockd.compat.object;

import io.minilockd.compat.support.Resp3;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.redisson.config.Config;

/** The objects of the newest Redis in RESP3. */
class Resp3NewestObjectsTest {
    @Nested
    class BucketConditions extends BucketConditionsTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class StreamReferences extends StreamReferencesTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }

    @Nested
    class NativeMapCaches extends NativeMapCacheTest {
        @Override
        protected List<Config> configs() {
            return Resp3.useResp3(super.configs());
        }
    }
}
