/**
 * minilockd for JUnit Jupiter: {@link io.minilockd.junit.jupiter.MinilockdServer} or {@link
 * io.minilockd.junit.jupiter.MinilockdExtension} gives a server to the tests of a class.
 */
package io.minilockd.junit.jupiter;
