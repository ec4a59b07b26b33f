"""The locks that clients hold on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _lock_replies
from ._times import time_of
from .lock import Event, Lock, Wait

if TYPE_CHECKING:
    from ._connection import Connection

# In class Locks the name list is taken.
_Locks = list[Lock]
_Events = list[Event]
_Deadlocks = list[tuple[Wait, ...]]


class Locks:
    """Who holds which lock on a server, and who waits for it."""

    def __init__(self, connection: Connection) -> None:
        """Read locks by a connection; see Server.locks."""
        self._connection = connection

    def list(self, pattern: str = "*") -> _Locks:
        """Return the locks of all databases whose names fit a pattern, as of KEYS."""
        return self._read("LOCK.LIST", pattern)

    def held(self, pattern: str = "*") -> _Locks:
        """Return those of list that have holders: none should be left at the end of a test."""
        return self._read("LOCK.HELD", pattern)

    def assert_none_held(self, pattern: str = "*") -> None:
        """Raise AssertionError if a lock has holders whose name fits a pattern; its text has them, a line for each."""
        held = self.held(pattern)
        if held:
            raise AssertionError("\n".join((f"locks of {self._connection.server} are held:", *map(str, held))))

    def get(self, name: str, *, database: int = 0) -> Lock | None:
        """Return one lock, or None if there is none of that name."""
        found, now = self._connection.calls(("LOCK.INFO", name), ("CLOCK.NOW",), database=database)
        return None if found is None else _lock_replies.lock(found, time_of(now), database)

    def deadlocks(self) -> _Deadlocks:
        """Return the cycles of owners that wait for each other: for each member what it holds and what it waits for.

        Without track, only those of fair locks are known.
        """
        cycles = self._connection.call("LOCK.DEADLOCKS")
        return [tuple(map(_lock_replies.wait, cycle)) for cycle in cycles]

    def track(self, count: int | None = None) -> None:
        """Turn the history of locks on: who took a lock, when and by which connection, and history.

        Args:
            count: how many events are kept, 10,000 if not given. With a number the history begins anew.
        """
        room = () if count is None else ("COUNT", count)
        self._connection.call("LOCK.TRACK", "ON", *room)

    def untrack(self) -> None:
        """Turn the history of locks off."""
        self._connection.call("LOCK.TRACK", "OFF")

    def history(self, name: str, count: int | None = None, *, database: int = 0) -> _Events:
        """Return what has happened to a lock, the oldest event first. Without track it is an error.

        Args:
            name: the name of the lock.
            count: no more than so many events, the last ones.
            database: the number of the lock's database.
        """
        room = () if count is None else ("COUNT", count)
        events = self._connection.calls(("LOCK.HISTORY", name, *room), database=database)[0]
        return [_lock_replies.event(fields, name) for fields in events]

    def _read(self, command: str, pattern: str) -> _Locks:
        found, now = self._connection.calls((command, pattern, "ALLDBS"), ("CLOCK.NOW",))
        return [_lock_replies.lock(fields, time_of(now)) for fields in found]
