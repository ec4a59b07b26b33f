/**
 * minilockd for tests with Spring Boot: {@link
 * io.minilockd.spring.boot.test.AutoConfigureMinilockd} gives a server to the application context
 * of a test.
 */
package io.minilockd.spring.boot.test;
