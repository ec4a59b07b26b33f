package io.minilockd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a fault does. <a
 * href="https://github.com/minilockd/minilockd/blob/main/docs/faults.md">faults.md</a> says which
 * actions happen to calls, to messages and to connections.
 */
public final class FaultAction {
    private final List<Object> words;

    private FaultAction(Object... words) {
        for (Object word : words) {
            Objects.requireNonNull(word, "an argument of " + words[0] + " is null");
        }
        this.words = List.of(words);
    }

    List<Object> words() {
        return words;
    }

    /**
     * Replies with an error, and the command does not run.
     *
     * @param text the error with its code, such as {@code "ERR not now"}; or one of LOADING, BUSY,
     *     READONLY, OOM, MASTERDOWN, CLUSTERDOWN and TRYAGAIN for Redis' text
     * @return the action
     */
    public static FaultAction error(String text) {
        return new FaultAction("ERROR", text);
    }

    /**
     * Replies with MOVED, as a node of a cluster that does not have the key. Calls without a key do
     * not fit the rule.
     *
     * @param address the other node, host:port
     * @return the action
     */
    public static FaultAction moved(String address) {
        return new FaultAction("MOVED", address);
    }

    /**
     * Replies with ASK, as a node of a cluster while a slot moves. Calls without a key do not fit
     * the rule.
     *
     * @param address the other node, host:port
     * @return the action
     */
    public static FaultAction ask(String address) {
        return new FaultAction("ASK", address);
    }

    /**
     * Runs the call later, or delivers the message later, by the server's clock: {@link
     * ServerClock#advance} ends it.
     *
     * @param duration the delay
     * @return the action
     */
    public static FaultAction delay(Duration duration) {
        return new FaultAction("DELAY", Millis.roundUp(duration));
    }

    /**
     * The same as {@link #delay} with a random delay.
     *
     * @param shortest the shortest
     * @param longest the longest
     * @return the action
     */
    public static FaultAction delayBetween(Duration shortest, Duration longest) {
        return new FaultAction("DELAY", Millis.roundUp(shortest), "TO", Millis.roundUp(longest));
    }

    /**
     * Returns this delay on real time instead of the server's clock.
     *
     * @return the action
     * @throws IllegalStateException if it is no delay
     */
    public FaultAction onRealTime() {
        if (!words.get(0).equals("DELAY")) {
            throw new IllegalStateException("only a delay can be on real time, not " + this);
        }
        List<Object> all = new ArrayList<>(words);
        all.add("REALTIME");
        return new FaultAction(all.toArray());
    }

    /**
     * Runs the call when the rule is removed.
     *
     * @return the action
     */
    public static FaultAction hang() {
        return new FaultAction("HANG");
    }

    /**
     * Closes the connection, and the command does not run.
     *
     * @return the action
     */
    public static FaultAction close() {
        return new FaultAction("CLOSE");
    }

    /**
     * Runs the command, and closes the connection before the reply.
     *
     * @return the action
     */
    public static FaultAction loseReply() {
        return new FaultAction("LOSEREPLY");
    }

    /**
     * Runs the command, and closes the connection after a part of the reply.
     *
     * @param bytes how much of the reply is sent
     * @return the action
     */
    public static FaultAction cutReply(int bytes) {
        return new FaultAction("CUTREPLY", bytes);
    }

    /**
     * Runs the command twice, as if its sender had repeated it. The reply is that of the second
     * time.
     *
     * @return the action
     */
    public static FaultAction twice() {
        return new FaultAction("TWICE");
    }

    /**
     * Delivers the message to no subscriber.
     *
     * @return the action
     */
    public static FaultAction drop() {
        return new FaultAction("DROP");
    }

    /**
     * Closes the new connection at once.
     *
     * @return the action
     */
    public static FaultAction refuse() {
        return new FaultAction("REFUSE");
    }

    /**
     * Accepts the new connection, and answers none of its calls until the rule is removed.
     *
     * @return the action
     */
    public static FaultAction silent() {
        return new FaultAction("SILENT");
    }

    /**
     * Reads nothing more from the connection until the rule is removed.
     *
     * @return the action
     */
    public static FaultAction stopReading() {
        return new FaultAction("STOPREADING");
    }

    /**
     * Limits how much the connection transfers, until the rule is removed.
     *
     * @param bytesPerSecond how many bytes in a second of the server's clock, in each direction
     * @return the action
     */
    public static FaultAction throttle(int bytesPerSecond) {
        return new FaultAction("THROTTLE", bytesPerSecond);
    }

    /**
     * Returns the action as FAULT.ADD takes it.
     *
     * @return the words
     */
    @Override
    public String toString() {
        return String.join(" ", words.stream().map(String::valueOf).toList());
    }
}
