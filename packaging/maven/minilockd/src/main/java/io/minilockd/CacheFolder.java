package io.minilockd;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Knows where each system has the caches of a user. */
final class CacheFolder {
    private CacheFolder() {}

    /**
     * Returns the folder.
     *
     * @param home the user's home, which a JVM names "?" if the system knows none for the user
     * @throws IOException if there is neither a variable nor a home that tells the folder
     */
    static Path of(Platform platform, UnaryOperator<String> environment, String home)
            throws IOException {
        Optional<Path> folder =
                switch (platform.os()) {
                    case "darwin" -> inHome(home, "Library/Caches");
                    case "windows" ->
                            absolute(environment.apply("LOCALAPPDATA"))
                                    .or(() -> inHome(home, "AppData/Local"));
                    default ->
                            absolute(environment.apply("XDG_CACHE_HOME"))
                                    .or(() -> inHome(home, ".cache"));
                };
        return folder.orElseThrow(
                () -> new IOException("the user's home is not an absolute path: " + home));
    }

    private static Optional<Path> inHome(String home, String folder) {
        return absolute(home).map(path -> path.resolve(folder));
    }

    /** Returns a path unless it is relative: the XDG specification says that those be ignored. */
    private static Optional<Path> absolute(String path) {
        return Optional.ofNullable(path).map(Path::of).filter(Path::isAbsolute);
    }
}
