package io.minilockd.compat.lock;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.redisson.config.Config;

/** The plain lock with a master-slave configuration, with which Redisson also waits for replicas. */
class MasterSlaveLockTest extends PlainLockTest {
    @Override
    protected List<Config> configs() {
        return List.of(ClientConfig.master(Servers.main()));
    }
}
