package io.minilockd.compat.support;

import java.util.List;
import org.redisson.config.Config;
import org.redisson.config.Protocol;

/** Makes clients use RESP3, which Redisson has since version 4. */
public final class Resp3 {
    private Resp3() {}

    public static List<Config> useResp3(List<Config> configs) {
        configs.forEach(config -> config.setProtocol(Protocol.RESP3));
        return configs;
    }
}
