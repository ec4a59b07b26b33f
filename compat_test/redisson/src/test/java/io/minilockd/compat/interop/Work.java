package io.minilockd.compat.interop;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;

/**
 * One request: a verb and its arguments, of which those of a lock begin with its kind and its name. What is on one server is
 * on the first.
 */
final class Work {
    private final List<RedissonClient> clients;
    private final RedissonClient client;
    private final String[] arguments;

    Work(List<RedissonClient> clients, String[] arguments) {
        this.clients = clients;
        this.client = clients.get(0);
        this.arguments = arguments;
    }

    /** Returns a pass, a number or a truth value, and an empty string where there is nothing to tell. */
    String run(String verb) throws Exception {
        return switch (verb) {
            case "connect" -> "";
            case "enter" -> Entering.enter(gate());
            case "try" -> orTaken(gate().tryEnter());
            case "leave" -> leave();
            case "force" -> String.valueOf(Gates.lock(client, arguments[0], arguments[1]).forceUnlock());
            case "count", "read", "crowd" -> race(verb, Integer.parseInt(arguments[2]));
            case "available" -> String.valueOf(semaphore().availablePermits());
            case "set-permits" -> String.valueOf(semaphore().trySetPermits((int) number()));
            case "set-count" -> String.valueOf(latch().trySetCount(number()));
            case "count-down" -> countDown();
            case "await" -> String.valueOf(latch().await(Gate.LEASE_SECONDS, TimeUnit.SECONDS));
            case "set-rate" -> String.valueOf(NewerLocks.setRate(client, arguments[1], number(), Gate.LEASE_SECONDS));
            case "take" -> String.valueOf(client.getRateLimiter(arguments[1]).tryAcquire(number()));
            default -> throw new IllegalArgumentException("no verb: " + verb);
        };
    }

    private Gate gate() {
        return Gates.open(clients, arguments[0], arguments[1]);
    }

    private RSemaphore semaphore() {
        return client.getSemaphore(arguments[1]);
    }

    private RCountDownLatch latch() {
        return client.getCountDownLatch(arguments[1]);
    }

    private long number() {
        return Long.parseLong(arguments[2]);
    }

    private static String orTaken(String pass) {
        return pass == null ? "taken" : pass;
    }

    private String leave() {
        gate().leave(arguments.length > 2 ? arguments[2] : "");
        return "";
    }

    private String countDown() {
        latch().countDown();
        return "";
    }

    private String race(String verb, int rounds) throws InterruptedException {
        Laps laps = new Laps(client, arguments[1]);
        Gate gate = gate();
        laps.assemble(Integer.parseInt(arguments[4]));
        for (int i = 0; i < rounds; i++) {
            String pass = Entering.enter(gate);
            try {
                lap(laps, verb, pass);
            } finally {
                gate.leave(pass);
            }
        }
        return String.valueOf(verb.equals("crowd") ? laps.largest() : laps.crossings());
    }

    private void lap(Laps laps, String verb, String pass) {
        switch (verb) {
            case "read" -> laps.read();
            case "crowd" -> laps.crowd(Integer.parseInt(arguments[3]));
            default -> laps.count();
        }
        if (arguments[0].equals("fenced")) {
            laps.compare(Long.parseLong(pass));
        }
    }
}
