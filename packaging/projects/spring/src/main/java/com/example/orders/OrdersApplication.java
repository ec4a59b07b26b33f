package com.example.orders;

import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** An application that takes locks in several ways. */
@SpringBootApplication
class OrdersApplication {
    @Bean
    RedisLockRegistry lockRegistry(RedisConnectionFactory factory) {
        return new RedisLockRegistry(factory, "orders", 30_000);
    }

    @Bean
    LockProvider lockProvider(RedisConnectionFactory factory) {
        return new RedisLockProvider(factory);
    }
}
