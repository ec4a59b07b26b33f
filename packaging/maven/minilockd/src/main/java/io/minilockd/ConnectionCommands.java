package io.minilockd;

import java.util.Locale;
import java.util.Set;

/**
 * The commands that change the connection by which they are sent: after them, calls of other
 * threads, and later ones, would have replies that they do not expect, or none.
 */
final class ConnectionCommands {
    private static final Set<String> NAMES =
            Set.of(
                    "subscribe",
                    "psubscribe",
                    "ssubscribe",
                    "unsubscribe",
                    "punsubscribe",
                    "sunsubscribe",
                    "monitor",
                    "lock.watch",
                    "hello",
                    "auth",
                    "select",
                    "multi",
                    "exec",
                    "discard",
                    "watch",
                    "unwatch",
                    "quit",
                    "reset",
                    "sync",
                    "psync");

    private ConnectionCommands() {}

    /** Throws an exception for a command that the control connection must not send. */
    static void refuse(Object... command) {
        if (command.length == 0) {
            throw new IllegalArgumentException("no command is given");
        }
        String name = word(command, 0);
        if (NAMES.contains(name) || name.equals("client") && word(command, 1).equals("reply")) {
            throw new IllegalArgumentException(
                    name.toUpperCase(Locale.ROOT)
                            + (name.equals("client") ? " REPLY" : "")
                            + " changes the connection itself, which all calls of this server share;"
                            + " use a client library for it");
        }
    }

    private static String word(Object[] command, int index) {
        if (index >= command.length) {
            return "";
        }
        Object word = command[index];
        return (word instanceof byte[] bytes ? Resp.text(bytes) : word.toString())
                .toLowerCase(Locale.ROOT);
    }
}
