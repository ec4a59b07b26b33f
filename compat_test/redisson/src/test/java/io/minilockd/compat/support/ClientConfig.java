package io.minilockd.compat.support;

import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SubscriptionMode;

/** Redisson configurations with small pools and a short watchdog timeout. */
public final class ClientConfig {
    /** The lease of a lock that is locked without one, in milliseconds; it is renewed after a third of it. */
    public static final long WATCHDOG_MILLIS = 3000;

    private static final int POOL = 16;

    private ClientConfig() {}

    public static Config single(String address) {
        Config config = common();
        config.useSingleServer()
                .setAddress(address)
                .setConnectionPoolSize(POOL)
                .setConnectionMinimumIdleSize(2)
                .setSubscriptionConnectionPoolSize(POOL)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return config;
    }

    /** The server as a master without replicas: Redisson 4 then sends INFO and WAIT when it locks. */
    public static Config master(String address) {
        Config config = common();
        config.useMasterSlaveServers()
                .setMasterAddress(address)
                .setReadMode(ReadMode.MASTER)
                .setSubscriptionMode(SubscriptionMode.MASTER)
                .setMasterConnectionPoolSize(POOL)
                .setMasterConnectionMinimumIdleSize(2)
                .setSubscriptionConnectionPoolSize(POOL)
                .setSubscriptionConnectionMinimumIdleSize(1);
        return config;
    }

    private static Config common() {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.setThreads(4);
        config.setNettyThreads(4);
        config.setLockWatchdogTimeout(WATCHDOG_MILLIS);
        return config;
    }
}
