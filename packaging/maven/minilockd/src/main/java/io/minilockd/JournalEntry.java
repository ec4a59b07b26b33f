package io.minilockd;

import java.time.Instant;
import java.util.Optional;

/**
 * A command that the server has received.
 *
 * @param id the number of the entry; the first is 1
 * @param time when it was received, on the server's clock
 * @param clientId the id of the client
 * @param clientName the name of the client; empty if it has none
 * @param clientAddress the address of the client, host:port
 * @param database the number of the database
 * @param command the command with its arguments, as a line for redis-cli
 * @param scripted whether a script of the client has called it
 * @param error the error reply, if there was one
 */
public record JournalEntry(
        long id,
        Instant time,
        long clientId,
        String clientName,
        String clientAddress,
        int database,
        String command,
        boolean scripted,
        Optional<String> error) {
    static JournalEntry of(Reply reply) {
        return new JournalEntry(
                reply.number("id"),
                Instant.ofEpochMilli(reply.number("time")),
                reply.number("client"),
                reply.text("name"),
                reply.text("addr"),
                (int) reply.number("db"),
                reply.text("command"),
                reply.number("script") == 1,
                reply.optionalText("error"));
    }

    /**
     * Describes the entry in one line.
     *
     * @return time, client, and what the client has sent. What a script has called is indented
     */
    @Override
    public String toString() {
        String from = "client " + clientId + " " + clientAddress;
        if (!clientName.isEmpty()) {
            from += " " + Quotes.word(clientName);
        }
        if (database != 0) {
            from += " db " + database;
        }
        String failure = error.map(text -> " -> " + Quotes.escaped(text)).orElse("");
        return Texts.time(time) + " [" + from + "] " + (scripted ? "  " : "") + command + failure;
    }
}
