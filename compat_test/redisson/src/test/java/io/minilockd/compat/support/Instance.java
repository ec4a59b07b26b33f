package io.minilockd.compat.support;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * An instance of an application. It has a Redisson client for each of its servers, with its own client id. Safe for
 * concurrent use.
 */
public final class Instance implements AutoCloseable {
    private final List<RedissonClient> clients;

    private Instance(List<RedissonClient> clients) {
        this.clients = clients;
    }

    /** Connects a client for each configuration. */
    public static Instance open(List<Config> configs) {
        return new Instance(configs.stream().map(Redisson::create).toList());
    }

    public static Instance open(Config config) {
        return open(List.of(config));
    }

    /** The client of the first server. */
    public RedissonClient client() {
        return clients.get(0);
    }

    public List<RedissonClient> clients() {
        return clients;
    }

    /** Ends the clients as the end of the process would: they release nothing. May be called again. */
    @Override
    public void close() {
        for (RedissonClient client : clients) {
            if (!client.isShutdown()) {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }
}
