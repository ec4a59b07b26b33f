"""Measures what starting servers costs: ``python bench/bench.py``."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import TYPE_CHECKING

import minilockd

if TYPE_CHECKING:
    from collections.abc import Callable


def milliseconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def first_ping() -> float:
    """Return how long it takes to start a server and get the reply to PING."""
    start = time.perf_counter()
    with minilockd.start() as server:
        server.execute("PING")
        return (time.perf_counter() - start) * 1000


def one_after_the_other(count: int) -> None:
    """Start and stop servers."""
    for _ in range(count):
        minilockd.start().close()


def in_parallel(count: int) -> None:
    """Have many servers at once."""
    with ThreadPoolExecutor(count) as pool:
        servers = list(pool.map(lambda _: minilockd.start(), range(count)))
        list(pool.map(minilockd.Server.close, servers))


def lapse() -> float:
    """Return how long a lease of 30 s takes."""
    with minilockd.start() as server:
        server.execute("SET", "lock", "me", "NX", "PX", 30_000)
        return milliseconds(lambda: (server.clock.advance(30), server.execute("SET", "lock", "you", "NX")))


def reset() -> float:
    """Return how long a server takes to be reset, by which tests share it."""
    with minilockd.start() as server:
        return milliseconds(server.reset)


def main() -> None:
    """Print all of it."""
    code = [sys.executable, "-c", "import minilockd"]
    nothing = [sys.executable, "-c", "pass"]
    imports = median(milliseconds(lambda: subprocess.run(code, check=True)) for _ in range(10))
    python = median(milliseconds(lambda: subprocess.run(nothing, check=True)) for _ in range(10))
    print(f"import minilockd                  {imports - python:8.1f} ms (median of 10)")
    print(f"start to first PING               {median(first_ping() for _ in range(30)):8.1f} ms (median of 30)")
    print(f"200 servers started and stopped   {milliseconds(lambda: one_after_the_other(200)):8.1f} ms")
    print(f"50 in parallel                    {milliseconds(lambda: in_parallel(50)):8.1f} ms")
    print(f"a lease of 30 s                   {median(lapse() for _ in range(10)):8.1f} ms (median of 10)")
    print(f"reset                             {median(reset() for _ in range(10)):8.1f} ms (median of 10)")


if __name__ == "__main__":
    main()
