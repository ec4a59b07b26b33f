package io.minilockd;

/**
 * The saved state of a server. It stays until the server ends, and can be put back as often as
 * needed.
 */
public final class Snapshot {
    private final ControlConnection connection;
    private final String name;

    Snapshot(ControlConnection connection, String name) {
        this.connection = connection;
        this.name = name;
    }

    /**
     * Returns the name of the snapshot, for TEST.RESTORE.
     *
     * @return a name that no other snapshot has
     */
    public String name() {
        return name;
    }

    /** Returns the name, if the snapshot is of the server to which a connection belongs. */
    String nameOn(ControlConnection other) {
        if (other != connection) {
            throw new IllegalArgumentException(
                    "this is a snapshot of " + connection + ", not of " + other);
        }
        return name;
    }

    /** Puts the state back, the clock included. Connections stay open. */
    public void restore() {
        connection.call("TEST.RESTORE", name);
    }

    /**
     * Describes the snapshot.
     *
     * @return its name and its server
     */
    @Override
    public String toString() {
        return "snapshot " + name + " of " + connection;
    }
}
