package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.redisson.api.RLock;
import org.redisson.config.Config;

/** A lock made of one member lock on each of three servers, taken in order, so that waiters gather at the first. */
abstract class GroupLockContract extends LockContract {
    @Override
    protected final List<Config> configs() {
        return Servers.three().stream().map(ClientConfig::single).toList();
    }

    @Override
    protected final RLock lock(Party party, String name) {
        return group(members(party, name));
    }

    protected abstract RLock group(RLock[] members);

    protected static RLock[] members(Party party, String name) {
        return party.clients().stream().map(client -> client.getLock(name)).toArray(RLock[]::new);
    }

    /** Takes the plain locks of some servers, counted from the last. */
    protected final void occupy(Party party, String name, int servers) {
        RLock[] members = members(party, name);
        for (int i = members.length - servers; i < members.length; i++) {
            members[i].lock(LONG_LEASE_SECONDS, SECONDS);
        }
    }
}
