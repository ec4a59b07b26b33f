/**
 * minilockd for tests in Java: {@link io.minilockd.Minilockd#start()} starts a Redis server of its
 * own, whose clock, faults and locks a test controls.
 *
 * <p>No method takes or returns {@code null}, except where its documentation says so: what may be
 * absent is an {@link java.util.Optional}.
 */
package io.minilockd;
