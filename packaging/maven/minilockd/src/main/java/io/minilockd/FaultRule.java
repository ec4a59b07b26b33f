package io.minilockd;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A rule by which calls, messages or new connections go wrong: conditions, which must all be met,
 * and an action.
 *
 * <pre>{@code
 * FaultRule.calls().command("evalsha").key("order:*").nth(2).then(FaultAction.loseReply())
 * FaultRule.messages("redisson_lock__channel:*").nth(1).then(FaultAction.drop())
 * FaultRule.connections().times(2).then(FaultAction.refuse())
 * }</pre>
 *
 * <p>Of what fits the other conditions, {@link Conditions#nth}, {@link Conditions#every} or {@link
 * Conditions#probability} selects some; they exclude each other. Patterns are those of KEYS.
 */
public final class FaultRule {
    private final List<Object> words;

    private FaultRule(List<Object> words) {
        this.words = words;
    }

    List<Object> words() {
        return words;
    }

    /**
     * Begins a rule about calls of clients. Without conditions, every call fits, also those that a
     * client library makes by itself.
     *
     * @return the conditions
     */
    public static Conditions calls() {
        return new Conditions();
    }

    /**
     * Begins a rule about messages, also keyspace events.
     *
     * @param channel a pattern that the channel fits
     * @return the conditions
     */
    public static Conditions messages(String channel) {
        return new Conditions("CHANNEL", channel);
    }

    /**
     * Begins a rule about new connections.
     *
     * @return the conditions
     */
    public static Conditions connections() {
        return new Conditions("CONNECT");
    }

    /**
     * Returns the rule as FAULT.ADD takes it, but for the quotes of texts.
     *
     * @return the words
     */
    @Override
    public String toString() {
        return String.join(" ", words.stream().map(String::valueOf).toList());
    }

    /**
     * The conditions of a rule that is not complete yet. Of one that is given twice, the last
     * holds.
     */
    public static final class Conditions {
        private final List<Object> words = new ArrayList<>();

        private Conditions(Object... words) {
            add(words);
        }

        private Conditions add(Object... more) {
            for (Object word : more) {
                words.add(Objects.requireNonNull(word, "the argument of " + more[0] + " is null"));
            }
            return this;
        }

        /**
         * The call is one of a command.
         *
         * @param name the command; {@code config} is all its subcommands, {@code config|get} one,
         *     {@code @write} a category
         * @return this
         */
        public Conditions command(String name) {
            return add("COMMAND", name);
        }

        /**
         * One of the call's keys fits a pattern.
         *
         * @param pattern the pattern
         * @return this
         */
        public Conditions key(String pattern) {
            return add("KEY", pattern);
        }

        /**
         * The call runs a script or a function.
         *
         * @param script the SHA1 of the script, or the name of the function
         * @return this
         */
        public Conditions script(String script) {
            return add("SCRIPT", script);
        }

        /**
         * A script makes the call, instead of a client.
         *
         * @return this
         */
        public Conditions scripted() {
            return add("SCRIPTED");
        }

        /**
         * It is a client with this id, or with a name or address that fits. That of a message is
         * its publisher.
         *
         * @param idOrPattern the id, or a pattern
         * @return this
         */
        public Conditions client(String idOrPattern) {
            return add("CLIENT", idOrPattern);
        }

        /**
         * The client's connection has at least this age. Not for new connections.
         *
         * @param duration the age
         * @return this
         */
        public Conditions age(Duration duration) {
            return add("AGE", Millis.roundUp(duration));
        }

        /**
         * The server's clock shows this time or a later one.
         *
         * @param time the first moment
         * @return this
         */
        public Conditions from(Instant time) {
            return add("FROM", time.toEpochMilli());
        }

        /**
         * The server's clock shows an earlier time.
         *
         * @param time the moment after the last
         * @return this
         */
        public Conditions until(Instant time) {
            return add("UNTIL", time.toEpochMilli());
        }

        /**
         * The fault happens to one of what fits.
         *
         * @param number its number; the first is 1
         * @return this
         */
        public Conditions nth(long number) {
            return add("NTH", number);
        }

        /**
         * The fault happens to each one whose number is a multiple of this.
         *
         * @param number the number
         * @return this
         */
        public Conditions every(long number) {
            return add("EVERY", number);
        }

        /**
         * The fault happens to each with a probability.
         *
         * @param probability more than 0, at most 1
         * @return this
         */
        public Conditions probability(double probability) {
            return add("PROBABILITY", probability);
        }

        /**
         * Makes a probability, or a random delay, hit the same ones in each run.
         *
         * @param seed greater than 0
         * @return this
         */
        public Conditions seed(long seed) {
            return add("SEED", seed);
        }

        /**
         * The fault happens no more often than this.
         *
         * @param count how often
         * @return this
         */
        public Conditions times(long count) {
            return add("TIMES", count);
        }

        /**
         * Completes the rule.
         *
         * @param action what happens
         * @return the rule
         */
        public FaultRule then(FaultAction action) {
            List<Object> all = new ArrayList<>(words);
            all.add("THEN");
            all.addAll(action.words());
            return new FaultRule(List.copyOf(all));
        }
    }
}
