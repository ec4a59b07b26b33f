package io.minilockd.compat.support;

import java.util.List;

/** The addresses of the servers under test, given as system properties in Redisson's notation ({@code redis://host:port}). */
public final class Servers {
    private Servers() {}

    /** The server that all tests of a single server use; it has no password. */
    public static String main() {
        return property("server.address");
    }

    /** Three independent servers, the main one first, for the locks that span several. */
    public static List<String> three() {
        String[] others = property("server.others").split(",");
        return List.of(main(), others[0], others[1]);
    }

    /** A server that wants {@link #password()}. */
    public static String secured() {
        return property("server.secured");
    }

    public static String password() {
        return property("server.password");
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalStateException("system property " + name + " is missing; pom.xml shows all that are needed");
        }
        return value;
    }
}
