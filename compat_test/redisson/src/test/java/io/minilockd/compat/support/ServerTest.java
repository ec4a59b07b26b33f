package io.minilockd.compat.support;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.redisson.config.Config;

/** Two instances, connected once for each class, and new names for each test. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(90)
public abstract class ServerTest {
    protected Instance alice;
    protected Instance bob;

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

    /** The configurations of an instance's clients, one for each server. */
    protected List<Config> configs() {
        return List.of(ClientConfig.single(Servers.main()));
    }

    /** Another instance; the test closes it. */
    protected final Instance open() {
        return Instance.open(configs());
    }

    protected final List<Instance> instances() {
        return List.of(alice, bob);
    }

    /** A name that no other test uses: the tests share one server. */
    protected final String newName() {
        return getClass().getSimpleName() + ":" + UUID.randomUUID();
    }

    /**
     * Whether a client is subscribed to the channel of an object. Redisson puts the object's name in braces as a hash
     * tag, unless it has one.
     */
    protected final boolean hasSubscriber(String prefix, String name) {
        String channel = prefix + (name.contains("{") ? name : "{" + name + "}");
        return alice.client().getTopic(channel).countSubscribers() > 0;
    }
}
