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

    /** A server with settings, as {@code host:port?timeout=500&retries=0}. */
    public static Config of(String spec) {
        String[] parts = spec.split("\\?", 2);
        Config config = single("redis://" + parts[0]);
        if (parts.length > 1) {
            for (String setting : parts[1].split("&")) {
                String[] pair = setting.split("=", 2);
                set(config, pair[0], pair[1]);
            }
        }
        return config;
    }

    private static void set(Config config, String name, String value) {
        switch (name) {
            case "name" -> config.useSingleServer().setClientName(value);
            case "timeout" -> config.useSingleServer().setTimeout(Integer.parseInt(value));
            case "retries" -> config.useSingleServer().setRetryAttempts(Integer.parseInt(value));
            case "watchdog" -> config.setLockWatchdogTimeout(Long.parseLong(value));
            default -> throw new IllegalArgumentException("no setting: " + name);
        }
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
