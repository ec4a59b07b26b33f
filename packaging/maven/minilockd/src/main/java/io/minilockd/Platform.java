package io.minilockd;

import java.util.List;
import java.util.Locale;

/** An operating system and a processor, in the words of the artifacts' names. */
record Platform(String os, String arch) {
    /** The platforms that have an artifact. */
    static final List<String> AVAILABLE =
            List.of("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64");

    static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String os, String arch) {
        return new Platform(os(os.toLowerCase(Locale.ROOT)), arch(arch.toLowerCase(Locale.ROOT)));
    }

    private static String os(String name) {
        if (name.startsWith("mac") || name.startsWith("darwin")) {
            return "darwin";
        }
        return name.startsWith("windows") ? "windows" : name.replace(' ', '-');
    }

    private static String arch(String name) {
        return switch (name) {
            case "x86_64", "x64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> name;
        };
    }

    boolean isWindows() {
        return os.equals("windows");
    }

    String executable() {
        return isWindows() ? "minilockd.exe" : "minilockd";
    }

    @Override
    public String toString() {
        return os + "-" + arch;
    }
}
