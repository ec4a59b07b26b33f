package io.minilockd.spring.boot.test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Adds a server to a context. Spring's cache compares customizers, so this is a record.
 *
 * @param options those of the server
 */
record MinilockdContextCustomizer(ServerOptions options) implements ContextCustomizer {
    @Override
    public void customizeContext(
            ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        if (configuration.getParent() == null) { // else the server of the parent is also this one's
            context.addBeanFactoryPostProcessor(new ServerRegistrar(context, options));
        }
    }
}
