package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;

@SpringBootTest(properties = Clients.LETTUCE)
@AutoConfigureMinilockd(reset = true)
class LettuceTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Autowired Minilockd server;
    @Autowired StringRedisTemplate redis;
    @Autowired RedisConnectionFactory factory;
    @Autowired RedisLockRegistry registry;
    @Autowired LockProvider provider;

    @Test
    void springDataConnectsByLettuceToTheServerWithTheDatabaseOfTheApplication() {
        assertThat(factory).isInstanceOf(LettuceConnectionFactory.class);
        redis.opsForValue().set("greeting", "hello");
        assertThat(server.dump()).contains("# database 3").contains("\"hello\"");
    }

    @Test
    void aLeaseOfAStringRedisTemplateLapses() {
        assertThat(redis.opsForValue().setIfAbsent("order:42", "me", LEASE)).isTrue();
        assertThat(redis.opsForValue().setIfAbsent("order:42", "you", LEASE)).isFalse();
        server.clock().advance(LEASE);
        assertThat(redis.opsForValue().setIfAbsent("order:42", "you", LEASE)).isTrue();
    }

    @Test
    void aLeaseOfSpringIntegrationLapses() {
        RedisLockRegistry other = new RedisLockRegistry(factory, "orders", LEASE.toMillis());
        assertThat(registry.obtain("42").tryLock()).isTrue();
        assertThat(other.obtain("42").tryLock()).isFalse();
        assertThat(server.locks().held()).extracting(LockInfo::name).containsExactly("orders:42");
        server.clock().advance(LEASE);
        assertThat(other.obtain("42").tryLock()).isTrue();
        other.destroy();
    }

    @Test
    void aLeaseOfShedLockLapses() {
        assertThat(take("nightly")).isPresent();
        assertThat(take("nightly")).isEmpty();
        server.clock().advance(LEASE);
        assertThat(take("nightly")).isPresent();
    }

    private Optional<SimpleLock> take(String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, LEASE, Duration.ZERO));
    }
}
