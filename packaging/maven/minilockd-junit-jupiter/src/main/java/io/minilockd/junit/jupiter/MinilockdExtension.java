package io.minilockd.junit.jupiter;

import io.minilockd.Minilockd;
import java.lang.reflect.Constructor;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Gives a server to tests: to parameters of type {@link Minilockd}, and as {@link #server()}.
 *
 * <p>The tests of a class share a server, which is reset before each test; clients stay connected.
 * So what {@code @BeforeAll} has put into it is gone; use {@code @BeforeEach}. A nested class has
 * the server of the class around it, unless it has an extension of its own. With {@link
 * ServerPer#METHOD}, or if the field is not static, each test has a server of its own; with
 * {@code @TestInstance(PER_CLASS)} a field that is not static is as a static one. The extension
 * closes its servers.
 *
 * <p>When a test fails, its locks and the last 50 commands are printed, and are among the
 * suppressed exceptions of its failure.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MinilockdExtension minilockd = MinilockdExtension.builder().failOnHeldLocks().build();
 * }</pre>
 *
 * <p>Classes that JUnit runs at the same time have a server each; tests that share one wait for
 * each other, unless each has its own with {@link ServerPer#METHOD}.
 */
public final class MinilockdExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                ParameterResolver {
    private final Optional<Settings> ownSettings;
    private final ExtensionContext.Namespace namespace = ExtensionContext.Namespace.create(this);
    private final Set<Minilockd> servers = ConcurrentHashMap.newKeySet();

    /**
     * Creates an extension with the settings of {@link MinilockdServer}, or the default ones
     * without this annotation.
     */
    public MinilockdExtension() {
        ownSettings = Optional.empty();
    }

    MinilockdExtension(Settings settings) {
        ownSettings = Optional.of(settings);
    }

    /**
     * Returns a builder for an extension with settings.
     *
     * @return a new builder
     */
    public static MinilockdExtensionBuilder builder() {
        return new MinilockdExtensionBuilder();
    }

    /**
     * Returns the server of this extension, from before {@code @BeforeAll} on.
     *
     * @return the server
     * @throws IllegalStateException if there is none, or if tests that run at the same time have
     *     one each: then use a parameter. For several servers in a test, register several
     *     extensions, and call this method of each
     */
    public Minilockd server() {
        Minilockd[] running = servers.toArray(Minilockd[]::new);
        if (running.length != 1) {
            throw new IllegalStateException(
                    "this extension has "
                            + running.length
                            + " servers now, one for each running test; a parameter of type Minilockd"
                            + " is the server of its test");
        }
        return running[0];
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        startOfClass(context);
    }

    /** Starts the server of a class, if it has one of its own, and if it has not started. */
    private void startOfClass(ExtensionContext context) {
        Optional<TestServer> found = find(context);
        boolean hasStarted = found.filter(server -> server.isOf(context.getUniqueId())).isPresent();
        boolean hasOwn =
                found.isEmpty() || ownSettings.isEmpty() && annotation(context).isPresent();
        if (hasOwn && !hasStarted && settings(context).per() == ServerPer.CLASS) {
            start(context);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        boolean shares = settings(context).per() == ServerPer.CLASS && find(context).isPresent();
        TestServer server = shares ? find(context).get() : start(context);
        server.begin(context.getUniqueId());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            find(context).ifPresent(server -> end(server, context));
        } finally {
            stop(context);
        }
    }

    private static void end(TestServer server, ExtensionContext context) {
        String name =
                context.getRequiredTestClass().getSimpleName() + " > " + context.getDisplayName();
        Optional<Throwable> thrown = context.getExecutionException();
        if (thrown.filter(TestAbortedException.class::isInstance).isPresent()) {
            server.abort(context.getUniqueId());
        } else {
            server.end(context.getUniqueId(), name, thrown);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stop(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Minilockd.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        boolean isPerClass =
                context.getTestInstanceLifecycle().filter(Lifecycle.PER_CLASS::equals).isPresent();
        if (isPerClass && parameter.getDeclaringExecutable() instanceof Constructor) {
            startOfClass(context); // the instance is made before beforeAll is called
        }
        return find(context)
                .map(TestServer::server)
                .orElseThrow(
                        () ->
                                new ParameterResolutionException(
                                        "each test has a server of its own, which is not there yet:"
                                                + " have the parameter in the test or in @BeforeEach,"
                                                + " not in @BeforeAll or the constructor; or let the"
                                                + " tests of the class share a server, with"
                                                + " ServerPer.CLASS and, if it is a field, a static one"));
    }

    private Settings settings(ExtensionContext context) {
        return ownSettings.orElseGet(() -> annotated(Optional.of(context)));
    }

    /** Returns the settings of the class, else those of the class around it. */
    private static Settings annotated(Optional<ExtensionContext> context) {
        if (context.isEmpty()) {
            return Settings.DEFAULT;
        }
        return annotation(context.get())
                .map(Settings::of)
                .orElseGet(() -> annotated(context.get().getParent()));
    }

    private static Optional<MinilockdServer> annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getTestClass(), MinilockdServer.class);
    }

    private TestServer start(ExtensionContext context) {
        TestServer server = new TestServer(settings(context), context.getUniqueId());
        servers.add(server.server());
        context.getStore(namespace).put(TestServer.class, server);
        return server;
    }

    /** Returns the server of a context or of the contexts around it. */
    private Optional<TestServer> find(ExtensionContext context) {
        return Optional.ofNullable(
                context.getStore(namespace).get(TestServer.class, TestServer.class));
    }

    /** Closes the server of a context, but not that of a context around it. */
    private void stop(ExtensionContext context) {
        TestServer server = context.getStore(namespace).remove(TestServer.class, TestServer.class);
        if (server != null) {
            servers.remove(server.server());
            server.close();
        }
    }
}
