package io.minilockd;

import java.time.Duration;
import java.time.Instant;

/**
 * The server's clock: keys expire, leases lapse and blocked commands time out by it. It is real
 * time until a test moves it. It counts whole milliseconds. Timers of clients, such as Redisson's
 * watchdog, are not moved by it.
 *
 * <p>Each method returns the time that the clock shows then.
 */
public final class ServerClock {
    private final ControlConnection connection;

    ServerClock(ControlConnection connection) {
        this.connection = connection;
    }

    /**
     * Returns the time of the server.
     *
     * @return what the clock shows
     */
    public Instant now() {
        return call("CLOCK.NOW");
    }

    /**
     * Moves the clock forward, and returns when all that is due until then has happened.
     *
     * @param duration how far; a part of a millisecond counts as a whole one
     * @return what the clock shows
     */
    public Instant advance(Duration duration) {
        return call("CLOCK.ADVANCE", Millis.roundUp(duration));
    }

    /**
     * Moves the clock to a time: forward as {@link #advance} does, or back at once.
     *
     * @param time what it shall show
     * @return what the clock shows
     */
    public Instant set(Instant time) {
        return call("CLOCK.SET", time.toEpochMilli());
    }

    /**
     * Stops the clock. {@link #advance} and {@link #set} still move it.
     *
     * @return what the clock shows
     */
    public Instant freeze() {
        return call("CLOCK.FREEZE");
    }

    /**
     * Lets the clock run on from what it shows.
     *
     * @return what the clock shows
     */
    public Instant resume() {
        return call("CLOCK.RESUME");
    }

    /**
     * Makes the clock run faster or slower than real time.
     *
     * @param factor how much faster: 1 is real time, 10000 the most
     * @return what the clock shows
     */
    public Instant speed(double factor) {
        return call("CLOCK.SPEED", factor);
    }

    private Instant call(Object... command) {
        return Instant.ofEpochMilli((Long) connection.call(command));
    }
}
