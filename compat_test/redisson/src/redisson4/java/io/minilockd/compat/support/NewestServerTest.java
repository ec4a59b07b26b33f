package io.minilockd.compat.support;

import java.util.List;
import org.redisson.config.Config;

/** Tests of objects whose commands only the newest Redis has. */
public abstract class NewestServerTest extends ServerTest {
    @Override
    protected List<Config> configs() {
        return List.of(ClientConfig.single(Servers.newest()));
    }
}
