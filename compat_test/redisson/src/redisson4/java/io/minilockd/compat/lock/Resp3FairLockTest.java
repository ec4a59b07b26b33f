package io.minilockd.compat.lock;

import io.minilockd.compat.support.Resp3;
import java.util.List;
import org.redisson.config.Config;

class Resp3FairLockTest extends FairLockTest {
    @Override
    protected List<Config> configs() {
        return Resp3.useResp3(super.configs());
    }
}
