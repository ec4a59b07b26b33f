package io.minilockd;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the fields of a reply that is a map. A field that does not apply is absent. */
record Reply(Map<?, ?> fields) {
    /** Reads a reply that is an array of maps. */
    static <T> List<T> list(Object reply, Function<Reply, T> element) {
        return ((List<?>) reply).stream().map(fields -> element.apply(of(fields))).toList();
    }

    static Reply of(Object reply) {
        return new Reply((Map<?, ?>) reply);
    }

    String text(String name) {
        return optionalText(name).orElse("");
    }

    Optional<String> optionalText(String name) {
        return Optional.ofNullable((String) fields.get(name)).filter(text -> !text.isEmpty());
    }

    long number(String name) {
        return optionalNumber(name).orElse(0L);
    }

    Optional<Long> optionalNumber(String name) {
        return Optional.ofNullable((Long) fields.get(name));
    }

    Optional<Instant> time(String name) {
        return optionalNumber(name).map(Instant::ofEpochMilli);
    }

    /** Reads a duration in milliseconds; one without an end, -1, is absent. */
    Optional<Duration> lease(String name) {
        return optionalNumber(name).filter(ms -> ms >= 0).map(Duration::ofMillis);
    }

    <T> List<T> list(String name, Function<Reply, T> element) {
        return fields.containsKey(name) ? list(fields.get(name), element) : List.of();
    }
}
