package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What the properties of an application say of its production server. */
class PropertiesTest {
    @Nested
    @SpringBootTest(
            properties = {
                "spring.data.redis.sentinel.master=main",
                "spring.data.redis.sentinel.nodes=sentinel.example.com:26379"
            })
    @AutoConfigureMinilockd
    class OfSentinel {
        @Test
        void redissonConnectsToTheServer(
                @Autowired Minilockd server, @Autowired RedissonClient redisson) {
            redisson.getBucket("greeting").set("hello");
            assertThat(server.dump()).contains("\"greeting\"");
        }
    }

    @Nested
    @SpringBootTest(
            properties = {
                "spring.data.redis.cluster.nodes=one.example.com:6379,two.example.com:6379"
            })
    @AutoConfigureMinilockd
    class OfAClusterForRedisson {
        @Test
        void redissonConnectsToTheServer(
                @Autowired Minilockd server, @Autowired RedissonClient redisson) {
            redisson.getBucket("greeting").set("hello");
            assertThat(server.dump()).contains("\"greeting\"");
        }
    }

    @Nested
    @SpringBootTest(
            properties = {
                Clients.LETTUCE,
                "spring.data.redis.cluster.nodes=one.example.com:6379,two.example.com:6379"
            })
    @AutoConfigureMinilockd
    class OfAClusterForLettuce {
        @Test
        void lettuceConnectsToTheServer(
                @Autowired Minilockd server, @Autowired StringRedisTemplate redis) {
            redis.opsForValue().set("greeting", "hello");
            assertThat(server.dump()).contains("\"greeting\"");
        }
    }

    @Nested
    @SpringBootTest(
            properties = {
                Clients.LETTUCE,
                "spring.data.redis.url=rediss://orders:secret2@redis.example.com:6380/2"
            })
    @AutoConfigureMinilockd
    class WithAUrl {
        @Test
        void theServerHasItsPasswordAndItsDatabaseIsUsed(
                @Autowired Minilockd server,
                @Autowired StringRedisTemplate redis,
                @Value("${spring.data.redis.url}") String url) {
            redis.opsForValue().set("greeting", "hello");
            assertThat(server.dump()).contains("# database 2", "\"greeting\"");
            assertThat(url).isEqualTo("redis://:secret2@127.0.0.1:" + server.port() + "/2");
        }
    }

    @Nested
    @SpringBootTest(properties = {Clients.LETTUCE, "spring.data.redis.password=${NOT_SET}"})
    @AutoConfigureMinilockd
    class WithASecretThatATestDoesNotHave {
        @Test
        void theServerHasNoPassword(
                @Autowired Minilockd server, @Autowired StringRedisTemplate redis) {
            redis.opsForValue().set("greeting", "hello");
            assertThat(server.password()).isEmpty();
        }
    }

    @Nested
    @SpringBootTest(
            properties = {
                "spring.redis.redisson.config="
                        + "singleServerConfig:\\n"
                        + "  address: redis://${spring.data.redis.host}:${spring.data.redis.port}\\n"
                        + "  password: ${spring.data.redis.password}\\n"
            })
    @AutoConfigureMinilockd
    class OfRedissonWithPlaceholders {
        @Test
        void redissonConnectsToTheServer(
                @Autowired Minilockd server, @Autowired RedissonClient redisson) {
            redisson.getBucket("greeting").set("hello");
            assertThat(server.dump()).contains("\"greeting\"");
        }
    }
}
