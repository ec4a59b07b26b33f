package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;

@SpringBootTest(properties = Clients.LETTUCE)
@AutoConfigureMinilockd(reset = true)
class ResetTest {
    @Autowired Minilockd server;
    @Autowired StringRedisTemplate redis;

    @TestConfiguration
    static class Stock {
        @Bean
        ApplicationRunner fill(StringRedisTemplate redis) {
            return arguments -> redis.opsForValue().set("apples", "3");
        }
    }

    @BeforeEach
    void addPears() {
        redis.opsForValue().increment("pears");
    }

    @RepeatedTest(2)
    void hasTheStateOfTheStartOfTheApplication() {
        assertThat(redis.opsForValue().get("apples")).isEqualTo("3");
        assertThat(redis.opsForValue().get("pears")).isEqualTo("1");
        assertThat(redis.keys("*")).containsExactlyInAnyOrder("apples", "pears");
        assertThat(server.clock().now()).isBefore(Instant.now().plus(Duration.ofHours(1)));
        assertThat(server.faults().list()).isEmpty();

        redis.opsForValue().decrement("apples");
        redis.opsForValue().set("plums", "5");
        server.clock().advance(Duration.ofDays(1));
        server.faults().add("COMMAND GET KEY plums THEN ERROR \"ERR out of order\"");
        server.faults().partition();
    }
}
