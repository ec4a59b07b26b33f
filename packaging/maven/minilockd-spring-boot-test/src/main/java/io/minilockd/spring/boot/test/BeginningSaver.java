package io.minilockd.spring.boot.test;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Has the state of the server saved when the context is ready. It adds its listeners after those of
 * the application, so that what these store is included.
 */
record BeginningSaver(ConfigurableApplicationContext context, TestServer server)
        implements SmartInitializingSingleton {
    @Override
    public void afterSingletonsInstantiated() {
        context.addApplicationListener(new RefreshedListener(server));
        if (ClassUtils.isPresent(
                "org.springframework.boot.availability.AvailabilityChangeEvent",
                context.getClassLoader())) {
            context.addApplicationListener(new ReadyListener(server));
        }
    }
}
