"""What the report of a failed test tells about its servers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ._connection import NAME as CONTROL
from .errors import MinilockdError

if TYPE_CHECKING:
    from .journal import Entry
    from .lock import Lock
    from .server import Server

#: How many characters of an argument are in the report.
WIDTH = 80

#: How many commands of the journal are in the report.
COMMANDS = 50

_ARGUMENT = re.compile(r'"(?:\\.|[^"\\])*"|\S+')

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
    name = f"minilockd on {server.address}"
    try:
        locks = [line for lock in server.locks.list() for line in _lines(lock)]
        commands = _commands(server.journal.entries())
    except MinilockdError as error:
        return [(name, str(error))]
    return [
        (f"locks of {name}", "\n".join(locks) or "none"),
        (f"last {COMMANDS} commands of {name}", "\n".join(commands) or "none"),
    ]


def _commands(entries: list[Entry]) -> list[str]:
    """Return the last commands of the tests' clients; that they are alive need not be told."""
    control = {entry.client for entry in entries if entry.name == CONTROL}
    sent = [entry for entry in entries if entry.client not in control and entry.command.upper() != "PING"]
    return [str(replace(entry, command=_clipped(entry.command))) for entry in sent[-COMMANDS:]]


def _lines(lock: Lock) -> list[str]:
    return [str(lock), *(f"  waiting: {waiter}" for waiter in lock.waiters)]


def _clipped(command: str) -> str:
    """Return a command with short arguments."""
    return _ARGUMENT.sub(lambda found: _short(found[0]), command)


def _short(argument: str) -> str:
    return argument if len(argument) <= WIDTH else argument[:WIDTH] + "…"
