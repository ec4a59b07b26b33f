package io.minilockd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A binary in a temporary folder, which is removed when the JVM ends: for users without a cache
 * that can be written.
 */
final class TemporaryBinary {
    private TemporaryBinary() {}

    static Path extract(PackagedBinary binary, IOException cacheFailure) {
        try {
            Path folder = Files.createTempDirectory("minilockd-");
            Path file = folder.resolve(binary.executable());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(file)));
            BinaryCache.write(binary, file);
            return file;
        } catch (IOException e) {
            e.addSuppressed(cacheFailure);
            throw new MinilockdException(
                    "the binary can be written neither to the cache nor to a temporary folder", e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException e) {
            file.getParent().toFile().deleteOnExit();
        }
    }
}
