package io.minilockd;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Times and durations as people read them. */
final class Texts {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private Texts() {}

    static String time(Instant time) {
        return TIME.format(time);
    }

    /** Returns a duration in seconds, to the millisecond. */
    static String duration(Duration duration) {
        return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString()
                + " s";
    }
}
