package io.minilockd.compat.support;

import java.util.List;

/** The addresses of the servers under test, from system properties ({@code redis://host:port}). */
public final class Servers {
    private Servers() {}

    /** The server of all tests that need one; it has no password. */
    public static String main() {
        return property("server.address");
    }

    /** Three servers, the main one first, for locks on several servers. */
    public static List<String> three() {
        String[] others = property("server.others").split(",");
        return List.of(main(), others[0], others[1]);
    }

    /** A server that stands for the newest Redis. */
    public static String newest() {
        return property("server.newest");
    }

    /** The server with {@link #password()}. */
    public static String secured() {
        return property("server.secured");
    }

    public static String password() {
        return property("server.password");
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException("system property " + name + " is missing; pom.xml lists them");
        }
        return value;
    }
}
