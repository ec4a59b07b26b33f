package io.minilockd.compat.interop;

import io.minilockd.compat.support.ClientConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;

/** Does with Redisson what lapse.js does with ioredis; the first argument is host:port. */
public final class Lapse {
    private Lapse() {}

    public static void main(String[] args) throws Exception {
        RedissonClient holder = Redisson.create(ClientConfig.single("redis://" + args[0]));
        RedissonClient other = Redisson.create(ClientConfig.single("redis://" + args[0]));
        try {
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                holder.getLock("order:42").lock(30, TimeUnit.SECONDS);
                long start = System.nanoTime();
                send(args[0].split(":"), "CLOCK.ADVANCE 30000");
                boolean taken = other.getLock("order:42").tryLock(0, 30, TimeUnit.SECONDS);
                System.out.println(taken + " " + (System.nanoTime() - start) / 1e6);
                other.getLock("order:42").unlock();
            }
        } finally {
            holder.shutdown();
            other.shutdown();
        }
    }

    /** Sends a command that Redisson has no method for, and waits for the first line of its reply. */
    private static void send(String[] address, String command) throws IOException {
        try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
            socket.getOutputStream().write((command + "\r\n").getBytes());
            new BufferedReader(new InputStreamReader(socket.getInputStream())).readLine();
        }
    }
}
