package io.minilockd.spring.boot.test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.data.redis.RedisProperties;

/**
 * Removes what the application's properties tell of Sentinel and a cluster: Redisson's starter
 * prefers it to the connection details. It is loaded only with Spring Boot 3.
 */
final class Boot3Topology implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RedisProperties properties) {
            properties.setSentinel(null);
            properties.setCluster(null);
        }
        return bean;
    }
}
