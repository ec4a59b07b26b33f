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
 * A process that does with Redisson what it is told on standard input, for a test in another language. A request is a line
 * {@code ID SERVERS THREAD VERB ARGUMENT...}, with commas between servers; each server has a client of its own, and each
 * thread does one thing after another. The answer is a line {@code ID ok RESULT} or {@code ID error CLASS MESSAGE}, in whatever order things are done.
 * The process ends when its input does.
 */
public final class Peer {
    private final Map<String, RedissonClient> clients = new ConcurrentHashMap<>();
    private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();
    private final PrintStream out;

    private Peer(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws Exception {
        Peer peer = new Peer(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            peer.handle(line.split(" "));
        }
        Runtime.getRuntime().halt(0); // what waits for a lock now waits in vain
    }

    private void handle(String[] words) {
        threads.computeIfAbsent(words[2], name -> Executors.newSingleThreadExecutor())
                .execute(() -> answer(words[0], words));
    }

    private void answer(String id, String[] words) {
        String answer;
        try {
            List<RedissonClient> all = Stream.of(words[1].split(",")).map(this::client).toList();
            String[] arguments = Arrays.copyOfRange(words, 4, words.length);
            answer = "ok " + new Work(all, arguments).run(words[3]);
        } catch (Throwable failure) {
            answer = "error " + failure.getClass().getSimpleName() + " " + oneLine(failure.getMessage());
        }
        out.println(id + " " + answer);
    }

    private RedissonClient client(String server) {
        return clients.computeIfAbsent(server, address -> Redisson.create(ClientConfig.single("redis://" + address)));
    }

    private static String oneLine(String text) {
        return text == null ? "" : text.replaceAll("\\s+", " ");
    }
}
