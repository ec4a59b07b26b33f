"""The journal of a server: the commands that clients have sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _times
from ._quoting import escaped

if TYPE_CHECKING:
    from datetime import datetime

    from ._connection import Connection


@dataclass(frozen=True)
class Entry:
    """A command that a client has sent, or that a script has called."""

    #: Numbers the commands in the order in which they began.
    id: int
    #: When it began, on the server's clock.
    time: datetime
    #: The id of the client, as in CLIENT LIST.
    client: int
    #: The name of the client, which may be empty.
    name: str
    #: The address of the client.
    address: str
    #: The number of the database.
    db: int
    #: The command with its arguments, quoted as by redis-cli.
    command: str
    #: Whether a script has called it.
    script: bool
    #: The text of the error that it replied with; empty if it did not.
    error: str

    def __str__(self) -> str:
        """Return the entry in one line."""
        client = f"{self.client} ({self.address}{', ' if self.name else ''}{escaped(self.name)})"
        script = " (script)" if self.script else ""
        error = f" -> {escaped(self.error)}" if self.error else ""
        return f"{_times.clock_text(self.time)} {client}{script}: {self.command}{error}"


class Journal:
    """The last commands that clients have sent. It is off until it is turned on."""

    def __init__(self, connection: Connection) -> None:
        """Control the journal by a connection; see Server.journal."""
        self._connection = connection

    def on(self, count: int | None = None) -> None:
        """Turn the journal on.

        Args:
            count: how many commands it keeps, 1,000 if not given.
        """
        self._connection.call("TEST.JOURNAL", "ON", *_option("COUNT", count))

    def off(self) -> None:
        """Turn the journal off. What it has is kept."""
        self._connection.call("TEST.JOURNAL", "OFF")

    def clear(self) -> None:
        """Remove what the journal has."""
        self._connection.call("TEST.JOURNAL", "CLEAR")

    def entries(self, count: int | None = None, *, client: int | None = None, match: str | None = None) -> list[Entry]:
        """Return the commands that the journal has, the oldest first.

        Args:
            count: no more than so many, the last ones.
            client: only those of the client with this id.
            match: only those whose line fits a pattern, as of KEYS: ``"set lock:*"``.
        """
        filters = (*_option("COUNT", count), *_option("CLIENT", client), *_option("MATCH", match))
        return [_entry(**fields) for fields in self._connection.call("TEST.JOURNAL", *filters)]


def _option(word: str, value: str | int | None) -> tuple[str | int, ...]:
    return () if value is None else (word, value)


def _entry(*, time: int, addr: str, script: int, **fields: Any) -> Entry:
    return Entry(time=_times.time_of(time), address=addr, script=bool(script), **fields)
