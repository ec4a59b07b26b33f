package io.minilockd.junit.jupiter;

import io.minilockd.Minilockd;
import io.minilockd.MinilockdBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * What an extension does with its servers.
 *
 * @param per which tests share a server
 * @param failOnHeldLocks whether a test fails that leaves a lock held
 * @param heldLocks a pattern of the locks that count for this
 * @param options adds the options of a server
 */
record Settings(
        ServerPer per,
        boolean failOnHeldLocks,
        String heldLocks,
        UnaryOperator<MinilockdBuilder> options) {
    static final String ALL_LOCKS = "*";
    static final Settings DEFAULT =
            new Settings(ServerPer.CLASS, false, ALL_LOCKS, UnaryOperator.identity());

    private static final int LOCK_HISTORY = 10_000;

    static Settings of(MinilockdServer annotation) {
        return new Settings(
                annotation.per(),
                annotation.failOnHeldLocks(),
                annotation.heldLocks(),
                builder -> withOptions(builder, annotation));
    }

    private static MinilockdBuilder withOptions(
            MinilockdBuilder builder, MinilockdServer annotation) {
        builder.emulate(annotation.emulate())
                .password(annotation.password())
                .databases(annotation.databases())
                .args(annotation.args());
        if (annotation.tls()) {
            builder.tls(true);
        }
        if (annotation.lockHistory() > 0) {
            builder.lockHistory(annotation.lockHistory());
        }
        if (!annotation.faults().isEmpty()) {
            builder.faults(Path.of(annotation.faults()));
        }
        Arrays.stream(annotation.load()).map(Path::of).forEach(builder::load);
        Arrays.stream(annotation.config()).forEach(builder::config);
        return builder;
    }

    /** Returns a builder with the options of a server. */
    MinilockdBuilder builder() {
        return options.apply(Minilockd.builder().lockHistory(LOCK_HISTORY));
    }
}
