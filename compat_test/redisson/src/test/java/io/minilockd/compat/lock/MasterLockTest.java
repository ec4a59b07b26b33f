package io.minilockd.compat.lock;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.redisson.config.Config;

/** The plain lock through a master-slave configuration, where Redisson also asks for the replicas of a write. */
class MasterLockTest extends PlainLockTest {
    @Override
    protected List<Config> configs() {
        return List.of(ClientConfig.master(Servers.main()));
    }
}
