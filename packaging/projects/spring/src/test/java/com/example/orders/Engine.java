package com.example.orders;

import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs test classes within a test, which looks at what has become of them. */
final class Engine {
    private Engine() {}

    /** Runs classes one after the other, with the same cache of contexts as all tests. */
    static Events run(Class<?>... classes) {
        return builder(classes).execute().testEvents();
    }

    /** Runs classes at the same time. */
    static Events runInParallel(Class<?>... classes) {
        return builder(classes)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .execute()
                .testEvents();
    }

    private static EngineTestKit.Builder builder(Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(
                        Arrays.stream(classes)
                                .map(DiscoverySelectors::selectClass)
                                .toArray(DiscoverySelector[]::new));
    }
}
