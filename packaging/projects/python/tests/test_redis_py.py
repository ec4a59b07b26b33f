"""redis-py's locks, on a server whose clock and faults the tests control."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
import redis
import redis.asyncio
from redis.exceptions import LockNotOwnedError

from minilockd import fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minilockd import Server


@pytest.fixture
def client(minilockd: Server) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(minilockd.uri, decode_responses=True) as client:
        yield client


def test_a_lease_lapses(minilockd: Server, client: redis.Redis) -> None:
    first, second = client.lock("order:42", timeout=30), client.lock("order:42", timeout=30)
    assert first.acquire(blocking=False)
    assert not second.acquire(blocking=False)
    minilockd.clock.advance(30)
    assert second.acquire(blocking=False)
    with pytest.raises(LockNotOwnedError):
        first.release()
    assert [event.type for event in minilockd.locks.history("order:42")] == ["taken", "lapsed", "taken"]
    assert minilockd.locks.history("order:42")[1].lost


def test_a_lock_is_shown(minilockd: Server, client: redis.Redis) -> None:
    client.client_setname("orders")
    with client.lock("order:42", timeout=30) as lock:
        (held,) = minilockd.locks.held()
        (holder,) = held.holders
        assert (held.name, held.kind) == ("order:42", "token")
        assert holder.owner == lock.local.token.decode()
        assert holder.client is not None
        assert holder.client.name == "orders"
        assert holder.client.library.startswith("redis-py")
    assert minilockd.locks.held() == []


def test_a_reply_is_lost(minilockd: Server, client: redis.Redis) -> None:
    client.ping()
    lost = minilockd.faults.add(command="set", key="order:*", nth=1, then=fault.lose_reply())
    with pytest.raises(redis.ConnectionError):
        client.lock("order:42", timeout=30).acquire(blocking=False)
    assert lost.hits() == 1
    assert [lock.name for lock in minilockd.locks.held()] == ["order:42"]  # by a token that the client has forgotten


def test_a_restart_loses_the_lock(minilockd: Server, client: redis.Redis) -> None:
    lock = client.lock("order:42", timeout=30)
    assert lock.acquire(blocking=False)
    minilockd.faults.restart("lose")
    with pytest.raises(LockNotOwnedError):
        lock.release()


def test_a_snapshot_is_restored(minilockd: Server, client: redis.Redis) -> None:
    client.set("stock", 3)
    stocked = minilockd.snapshot()
    for _ in range(2):
        client.decr("stock")
        assert client.get("stock") == "2"
        stocked.restore()


def test_asyncio(minilockd: Server) -> None:
    async def main() -> None:
        async with redis.asyncio.Redis.from_url(minilockd.uri) as client:
            first, second = client.lock("order:42", timeout=30), client.lock("order:42", timeout=30)
            assert await first.acquire()
            waiting = asyncio.create_task(second.acquire())
            while len(await minilockd.aio.journal.entries(match="set order:42 *")) < 2:
                pass
            await minilockd.aio.clock.advance(30)
            assert await waiting
            with pytest.raises(LockNotOwnedError):
                await first.release()

    asyncio.run(main())


@pytest.mark.minilockd(password="secret", config={"maxmemory": "1mb"})  # noqa: S106 (of a server for tests)
def test_options_of_one_test(minilockd: Server, client: redis.Redis) -> None:
    assert minilockd.uri.startswith("redis://:secret@")
    assert client.config_get("maxmemory") == {"maxmemory": "1048576"}
