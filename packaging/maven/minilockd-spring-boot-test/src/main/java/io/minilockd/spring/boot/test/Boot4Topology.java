package io.minilockd.spring.boot.test;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;

/**
 * Removes what the application's properties tell of Sentinel and a cluster: Redisson's starter
 * prefers it to the connection details. It is loaded only with Spring Boot 4.
 */
final class Boot4Topology implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof DataRedisProperties properties) {
            properties.setSentinel(null);
            properties.setCluster(null);
            properties.setMasterreplica(null);
        }
        return bean;
    }
}
