package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryTest {
    private static final String CONTENT = "a binary";

    @TempDir private Path folder;

    private PackagedBinary packaged(String version) throws IOException {
        Path file = Files.writeString(folder.resolve("packaged"), CONTENT);
        return new PackagedBinary(
                file.toUri().toURL(), "minilockd", version, CONTENT.length(), Sha256.of(file));
    }

    private BinaryCache cache() {
        return new BinaryCache(folder.resolve("cache"));
    }

    private List<String> cached() throws IOException {
        try (Stream<Path> files = Files.walk(cache().folder())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void aBinaryIsExtractedOnce() throws IOException {
        Path file = cache().get(packaged("1.2.3"));
        assertEquals(CONTENT, Files.readString(file));
        assertTrue(Files.isExecutable(file));
        assertTrue(file.getParent().getFileName().toString().startsWith("1.2.3-"));
        Object key = Files.readAttributes(file, "unix:ino").get("ino");
        assertEquals(file, cache().get(packaged("1.2.3")));
        assertEquals(key, Files.readAttributes(file, "unix:ino").get("ino"));
        assertNotEquals(file, cache().get(packaged("1.2.4")));
    }

    @Test
    void aFileOfAnotherSizeIsReplaced() throws IOException {
        Path file = cache().get(packaged("1.2.3"));
        Files.writeString(file, "something else");
        assertEquals(file, cache().get(packaged("1.2.3")));
        assertEquals(CONTENT, Files.readString(file));
    }

    @Test
    void aFileThatAnotherJvmHasExtractedMeanwhileStays() throws IOException {
        PackagedBinary binary = packaged("1.2.3");
        Path file = cache().get(binary);
        Object key = Files.readAttributes(file, "unix:ino").get("ino");
        Path part = Files.writeString(folder.resolve("part"), CONTENT);
        BinaryCache.publish(binary, part, file);
        assertEquals(key, Files.readAttributes(file, "unix:ino").get("ino"));
    }

    @Test
    void aDamagedPackageIsAnError() throws IOException {
        PackagedBinary damaged =
                new PackagedBinary(
                        packaged("1").location(),
                        "minilockd",
                        "1",
                        CONTENT.length(),
                        "0".repeat(64));
        MinilockdException error =
                assertThrows(MinilockdException.class, () -> cache().get(damaged));
        assertTrue(
                error.getMessage().startsWith("the packaged binary is damaged"),
                error.getMessage());
        assertEquals(List.of(), cached());
    }

    @Test
    void severalMayExtractItAtTheSameTime() throws Exception {
        PackagedBinary binary = packaged("1.2.3");
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<Path> extract = () -> cache().get(binary);
            for (Future<Path> file : threads.invokeAll(Collections.nCopies(32, extract))) {
                assertEquals(CONTENT, Files.readString(file.get()));
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        } finally {
            threads.shutdown();
        }
        assertEquals(List.of("minilockd"), cached());
    }

    @Test
    void withoutACacheItIsInATemporaryFolder() throws IOException {
        Path file = TemporaryBinary.extract(packaged("1"), new IOException("no cache"));
        assertEquals(CONTENT, Files.readString(file));
    }

    @Test
    void eachSystemHasItsCacheFolder() throws IOException {
        Path home = folder.resolve("home");
        assertEquals(home.resolve(".cache"), cacheFolder("linux", Map.of()));
        assertEquals(
                home.resolve(".cache"), cacheFolder("linux", Map.of("XDG_CACHE_HOME", "relative")));
        assertEquals(folder, cacheFolder("linux", Map.of("XDG_CACHE_HOME", folder.toString())));
        assertEquals(home.resolve("Library/Caches"), cacheFolder("darwin", Map.of()));
        assertEquals(folder, cacheFolder("windows", Map.of("LOCALAPPDATA", folder.toString())));
    }

    private Path cacheFolder(String os, Map<String, String> environment) throws IOException {
        String home = folder.resolve("home").toString();
        return CacheFolder.of(new Platform(os, "amd64"), environment::get, home);
    }

    @Test
    void aUserWithoutAHomeHasACacheFolderByAVariableOnly() throws IOException {
        Platform linux = new Platform("linux", "amd64");
        assertThrows(IOException.class, () -> CacheFolder.of(linux, name -> null, "?"));
        assertEquals(folder, CacheFolder.of(linux, name -> folder.toString(), "?"));
    }

    @Test
    void platformsHaveTheWordsOfTheArtifacts() {
        assertEquals("linux-amd64", Platform.of("Linux", "amd64").toString());
        assertEquals("linux-arm64", Platform.of("Linux", "aarch64").toString());
        assertEquals("darwin-arm64", Platform.of("Mac OS X", "aarch64").toString());
        assertEquals("darwin-amd64", Platform.of("Mac OS X", "x86_64").toString());
        assertEquals("windows-amd64", Platform.of("Windows 11", "amd64").toString());
        assertEquals("minilockd.exe", Platform.of("Windows 11", "amd64").executable());
    }

    @Test
    void aPlatformWithoutABinaryIsAnErrorThatNamesThoseWithOne() {
        MinilockdException error =
                assertThrows(
                        MinilockdException.class,
                        () -> PackagedBinary.of(Platform.of("FreeBSD", "riscv64")));
        assertTrue(
                error.getMessage().startsWith("there is no minilockd for freebsd-riscv64"),
                error.getMessage());
        assertTrue(
                error.getMessage().contains("linux-amd64, linux-arm64, darwin-amd64"),
                error.getMessage());
    }

    @Test
    void anOptionIsBeforeAllOthers() {
        assertEquals(new Binary(folder, "the option binary"), Binary.find(folder));
    }
}
