"""Does with redis-py what lapse.js does with ioredis."""

import sys
import time

import redis


def main(port, rounds):
    holder = redis.Redis(port=port)
    other = redis.Redis(port=port)
    for _ in range(rounds):
        assert holder.lock("order:42", timeout=30).acquire(blocking=False)
        start = time.perf_counter()
        holder.execute_command("CLOCK.ADVANCE", 30_000)
        taken = other.lock("order:42", timeout=30).acquire(blocking=False)
        print(str(taken).lower(), (time.perf_counter() - start) * 1000)
        other.delete("order:42")


main(int(sys.argv[1]), int(sys.argv[2]))
