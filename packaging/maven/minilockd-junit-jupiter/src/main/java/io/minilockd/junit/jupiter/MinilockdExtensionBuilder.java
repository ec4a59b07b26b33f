package io.minilockd.junit.jupiter;

import io.minilockd.MinilockdBuilder;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The settings of an extension that a test registers with {@code @RegisterExtension}. It is not
 * thread-safe.
 */
public final class MinilockdExtensionBuilder {
    private ServerPer per = ServerPer.CLASS;
    private boolean failOnHeldLocks;
    private String heldLocks = Settings.ALL_LOCKS;
    private UnaryOperator<MinilockdBuilder> options = UnaryOperator.identity();

    MinilockdExtensionBuilder() {}

    /**
     * Says which tests share a server.
     *
     * @param scope those of a class, if not set
     * @return this builder
     */
    public MinilockdExtensionBuilder per(ServerPer scope) {
        per = scope;
        return this;
    }

    /**
     * Makes a test fail that leaves a lock held, in any database. The message names the lock, its
     * owner, the connection by which it was taken, and since when. A taken semaphore has no known
     * holder, so it does not count.
     *
     * @return this builder
     */
    public MinilockdExtensionBuilder failOnHeldLocks() {
        failOnHeldLocks = true;
        return this;
    }

    /**
     * Says which locks {@link #failOnHeldLocks} is about.
     *
     * @param pattern a pattern of their names, as of KEYS; all, if not set
     * @return this builder
     */
    public MinilockdExtensionBuilder heldLocks(String pattern) {
        heldLocks = Objects.requireNonNull(pattern, "heldLocks");
        return this;
    }

    /**
     * Sets options of the server; may be called several times. What {@code load} and {@code faults}
     * add is there at the beginning of each test.
     *
     * @param setter sets them, such as {@code server -> server.password("secret")}
     * @return this builder
     */
    public MinilockdExtensionBuilder server(Consumer<MinilockdBuilder> setter) {
        UnaryOperator<MinilockdBuilder> before = options;
        options =
                builder -> {
                    MinilockdBuilder changed = before.apply(builder);
                    setter.accept(changed);
                    return changed;
                };
        return this;
    }

    /**
     * Returns the extension.
     *
     * @return an extension with these settings
     */
    public MinilockdExtension build() {
        return new MinilockdExtension(new Settings(per, failOnHeldLocks, heldLocks, options));
    }
}
