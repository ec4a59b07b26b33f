package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.redis.test.autoconfigure.DataRedisTest;
import org.springframework.data.redis.core.StringRedisTemplate;

@DataRedisTest
@AutoConfigureMinilockd(password = "not that of the application")
class SliceTest {
    @Test
    void aSliceOfTheApplicationHasAServer(
            @Autowired Minilockd server, @Autowired StringRedisTemplate redis) {
        redis.opsForValue().set("greeting", "hello");
        assertThat(server.dump()).contains("\"hello\"");
        assertThat(server.password()).isEqualTo("not that of the application");
    }
}
