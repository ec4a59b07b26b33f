package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@SpringBootTest
@AutoConfigureMinilockd(reset = true)
class RedissonTest {
    @Autowired Minilockd server;
    @Autowired RedissonClient redisson;
    @Autowired RedisConnectionFactory factory;
    @Autowired StringRedisTemplate redis;

    @Test
    void aLeaseOfRedissonLapses() throws InterruptedException {
        RLock lock = redisson.getLock("order:42");
        assertThat(lock.tryLock(0, 30, TimeUnit.SECONDS)).isTrue();
        LockInfo held = server.locks().inDatabase(3).get("order:42").orElseThrow();
        assertThat(held.isHeld()).isTrue();
        server.clock().advance(Duration.ofSeconds(30));
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.tryLock(0, 30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void springDataConnectsByRedisson() {
        assertThat(factory).isInstanceOf(RedissonConnectionFactory.class);
        redis.opsForValue().setIfAbsent("order:42", "me", Duration.ofSeconds(30));
        server.clock().advance(Duration.ofSeconds(30));
        assertThat(redis.hasKey("order:42")).isFalse();
    }
}
