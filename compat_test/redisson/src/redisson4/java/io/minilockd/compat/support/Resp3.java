package io.minilockd.compat.support;

import java.util.List;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/** Makes clients speak RESP3, which only Redisson 4 can. */
public final class Resp3 {
    private Resp3() {}

    public static List<Config> spoken(List<Config> configs) {
        configs.forEach(config -> config.setProtocol(Protocol.RESP3));
        return configs;
    }
}
