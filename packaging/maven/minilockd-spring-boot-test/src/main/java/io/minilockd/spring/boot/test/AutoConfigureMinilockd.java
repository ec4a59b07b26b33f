package io.minilockd.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a server to the application context of a test. Spring Data Redis, Redisson's starter and
 * all that is built on them connect to it; the bean of type {@link io.minilockd.Minilockd} controls
 * it.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureMinilockd
 * class OrdersTest {
 *     @Autowired Minilockd server;
 *     @Autowired StringRedisTemplate redis;
 *
 *     @Test
 *     void theLeaseLapses() {
 *         redis.opsForValue().setIfAbsent("order:42", "me", Duration.ofSeconds(30));
 *         server.clock().advance(Duration.ofSeconds(30));
 *         assertFalse(redis.hasKey("order:42"));
 *     }
 * }
 * }</pre>
 *
 * <p>The server belongs to the context: classes that share a cached context share the server, and
 * it is closed with the context, after the beans that use it. {@link #reset}, {@link
 * #failOnHeldLocks} and {@link #heldLocks} are of the class; the other attributes are of the
 * server, so that classes which differ in them have different contexts.
 *
 * <p>When a test fails, its locks and the last 50 commands are printed, and are among the
 * suppressed exceptions of its failure.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AutoConfigureMinilockd {
    /**
     * Puts the state of the server back before each test: to that which it had when the application
     * was ready, with what this has stored when it started, and without what {@code @BeforeAll} has
     * stored since. Clients stay connected.
     *
     * @return whether it is put back
     */
    boolean reset() default false;

    /**
     * Makes a test fail that leaves a lock held, in any database. The history of locks is on then,
     * so that the message tells by which connection it was taken, and when. Locks that were held
     * before the test do not count, such as those that the application holds as long as it runs. A
     * taken semaphore has no known holder, so it does not count either.
     *
     * @return whether it fails
     */
    boolean failOnHeldLocks() default false;

    /**
     * Says which locks {@link #failOnHeldLocks} is about.
     *
     * @return a pattern of their names, as of KEYS
     */
    String heldLocks() default "*";

    /**
     * Sets the server to stand for.
     *
     * @return its name, such as {@code "7.0"} or {@code "valkey-9.1"}; empty for {@code "8.2"}
     */
    String emulate() default "";

    /**
     * Sets the password that clients need.
     *
     * @return the password; if empty, that of {@code spring.data.redis}, or none without
     */
    String password() default "";

    /**
     * Sets the number of databases.
     *
     * @return how many; 0 for 16
     */
    int databases() default 0;

    /**
     * Sets how many events the history of locks keeps.
     *
     * @return how many; 0 for none, or for 10,000 with {@link #failOnHeldLocks}
     */
    int lockHistory() default 0;

    /**
     * Names a file with fault rules, which are there before the application connects.
     *
     * @return the file, none if empty
     */
    String faults() default "";

    /**
     * Names files with commands or RDB files that fill the server before the application connects.
     *
     * @return the files
     */
    String[] load() default {};

    /**
     * Sets parameters of redis.conf.
     *
     * @return lines such as {@code "maxmemory 100mb"}
     */
    String[] config() default {};

    /**
     * Adds arguments of the command line as they are.
     *
     * @return the arguments
     */
    String[] args() default {};
}
