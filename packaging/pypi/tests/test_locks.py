from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

import minilockd as package
from minilockd import Client, Event, Holder, Lock, Wait, Waiter

START = datetime(2027, 1, 15, 8, tzinfo=timezone.utc)
FIRST, SECOND = "11111111-0000-4000-8000-000000000000:1", "22222222-0000-4000-8000-000000000000:2"


@pytest.fixture
def held(server: package.Server) -> package.Server:
    """Provide a server with a token that is held for five seconds."""
    server.clock.freeze()
    server.clock.set(START)
    server.execute("SET", "lock:1", "me", "NX", "PX", 30_000)
    server.clock.advance(5)
    return server


def control(server: package.Server) -> Client:
    (line,) = str(server.execute("CLIENT", "LIST")).splitlines()
    words = dict(word.split("=", 1) for word in line.split())
    return Client(id=int(words["id"]), address=words["addr"], name="minilockd-control")


def test_token(held: package.Server) -> None:
    lease, age = timedelta(seconds=25), timedelta(seconds=5)
    holder = Holder(owner="me", holds=1, lease=lease, since=START, age=age, client=control(held))
    lock = Lock(name="lock:1", kind="token", holders=(holder,), lease=lease)
    assert held.locks.list() == held.locks.held() == [lock]
    assert held.locks.list("lock:?") == [lock]
    assert held.locks.list("other:*") == []
    assert held.locks.get("lock:1") == lock
    assert held.locks.get("none") is None


def test_none_is_held(held: package.Server) -> None:
    held.locks.assert_none_held("other:*")
    with pytest.raises(AssertionError) as caught:
        held.locks.assert_none_held("lock:*")
    (lock,) = held.locks.held()
    assert str(caught.value) == f"locks of minilockd on {held.address} are held:\n{lock}"
    held.clock.advance(30)
    held.locks.assert_none_held()


def test_databases(server: package.Server) -> None:
    server.execute("SET", "lock:3", "me", "NX", "PX", 30_000, database=3)
    (lock,) = server.locks.held()
    assert (lock.name, lock.db) == ("lock:3", 3)
    assert server.locks.get("lock:3") is None
    other = server.locks.get("lock:3", database=3)
    assert other is not None
    assert other.db == 3
    assert server.locks.history("lock:3") == []
    assert len(server.locks.history("lock:3", database=3)) == 1


def test_history(held: package.Server) -> None:
    held.clock.advance(25)
    taken = Event("taken", START, "lock:1", "token", "me", 1, timedelta(seconds=30), client=control(held))
    lapsed = Event(
        "lapsed", START + timedelta(seconds=30), "lock:1", "token", "me", 0, timedelta(0), "", taken.client, lost=True
    )
    assert held.locks.history("lock:1") == [taken, lapsed]
    assert held.locks.history("lock:1", 1) == [lapsed]
    held.locks.untrack()
    with pytest.raises(package.ResponseError, match="history is off"):
        held.locks.history("lock:1")
    held.locks.track(100)


def test_read_write(server: package.Server) -> None:
    server.execute("HSET", "rw", "mode", "write", f"{FIRST}:write", 2)
    (lock,) = server.locks.list()
    assert (lock.kind, lock.mode, lock.lease) == ("read-write", "write", None)
    (holder,) = lock.holders
    assert (holder.owner, holder.holds, holder.write, holder.lease) == (FIRST, 2, True, None)


def test_rate_limiter(server: package.Server) -> None:
    server.execute("SET", "{rate}:value", 5)
    server.execute("HSET", "rate", "rate", 5, "interval", 1000, "type", 0)
    (lock,) = server.locks.list("rate")
    assert (lock.kind, lock.permits, lock.is_held, lock.lease) == ("rate-limiter", 5, False, None)


def test_deadlocks_and_waiters(server: package.Server) -> None:
    server.locks.untrack()  # it would know that these queues are not those of a client
    server.clock.freeze()
    deadline = int(START.timestamp() * 1000)
    server.clock.set(START - timedelta(seconds=60))
    for name, owner, waiter in (("one", FIRST, SECOND), ("two", SECOND, FIRST)):
        server.execute("HSET", name, owner, 1)
        server.execute("RPUSH", f"redisson_lock_queue:{{{name}}}", waiter)
        server.execute("ZADD", f"redisson_lock_timeout:{{{name}}}", deadline, waiter)
    (cycle,) = server.locks.deadlocks()
    assert set(cycle) == {Wait(FIRST, "one", "two"), Wait(SECOND, "two", "one")}
    assert str(Wait(FIRST, "one", "two")) == f'{FIRST} holds "one" and waits for "two"'
    one = server.locks.get("one")
    assert one is not None
    assert one.kind == "fair"
    assert one.waiters == (Waiter(owner=SECOND, deadline=START),)
    assert str(one) == f'"one" (fair) is held by {FIRST}; 1 waiting'
    server.locks.track()


def test_texts() -> None:
    client = Client(4, "127.0.0.1:60290", "worker", "redis-py 7.1.0")
    since = datetime(2027, 1, 15, 12, 0, 3, 120_000).astimezone()
    holder = Holder("5c0c:37", 2, timedelta(seconds=27.69), since, timedelta(seconds=2.31), client)
    lock = Lock("order:42", "lock", 3, (holder, Holder("5c0c:38", 1, None)), (Waiter(),))
    assert str(lock) == (
        '"order:42" (lock) of database 3 is held by 5c0c:37 2 times since 12:00:03.120 (for 2.310 s), which took it by '
        "connection 4 (127.0.0.1:60290, worker, redis-py 7.1.0), 27.690 s left, and by 5c0c:38; 1 waiting"
    )
    assert str(Lock("free", "latch")) == '"free" (latch) is not held'
    assert str(Waiter("5c0c:37", None, since, timedelta(seconds=2.31), Client(4, "127.0.0.1:60290"))) == (
        "5c0c:37 since 12:00:03.120 (for 2.310 s), by connection 4 (127.0.0.1:60290)"
    )
    strange = Lock("lock\n\x1b\udcff", "lock", holders=(Holder('"ü', 1, None),))
    assert str(strange) == r'"lock\n\x1b\xff" (lock) is held by "\"\xc3\xbc"'
    assert str(Wait("a b", "\t", "\x7f")) == r'"a b" holds "\t" and waits for "\x7f"'
    event = Event("lapsed", since, "order:42", "lock", "5c0c:37", 0, timedelta(0), client=Client(4, "a:1"), lost=True)
    assert str(event) == '12:00:03.120 lapsed "order:42" by 5c0c:37, holds 0, connection 4 (a:1), lost'
