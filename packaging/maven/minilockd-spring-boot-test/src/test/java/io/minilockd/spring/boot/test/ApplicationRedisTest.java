package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class ApplicationRedisTest {
    private final MockEnvironment environment = new MockEnvironment();

    @Test
    void nothingSet() {
        assertEquals(new ApplicationRedis("", "", 0, false), ApplicationRedis.of(environment));
    }

    @Test
    void properties() {
        set("username", "orders");
        set("password", "secret");
        set("database", "3");
        assertEquals(
                new ApplicationRedis("orders", "secret", 3, false),
                ApplicationRedis.of(environment));
    }

    @Test
    void aUrlHasPrecedence() {
        set("password", "secret");
        set("database", "3");
        set("url", "redis://orders:p%40ss@redis.example.com:6380/2");
        assertEquals(new ApplicationRedis("", "p@ss", 2, true), ApplicationRedis.of(environment));
    }

    @Test
    void aUrlWithoutUserAndPath() {
        set("password", "secret");
        set("database", "3");
        set("url", "redis://redis.example.com");
        assertEquals(new ApplicationRedis("", "secret", 3, true), ApplicationRedis.of(environment));
    }

    @Test
    void aPlaceholderWithoutValueIsNotSet() {
        set("password", "${NOT_SET}");
        assertEquals(new ApplicationRedis("", "", 0, false), ApplicationRedis.of(environment));
    }

    private void set(String name, String value) {
        environment.setProperty("spring.data.redis." + name, value);
    }
}
