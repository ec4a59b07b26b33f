package io.minilockd.junit.jupiter;

import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that run at the same time cannot share a server, since it is reset before each of them. */
final class ParallelTests {
    private static final String ENABLED = "junit.jupiter.execution.parallel.enabled";
    private static final String REMEDY =
            " have one server, which is reset before each: give each its own with ServerPer.METHOD, or annotate the"
                    + " class with @Execution(ExecutionMode.SAME_THREAD)";

    private ParallelTests() {}

    /**
     * Throws an exception if JUnit may run a test at the same time as others of its class, whether
     * it does or not.
     */
    static void refuse(ExtensionContext context) {
        boolean enabled =
                context.getConfigurationParameter(ENABLED).map(Boolean::parseBoolean).orElse(false);
        if (enabled && context.getExecutionMode() == ExecutionMode.CONCURRENT) {
            throw new ExtensionConfigurationException(
                    "tests that may run at the same time" + REMEDY);
        }
    }

    static ExtensionConfigurationException sharing(String test, String other) {
        return new ExtensionConfigurationException(
                test + " and " + other + ", which run at the same time," + REMEDY);
    }
}
