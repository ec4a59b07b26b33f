package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import java.util.function.Supplier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Starts the server of a context and registers its beans. It runs before the application's
 * configuration is read, so that conditions and property placeholders see the server. The server is
 * the first bean of the context: so it is the last one to be destroyed, also if the context fails
 * to start.
 */
final class ServerRegistrar implements BeanDefinitionRegistryPostProcessor {
    private static final String SERVER = "minilockd";

    private final ConfigurableApplicationContext context;
    private final ServerOptions options;

    ServerRegistrar(ConfigurableApplicationContext context, ServerOptions options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        ApplicationRedis application = ApplicationRedis.of(context.getEnvironment());
        RootBeanDefinition definition =
                new RootBeanDefinition(Minilockd.class, () -> options.start(application));
        definition.setDestroyMethodName("close");
        registry.registerBeanDefinition(SERVER, definition);
        Minilockd server = context.getBeanFactory().getBean(SERVER, Minilockd.class);
        application.replace(context.getEnvironment(), server);
        TestServer testServer = new TestServer(server);
        register(registry, TestServer.class, () -> testServer);
        register(registry, BeginningSaver.class, () -> new BeginningSaver(context, testServer));
        registerConnectionDetails(registry, server, application.database());
    }

    private void registerConnectionDetails(
            BeanDefinitionRegistry registry, Minilockd server, int database) {
        if (isPresent("org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails")) {
            register(
                    registry,
                    Boot3ConnectionDetails.class,
                    () -> new Boot3ConnectionDetails(server, database));
            register(registry, Boot3Topology.class, Boot3Topology::new);
        }
        if (isPresent(
                "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails")) {
            register(
                    registry,
                    Boot4ConnectionDetails.class,
                    () -> new Boot4ConnectionDetails(server, database));
            register(registry, Boot4Topology.class, Boot4Topology::new);
        }
    }

    private boolean isPresent(String name) {
        return ClassUtils.isPresent(name, context.getClassLoader());
    }

    private static <T> void register(
            BeanDefinitionRegistry registry, Class<T> type, Supplier<T> supplier) {
        RootBeanDefinition definition = new RootBeanDefinition(type, supplier);
        definition.setPrimary(true); // also where a base class of the test has a container
        definition.setDependsOn(SERVER);
        definition.setLazyInit(false); // also if the application's beans are lazy
        registry.registerBeanDefinition(type.getName(), definition);
    }
}
