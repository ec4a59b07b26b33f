package io.minilockd.compat.interop;

import io.minilockd.compat.support.ClientConfig;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/**
 * A process that executes requests with Redisson, for the Go tests. A request is a line of the standard input, {@code
 * ID SERVERS THREAD VERB ARGUMENT...}, with commas between servers. There is a client for each server, which may have
 * settings, {@code HOST:PORT?name=NAME&watchdog=MILLIS&timeout=MILLIS&retries=COUNT}; a thread executes one request at
 * a time. The response is a line {@code ID ok RESULT} or {@code ID error CLASS MESSAGE};
 * responses come in the order in which requests end. The process ends at the end of its input.
 */
public final class InteropProcess {
    private final Map<String, RedissonClient> clients = new ConcurrentHashMap<>();
    private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();
    private final PrintStream out;

    private InteropProcess(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        InteropProcess process = new InteropProcess(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            process.handle(line.split(" "));
        }
        Runtime.getRuntime().halt(0); // threads may still wait for a lock
    }

    private void handle(String[] words) {
        threads.computeIfAbsent(words[2], name -> Executors.newSingleThreadExecutor())
                .execute(() -> respond(words[0], words));
    }

    private void respond(String id, String[] words) {
        String response;
        try {
            List<RedissonClient> all = Stream.of(words[1].split(",")).map(this::client).toList();
            String[] arguments = Arrays.copyOfRange(words, 4, words.length);
            response = "ok " + new Request(all, arguments).run(words[3]);
        } catch (Throwable failure) {
            response = "error " + failure.getClass().getSimpleName() + " " + oneLine(failure.getMessage());
        }
        out.println(id + " " + response);
    }

    private RedissonClient client(String server) {
        return clients.computeIfAbsent(server, spec -> Redisson.create(ClientConfig.of(spec)));
    }

    private static String oneLine(String text) {
        return text == null ? "" : text.replaceAll("\\s+", " ");
    }
}
