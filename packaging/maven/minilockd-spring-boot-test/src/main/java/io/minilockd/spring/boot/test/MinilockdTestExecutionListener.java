package io.minilockd.spring.boot.test;

import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Prepares the server of the context for each test, and looks at it afterwards. */
final class MinilockdTestExecutionListener implements TestExecutionListener, Ordered {
    /**
     * After the listener that closes contexts, 3000: so the server is there at the end of a test.
     */
    private static final int ORDER = 3500;

    private static final String RUNNING = RunningTest.class.getName();

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        annotation(test).ifPresent(annotation -> begin(test, annotation));
    }

    private static void begin(TestContext test, AutoConfigureMinilockd annotation) {
        String name = test.getTestClass().getSimpleName() + " > " + test.getTestMethod().getName();
        Optional<String> heldLocks =
                annotation.failOnHeldLocks()
                        ? Optional.of(annotation.heldLocks())
                        : Optional.empty();
        test.setAttribute(RUNNING, server(test).begin(name, annotation.reset(), heldLocks));
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (test.removeAttribute(RUNNING) instanceof RunningTest running) {
            Optional<Throwable> thrown = Optional.ofNullable(test.getTestException());
            if (thrown.filter(MinilockdTestExecutionListener::isAbort).isPresent()) {
                running.abort();
            } else {
                running.end(thrown);
            }
        }
    }

    /** Reports whether an exception says that an assumption of JUnit does not hold. */
    private static boolean isAbort(Throwable thrown) {
        String name = thrown.getClass().getSimpleName();
        return name.equals("TestAbortedException") || name.equals("AssumptionViolatedException");
    }

    private static Optional<AutoConfigureMinilockd> annotation(TestContext test) {
        return Optional.ofNullable(
                TestContextAnnotationUtils.findMergedAnnotation(
                        test.getTestClass(), AutoConfigureMinilockd.class));
    }

    private static TestServer server(TestContext test) {
        return test.getApplicationContext().getBean(TestServer.class);
    }
}
