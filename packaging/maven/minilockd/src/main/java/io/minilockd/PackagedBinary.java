package io.minilockd;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The binary in the artifact of a platform, with its version, and the size and the SHA-256 that it
 * must have.
 */
record PackagedBinary(URL location, String executable, String version, long size, String sha256) {
    private static final String FOLDER = "META-INF/minilockd/";

    /** Finds the artifact of a platform in the class path. */
    static PackagedBinary of(Platform platform) {
        ClassLoader loader = PackagedBinary.class.getClassLoader();
        String folder = FOLDER + platform + "/";
        URL location = loader.getResource(folder + platform.executable());
        if (location == null) {
            throw missing(platform);
        }
        try (InputStream in = loader.getResourceAsStream(folder + "binary.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return new PackagedBinary(
                    location,
                    platform.executable(),
                    properties.getProperty("version"),
                    Long.parseLong(properties.getProperty("size")),
                    properties.getProperty("sha256"));
        } catch (IOException e) {
            throw new MinilockdException(
                    "the artifact minilockd-binary-" + platform + " cannot be read", e);
        }
    }

    private static MinilockdException missing(Platform platform) {
        String text =
                Platform.AVAILABLE.contains(platform.toString())
                        ? "io.minilockd:minilockd-binary-%s is not in the class path"
                        : "there is no minilockd for %s";
        return new MinilockdException(
                text.formatted(platform)
                        + "; there are binaries for "
                        + String.join(", ", Platform.AVAILABLE)
                        + ". The system property minilockd.binary or the environment variable MINILOCKD_BINARY can"
                        + " name another one");
    }

    /**
     * Puts the binary into the user's cache, unless it is there, or else into a temporary folder.
     */
    Path extract() {
        try {
            return BinaryCache.ofUser().get(this);
        } catch (IOException e) {
            return TemporaryBinary.extract(this, e);
        }
    }
}
