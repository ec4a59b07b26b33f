"""The clock of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _times

if TYPE_CHECKING:
    from datetime import datetime

    from ._connection import Connection
    from ._times import Duration, Time


class Clock:
    """The clock of a server, which keys, leases and timeouts follow.

    It shows real time until it is moved. Each method returns the time that it shows then, in UTC; the server's
    unit is the millisecond.
    """

    def __init__(self, connection: Connection) -> None:
        """Control the clock by a connection; see Server.clock."""
        self._connection = connection

    def now(self) -> datetime:
        """Return what the clock shows."""
        return self._call("CLOCK.NOW")

    def advance(self, duration: Duration) -> datetime:
        """Move the clock forward by seconds or a timedelta, and return when all that was due then has happened."""
        return self._call("CLOCK.ADVANCE", _times.milliseconds(duration))

    def set(self, time: Time) -> datetime:
        """Move the clock to a time: forward as advance does, or back at once.

        Args:
            time: a datetime, which is local time if it has no time zone, or seconds since 1970.
        """
        return self._call("CLOCK.SET", _times.unix_milliseconds(time))

    def freeze(self) -> datetime:
        """Stop the clock; advance and set still move it."""
        return self._call("CLOCK.FREEZE")

    def resume(self) -> datetime:
        """Let the clock run on from what it shows."""
        return self._call("CLOCK.RESUME")

    def speed(self, factor: float) -> datetime:
        """Let the clock run faster or slower than real time: 1 is as fast, 10,000 the most."""
        return self._call("CLOCK.SPEED", _times.number(factor, "a factor is a number"))

    def _call(self, *arguments: str | float) -> datetime:
        return _times.time_of(self._connection.call(*arguments))
