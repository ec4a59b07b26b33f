package io.minilockd.junit.jupiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a server to the tests of a class, as {@link MinilockdExtension} does, with these settings.
 * On a subclass or a nested class it replaces that of the other class with all its attributes.
 *
 * <pre>{@code
 * @MinilockdServer(failOnHeldLocks = true)
 * class OrdersTest {
 *     @Test
 *     void reserves(Minilockd server) { … }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MinilockdExtension.class)
public @interface MinilockdServer {
    /**
     * Says which tests share a server.
     *
     * @return those of a class, if not set
     */
    ServerPer per() default ServerPer.CLASS;

    /**
     * Makes a test fail that leaves a lock held, in any database. The message names the lock, its
     * owner, the connection by which it was taken, and since when. A taken semaphore has no known
     * holder, so it does not count.
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
     * Whether the server listens for TLS as well.
     *
     * @return see {@link io.minilockd.MinilockdBuilder#tls}
     */
    boolean tls() default false;

    /**
     * Sets the password that clients need.
     *
     * @return the password, none if empty
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
     * @return how many; 0 for 10,000
     */
    int lockHistory() default 0;

    /**
     * Names a file with fault rules. They are there at the beginning of each test.
     *
     * @return the file, none if empty
     */
    String faults() default "";

    /**
     * Names files with commands or RDB files that fill the server. Their data is there at the
     * beginning of each test.
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
