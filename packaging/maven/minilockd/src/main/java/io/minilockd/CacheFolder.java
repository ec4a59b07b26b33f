package io.minilockd;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Knows where each system has the caches of a user. */
final class CacheFolder {
    private CacheFolder() {}

    static Path of(Platform platform, UnaryOperator<String> environment) {
        Path home = Path.of(System.getProperty("user.home"));
        return switch (platform.os()) {
            case "darwin" -> home.resolve("Library/Caches");
            case "windows" -> variable(environment, "LOCALAPPDATA", home.resolve("AppData/Local"));
            default -> variable(environment, "XDG_CACHE_HOME", home.resolve(".cache"));
        };
    }

    /**
     * Returns the folder that a variable names. The XDG specification says that relative paths are
     * to be ignored.
     */
    private static Path variable(UnaryOperator<String> environment, String name, Path otherwise) {
        String value = environment.apply(name);
        if (value == null || value.isEmpty() || !Path.of(value).isAbsolute()) {
            return otherwise;
        }
        return Path.of(value);
    }
}
