package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.redisson.api.RLock;
import org.redisson.config.Config;

/** A lock with one member on each of three servers. Members are locked in order, so waiters wait for the first. */
abstract class MultiServerLockContract extends LockContract {
    @Override
    protected final List<Config> configs() {
        return Servers.three().stream().map(ClientConfig::single).toList();
    }

    @Override
    protected final RLock lock(Instance instance, String name) {
        return group(members(instance, name));
    }

    protected abstract RLock group(RLock[] members);

    protected static RLock[] members(Instance instance, String name) {
        return instance.clients().stream().map(client -> client.getLock(name)).toArray(RLock[]::new);
    }

    /** Locks the members on the last servers, this many. */
    protected final void lockMembers(Instance instance, String name, int servers) {
        RLock[] members = members(instance, name);
        for (int i = members.length - servers; i < members.length; i++) {
            members[i].lock(LONG_LEASE_SECONDS, SECONDS);
        }
    }
}
