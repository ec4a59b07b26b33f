package io.minilockd.compat.support;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.redisson.config.Config;

/** Two parties, connected once per class, and fresh names for each test. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(90)
public abstract class ServerTest {
    protected Party alice;
    protected Party bob;

    @BeforeAll
    void connect() {
        alice = open();
        bob = open();
    }

    @AfterAll
    void disconnect() {
        alice.close();
        bob.close();
    }

    /** How a party reaches its servers, one configuration per server. */
    protected List<Config> configs() {
        return List.of(ClientConfig.single(Servers.main()));
    }

    /** A further party; the test closes it. */
    protected final Party open() {
        return Party.open(configs());
    }

    protected final List<Party> parties() {
        return List.of(alice, bob);
    }

    /** A name that no other test uses, so that tests can share one server. */
    protected final String newName() {
        return getClass().getSimpleName() + ":" + UUID.randomUUID();
    }

    /**
     * Whether any client listens to the channel of an object. Redisson puts the object's name in braces, unless it has some,
     * so that in a cluster all that belongs to it lies on one node.
     */
    protected final boolean isHeard(String prefix, String name) {
        String channel = prefix + (name.contains("{") ? name : "{" + name + "}");
        return alice.client().getTopic(channel).countSubscribers() > 0;
    }
}
