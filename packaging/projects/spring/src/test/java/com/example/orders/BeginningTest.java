package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** The state to which {@code reset} goes back: the classes within are run by this test. */
class BeginningTest {
    /** Stores data in each of the ways in which an application does when it starts. */
    @TestConfiguration
    static class Stock {
        @Bean
        ApplicationRunner runner(StringRedisTemplate redis) {
            return arguments -> redis.opsForValue().set("apples", "1");
        }

        @Bean
        ApplicationListener<ApplicationReadyEvent> listener(StringRedisTemplate redis) {
            return event -> redis.opsForValue().set("pears", "2");
        }

        @Bean
        Late late(StringRedisTemplate redis) {
            return new Late(redis);
        }
    }

    record Late(StringRedisTemplate redis) {
        @EventListener(ApplicationReadyEvent.class)
        void fill() {
            redis.opsForValue().set("plums", "3");
        }
    }

    abstract static class Tests {
        @BeforeAll
        static void fill(@Autowired StringRedisTemplate redis) {
            redis.opsForValue().set("ofBeforeAll", "1");
        }

        @Test
        void haveTheStateOfTheStart(@Autowired StringRedisTemplate redis) {
            assertThat(redis.keys("*")).containsExactlyInAnyOrder("apples", "pears", "plums");
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE, classes = {OrdersApplication.class, Stock.class})
    @AutoConfigureMinilockd(reset = true)
    static class First extends Tests {}

    @SpringBootTest(properties = Clients.LETTUCE, classes = {OrdersApplication.class, Stock.class})
    @AutoConfigureMinilockd(reset = true)
    static class Second extends Tests {}

    /** Not started by Spring Boot. */
    @SpringJUnitConfig(Plain.Beans.class)
    @AutoConfigureMinilockd(reset = true)
    static class Plain {
        @Configuration
        static class Beans {
            @Autowired Minilockd server;

            @EventListener(ContextRefreshedEvent.class)
            void fill() {
                server.execute("SET", "apples", 1);
            }
        }

        @BeforeAll
        static void fill(@Autowired Minilockd server) {
            server.execute("SET", "ofBeforeAll", 1);
        }

        @Test
        void hasTheStateOfTheStart(@Autowired Minilockd server) {
            assertThat(server.execute("KEYS", "*")).hasToString("[apples]");
        }
    }

    @Test
    void whatTheApplicationHasStoredStaysAndWhatBeforeAllHasStoredIsGone() {
        Engine.run(First.class, Second.class).assertStatistics(tests -> tests.succeeded(2));
    }

    @Test
    void soItIsInAContextWithoutSpringBoot() {
        Engine.run(Plain.class).assertStatistics(tests -> tests.succeeded(1));
    }
}
