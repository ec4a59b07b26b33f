"""What the report of a failed test tells about its servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import MinilockdError

if TYPE_CHECKING:
    from .lock import Lock
    from .server import Server

#: How many characters of a command are in the report.
WIDTH = 300

#: How many commands of the journal are in the report.
COMMANDS = 50

Section = tuple[str, str]


class Reporter:
    """Follows the servers of one test."""

    def __init__(self) -> None:
        """Follow none yet."""
        #: Whether the test has failed.
        self.failed = False
        self._servers: list[Server] = []
        self._collected: list[Section] = []

    def watch(self, server: Server) -> None:
        """Report this server if the test fails."""
        if server not in self._servers:
            self._servers.append(server)

    def unwatch(self, server: Server) -> None:
        """Leave this server out from now on: it will be closed, or serve another test."""
        self._servers.remove(server)

    def collect(self) -> None:
        """Ask the servers now, for a report that is made when they are closed."""
        self._collected = [section for server in self._servers for section in _sections(server)]

    def sections(self) -> list[Section]:
        """Return the sections for a report."""
        if not self._collected:
            self.collect()
        sections, self._collected = self._collected, []
        return sections


def _sections(server: Server) -> list[Section]:
    title = f"minilockd at {server.address}"
    try:
        locks = [line for lock in server.locks.list() for line in _lines(lock)]
        commands = [_clipped(str(entry)) for entry in server.journal.entries(COMMANDS)]
    except MinilockdError as error:
        return [(title, str(error))]
    return [
        (f"{title}: locks", "\n".join(locks) or "none"),
        (f"{title}: last {COMMANDS} commands", "\n".join(commands) or "none"),
    ]


def _lines(lock: Lock) -> list[str]:
    return [str(lock), *(f"  waiting: {waiter}" for waiter in lock.waiters)]


def _clipped(line: str) -> str:
    return line if len(line) <= WIDTH else line[:WIDTH] + "..."
