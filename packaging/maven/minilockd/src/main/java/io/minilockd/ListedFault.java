package io.minilockd;

/**
 * A rule as the server lists it.
 *
 * @param id the number of the rule
 * @param rule its text, as {@link Faults#add(String)} takes it
 * @param matches how many calls, messages or connections fit its conditions
 * @param hits how often its fault has happened
 */
public record ListedFault(long id, String rule, long matches, long hits) {
    static ListedFault of(Reply reply) {
        return new ListedFault(
                reply.number("id"),
                reply.text("rule"),
                reply.number("matches"),
                reply.number("hits"));
    }

    /**
     * Describes the rule.
     *
     * @return its number, its text, and its counts
     */
    @Override
    public String toString() {
        return "#%d %s: %d %s, %d %s"
                .formatted(
                        id,
                        Quotes.escaped(rule),
                        matches,
                        matches == 1 ? "match" : "matches",
                        hits,
                        hits == 1 ? "hit" : "hits");
    }
}
