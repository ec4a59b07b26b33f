package io.minilockd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A cycle of owners: each waits for a lock that the next one holds, and the last for one of the
 * first.
 *
 * @param waits the members
 */
public record Deadlock(List<Wait> waits) {
    /**
     * A member of the cycle.
     *
     * @param owner who waits
     * @param holds the name of a lock that it holds, for which the member before waits
     * @param waitsFor the name of the lock for which it waits
     * @param database the database of that lock
     */
    public record Wait(String owner, String holds, String waitsFor, int database) {
        static Wait of(Reply reply) {
            return new Wait(
                    reply.text("owner"),
                    reply.text("holds"),
                    reply.text("waits-for"),
                    (int) reply.number("db"));
        }

        /**
         * Describes the member.
         *
         * @return who holds and waits for what
         */
        @Override
        public String toString() {
            return Quotes.word(owner)
                    + " holds "
                    + Quotes.quoted(holds)
                    + " and waits for "
                    + Quotes.quoted(waitsFor);
        }
    }

    /**
     * Describes the cycle in one line.
     *
     * @return its members
     */
    @Override
    public String toString() {
        return waits.stream().map(Wait::toString).collect(Collectors.joining("; "));
    }
}
