package io.minilockd.compat.support;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * One contender: what is a process of its own in the real world. It has a Redisson client, hence a client id, of its own for
 * each server that it talks to. Safe for use by many threads.
 */
public final class Party implements AutoCloseable {
    private final List<RedissonClient> clients;

    private Party(List<RedissonClient> clients) {
        this.clients = clients;
    }

    /** Connects one client per configuration. */
    public static Party open(List<Config> configs) {
        return new Party(configs.stream().map(Redisson::create).toList());
    }

    public static Party open(Config config) {
        return open(List.of(config));
    }

    /** The client of the first server. */
    public RedissonClient client() {
        return clients.get(0);
    }

    public List<RedissonClient> clients() {
        return clients;
    }

    /** Ends the clients as a dying process would: what they hold is not released. May be called again. */
    @Override
    public void close() {
        for (RedissonClient client : clients) {
            if (!client.isShutdown()) {
                client.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }
}
