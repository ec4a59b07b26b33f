"""What a server tells about locks. Durations are timedelta; times are in UTC, on the server's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._quoting import escaped, quoted, word
from ._times import clock_text, seconds_text

if TYPE_CHECKING:
    from datetime import datetime, timedelta


@dataclass(frozen=True)
class Client:
    """A connection."""

    #: The id, as in CLIENT LIST.
    id: int
    #: The address, ``host:port``.
    address: str
    #: The name that the client has given itself; empty without one.
    name: str = ""
    #: The client library and its version, if it has told them.
    library: str = ""

    def __str__(self) -> str:
        """Return the connection in a few words."""
        details = ", ".join(filter(None, (self.address, self.name, self.library)))
        return f"connection {self.id} ({escaped(details)})"


@dataclass(frozen=True)
class Holder:
    """One of those who hold a lock."""

    #: The client's id and the thread's, ``uuid:thread``, for locks of Redisson; the id of a permit; or the token.
    owner: str
    #: How many times it holds the lock.
    holds: int
    #: What is left of its lease; None if it has no end; 0 if it has lapsed, though others keep the lock.
    lease: timedelta | None
    #: Since when it holds the lock. Known only with lock history.
    since: datetime | None = None
    #: How long it has held the lock when the server was asked. Known only with lock history.
    age: timedelta | None = None
    #: The connection that took the lock. Known only with lock history.
    client: Client | None = None
    #: Whether it holds the write lock of a read-write lock.
    write: bool = False
    #: The value that it holds, of a lock of the kind "faster-multi".
    value: str = ""

    def __str__(self) -> str:
        """Return the holder in one line."""
        text = word(self.owner)
        if self.holds > 1:
            text += f" {self.holds} times"
        if self.since is not None and self.age is not None:
            text += f" since {clock_text(self.since)} (for {seconds_text(self.age)})"
        if self.client is not None:
            text += f", which took it by {self.client}"
        return text if self.lease is None else f"{text}, {seconds_text(self.lease)} left"


@dataclass(frozen=True)
class Waiter:
    """One of those who wait for a lock."""

    #: As of Holder. Only a fair lock, or lock history, tells it; otherwise it is empty.
    owner: str = ""
    #: When its place in the queue of a fair lock lapses.
    deadline: datetime | None = None
    #: When it tried first. Known only with lock history.
    since: datetime | None = None
    #: How long it has waited when the server was asked. Known only with lock history.
    age: timedelta | None = None
    #: The connection that waits.
    client: Client | None = None

    def __str__(self) -> str:
        """Return the waiter in one line."""
        text = word(self.owner) if self.owner else "unknown owner"
        if self.since is not None and self.age is not None:
            text += f" since {clock_text(self.since)} (for {seconds_text(self.age)})"
        return text if self.client is None else f"{text}, by {self.client}"


@dataclass(frozen=True)
class Lock:
    """The state of a lock when the server was asked."""

    name: str
    #: "lock", "fair", "read-write", "fenced", "faster-multi", "semaphore", "permits", "latch", "rate-limiter", "token".
    kind: str
    #: The number of the database.
    db: int = 0
    #: Those who hold it, sorted by owner. A semaphore, a latch and a rate limiter do not know theirs.
    holders: tuple[Holder, ...] = ()
    #: Those who wait, of a fair lock in the order of its queue.
    waiters: tuple[Waiter, ...] = ()
    #: What is left of the longest lease of the holders; None if it has no end, or if the lock is not held.
    lease: timedelta | None = None
    #: Of a read-write lock: "read" or "write".
    mode: str = ""
    #: The free permits of a semaphore or a rate limiter.
    permits: int | None = None
    #: The count of a latch.
    count: int | None = None
    #: The last token of a fenced lock.
    token: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether the lock has holders. A semaphore, a latch and a rate limiter are never held."""
        return bool(self.holders)

    def __str__(self) -> str:
        """Return the lock in one line: its holders, since when and by which connections."""
        database = f" of database {self.db}" if self.db else ""
        text = f"{quoted(self.name)} ({self.kind}){database}"
        holders = ", and by ".join(map(str, self.holders))
        text += f" is held by {holders}" if holders else " is not held"
        return f"{text}; {len(self.waiters)} waiting" if self.waiters else text


@dataclass(frozen=True)
class Event:
    """A change of one holder of a lock."""

    #: "taken", "re-entered", "renewed", "released", "lapsed" or "forced".
    type: str
    #: When it was, on the server's clock.
    time: datetime
    #: The name of the lock.
    lock: str
    #: The kind of the lock, as far as it was known then.
    kind: str
    #: As of Holder; empty for a semaphore.
    owner: str
    #: How many holds the owner has after it; of a semaphore, how many permits were taken or released.
    holds: int
    #: The lease after it; None if it has no end; 0 if the owner has no hold any more.
    lease: timedelta | None
    #: Of a read-write lock: "read" or "write".
    mode: str = ""
    #: The connection that made the change; of "lapsed", the one that took the lock.
    client: Client | None = None
    #: Whether a lease has lapsed whose client was connected all the same: it may believe that it holds the lock.
    lost: bool = False

    def __str__(self) -> str:
        """Return the event in one line."""
        text = f"{clock_text(self.time)} {self.type} {quoted(self.lock)}"
        text += f" by {word(self.owner)}" if self.owner else ""
        text += f", holds {self.holds}"
        text += f", lease {seconds_text(self.lease)}" if self.lease else ""
        text += f", {self.client}" if self.client else ""
        return f"{text}, lost" if self.lost else text


@dataclass(frozen=True)
class Wait:
    """A member of a cycle of owners that wait for each other."""

    #: The owner that waits.
    owner: str
    #: The name of a lock that it holds, for which the member before waits.
    holds: str
    #: The name of the lock that it waits for.
    waits_for: str
    #: The number of the database of that lock.
    db: int = 0

    def __str__(self) -> str:
        """Return the member in one line."""
        return f"{word(self.owner)} holds {quoted(self.holds)} and waits for {quoted(self.waits_for)}"
