package io.minilockd;

import java.util.Optional;

/**
 * A connection that has taken a lock, or waits for it.
 *
 * @param id the id as in CLIENT LIST; 0 if it is not known
 * @param name the name that CLIENT SETNAME has given; empty if none
 * @param address the client's address, host:port
 * @param library name and version of the library, by CLIENT SETINFO; empty if not known
 */
public record LockConnection(long id, String name, String address, String library) {
    static Optional<LockConnection> of(Reply reply) {
        LockConnection connection =
                new LockConnection(
                        reply.number("client-id"),
                        reply.text("client-name"),
                        reply.text("client-addr"),
                        reply.text("client-lib"));
        return Optional.of(connection).filter(known -> known.id != 0 || !known.address.isEmpty());
    }

    /**
     * Returns the connection in a few words.
     *
     * @return such as {@code connection 4 (127.0.0.1:60290, name worker, redisson 4.7.0)}
     */
    @Override
    public String toString() {
        String details = address;
        if (!name.isEmpty()) {
            details += ", name " + Quotes.word(name);
        }
        if (!library.isEmpty()) {
            details += ", " + Quotes.escaped(library);
        }
        return "connection " + id + " (" + details + ")";
    }
}
