package io.minilockd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which entries of the journal are asked for. All conditions must be met.
 *
 * @param count the last so many of those that fit
 * @param client those of the client with this id
 * @param match those whose line fits a pattern, as of KEYS
 */
public record JournalFilter(
        Optional<Integer> count, Optional<Long> client, Optional<String> match) {
    /**
     * Selects all entries.
     *
     * @return a filter without conditions
     */
    public static JournalFilter all() {
        return new JournalFilter(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Adds a condition: the last so many.
     *
     * @param number how many
     * @return another filter
     */
    public JournalFilter last(int number) {
        return new JournalFilter(Optional.of(number), client, match);
    }

    /**
     * Adds a condition: those of one client.
     *
     * @param id the id as of CLIENT ID
     * @return another filter
     */
    public JournalFilter ofClient(long id) {
        return new JournalFilter(count, Optional.of(id), match);
    }

    /**
     * Adds a condition: those whose line fits a pattern.
     *
     * @param pattern the pattern, such as {@code set lock:*}; the case of the command's name does
     *     not matter
     * @return another filter
     */
    public JournalFilter matching(String pattern) {
        return new JournalFilter(count, client, Optional.of(pattern));
    }

    List<Object> words() {
        List<Object> words = new ArrayList<>();
        count.ifPresent(number -> words.addAll(List.of("COUNT", number)));
        client.ifPresent(id -> words.addAll(List.of("CLIENT", id)));
        match.ifPresent(pattern -> words.addAll(List.of("MATCH", pattern)));
        return words;
    }
}
