from __future__ import annotations

import asyncio
import inspect
from concurrent.futures import ThreadPoolExecutor

import pytest

import minilockd as package
from minilockd import _aio, _connection, clock, fault, faults, journal, locks, server, snapshot


def test_server() -> None:
    async def main() -> None:
        async with package.start_async(lock_history=10) as server:
            assert await server.execute("SET", "lock", "me", "NX", "PX", 30_000) == "OK"
            (lock,) = await server.locks.held()
            assert lock.holders[0].owner == "me"
            saved = await server.snapshot()
            before = await server.clock.freeze()
            assert (await server.clock.advance(30) - before).total_seconds() == 30
            assert await server.locks.held() == []
            await server.restore(saved)
            assert len(await server.locks.held()) == 1
            with pytest.raises(AssertionError, match="locks of minilockd on"):
                await server.locks.assert_none_held()
            await server.reset()
            await saved.restore()
            await server.faults.restart(saved)
            assert len(await server.locks.held()) == 1
            assert repr(saved) == f"<minilockd.Snapshot {saved.name} of minilockd on {server.address}> for asyncio"
            assert repr(server) == f"{server.sync!r} for asyncio"
            assert server.sync.execute("PING") == "PONG"
            assert server.uri == server.sync.uri

    asyncio.run(main())


def test_faults() -> None:
    async def main() -> None:
        server = await package.start_async()
        async with server:
            rule = await server.faults.add(command="get", then=fault.error("ERR no"))
            assert (rule.id, rule.rule) == (1, 'COMMAND get THEN ERROR "ERR no"')
            assert repr(rule) == f"#1 {rule.rule}: 0 matches, 0 hits for asyncio"
            assert (await rule.matches(), await rule.hits(), await rule.remove()) == (0, 0, True)

    asyncio.run(main())


def test_a_snapshot_of_another_server() -> None:
    async def main() -> None:
        async with package.start_async() as server, package.start_async() as other:
            saved = await other.snapshot()
            for wrong in (server.restore(saved), server.faults.restart(saved), server.restore(saved._sync)):
                with pytest.raises(ValueError, match="of another server"):
                    await wrong

    asyncio.run(main())


def test_closing_while_a_call_blocks() -> None:
    async def main() -> None:
        async with package.start_async() as server:
            other = _connection.Connection((server.host, server.port), None, str)
            call = asyncio.create_task(server.execute("BLPOP", "list", 0))
            while "blocked_clients:1\r\n" not in other.call("INFO", "clients"):
                await asyncio.to_thread(other.call, "PING")
            other.close()
        with pytest.raises(package.ServerClosedError, match=r"closed by close\(\)"):
            await call

    asyncio.run(main())


def test_closing_while_calls_keep_all_threads_busy() -> None:
    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        async with package.start_async() as server:
            other = _connection.Connection((server.host, server.port), None, str)
            call = asyncio.create_task(server.execute("BLPOP", "list", 0))
            while "blocked_clients:1\r\n" not in other.call("INFO", "clients"):  # noqa: ASYNC110 (no event tells it)
                await asyncio.sleep(0)
            call.cancel()
            other.close()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(main())


def test_calls_at_once() -> None:
    async def main() -> None:
        async with package.start_async() as server:
            await asyncio.gather(*(server.execute("INCR", "a") for _ in range(50)))
            assert await server.execute("GET", "a") == "50"

    asyncio.run(main())


def test_a_call_that_is_cancelled_takes_its_reply() -> None:
    async def main() -> None:
        async with package.start_async() as server:
            other = _connection.Connection((server.host, server.port), None, str)
            call = asyncio.create_task(server.execute("BLPOP", "list", 0))
            while "blocked_clients:1\r\n" not in other.call("INFO", "clients"):
                await asyncio.to_thread(other.call, "PING")
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            other.call("RPUSH", "list", "a")
            assert await server.execute("ECHO", "next") == "next"
            other.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("sync", "view"),
    [
        (clock.Clock, _aio.AsyncClock),
        (faults.Faults, _aio.AsyncFaults),
        (faults.Fault, _aio.AsyncFault),
        (journal.Journal, _aio.AsyncJournal),
        (locks.Locks, _aio.AsyncLocks),
        (server.Server, _aio.AsyncServer),
        (snapshot.Snapshot, _aio.AsyncSnapshot),
    ],
)
def test_no_method_is_missing(sync: type, view: type) -> None:
    for name, method in inspect.getmembers(sync, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.iscoroutinefunction(getattr(view, name)), name
            if name not in {"restart", "restore"}:  # which also take an AsyncSnapshot
                assert getattr(view, name).__doc__ == method.__doc__
