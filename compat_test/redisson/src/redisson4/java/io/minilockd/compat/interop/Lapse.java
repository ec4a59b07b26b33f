package io.minilockd.compat.interop;

import io.minilockd.compat.support.ClientConfig;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisStrictCommand;
import org.redisson.command.CommandAsyncExecutor;

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
                send(holder, "CLOCK.ADVANCE", 30_000);
                boolean taken = other.getLock("order:42").tryLock(0, 30, TimeUnit.SECONDS);
                System.out.println(taken + " " + (System.nanoTime() - start) / 1e6);
                other.getLock("order:42").unlock();
            }
        } finally {
            holder.shutdown();
            other.shutdown();
        }
    }

    /** Sends a command that Redisson has no method for. */
    private static Object send(RedissonClient client, String command, Object... arguments) {
        CommandAsyncExecutor executor = ((Redisson) client).getCommandExecutor();
        return executor.get(
                executor.writeAsync("", StringCodec.INSTANCE, new RedisStrictCommand<>(command), arguments));
    }
}
