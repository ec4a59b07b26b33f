"""What the user has chosen for the fixtures: by options, ini options, the fixture minilockd_options and the marker."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .server import Server

if TYPE_CHECKING:
    import pytest

    from .options import Options

#: How many events of locks, and how many commands, the server of a test keeps.
HISTORY = 1000

_TEXTS = {
    "binary": "the binary to run instead of that of the package",
    "emulate": "the server to stand for, such as 7.0 or valkey-9.1 (8.2)",
    "lock_history": f"how many events of locks the server of a test keeps ({HISTORY})",
    "journal": f"how many commands the server of a test keeps ({HISTORY}), 0 for none",
    "held_locks": "let a test fail that leaves a lock held whose name fits this pattern",
}

_SWITCHES = {
    "fail_on_held_locks": "let a test fail that leaves a lock held",
    "shared": "one server for all tests of a process, reset before each test, instead of one for each test",
}


def add_options(parser: pytest.Parser) -> None:
    """Add ``--minilockd-…`` options, and ``minilockd_…`` ones of the ini file."""
    group = parser.getgroup("minilockd", "minilockd, a Redis server for tests")
    for name, text in _TEXTS.items():
        group.addoption(_option(name), metavar="VALUE", help=text)
        parser.addini(f"minilockd_{name}", text)
    for name, text in _SWITCHES.items():
        group.addoption(_option(name), action="store_const", const=True, help=text)
        parser.addini(f"minilockd_{name}", text, type="bool", default=False)


@dataclass(frozen=True)
class Settings:
    """What holds for one fixture."""

    options: Options
    journal: int
    shared: bool
    held_locks: str | None  # the pattern of the locks that must not be left held

    def start(self) -> Server:
        """Start a server."""
        server = Server(**self.options)
        if self.journal:
            server.journal.on(self.journal)
        return server


def read(config: pytest.Config, options: Options, marker: pytest.Mark | None = None) -> Settings:
    """Return the settings: those of the marker hold before the options, and these before the command line's."""
    chosen: dict[str, Any] = {"lock_history": int(_text(config, "lock_history") or HISTORY)}
    binary = _text(config, "binary")
    if binary:
        chosen["binary"] = _resolved(config, binary)
    if server := _text(config, "emulate"):
        chosen["emulate"] = server
    if marker and marker.args:
        message = f"the marker minilockd takes options by name only, not {marker.args[0]!r}"
        raise TypeError(message)
    marked = dict(marker.kwargs) if marker else {}
    journal = marked.pop("journal", _text(config, "journal") or HISTORY)
    pattern = _text(config, "held_locks")
    fail = marked.pop("fail_on_held_locks", bool(pattern) or _switch(config, "fail_on_held_locks"))
    merged: Any = {**chosen, **options, **marked}
    shared = _switch(config, "shared") and not marked
    return Settings(options=merged, journal=int(journal), shared=shared, held_locks=_pattern(fail, pattern or "*"))


def _pattern(fail: object, default: str) -> str | None:
    if not isinstance(fail, (bool, str)):
        message = f"fail_on_held_locks is true, false, or a pattern, not {fail!r}"
        raise TypeError(message)
    return (default if fail is True else fail) or None


def _option(name: str) -> str:
    return "--minilockd-" + name.replace("_", "-")


def _text(config: pytest.Config, name: str) -> str:
    return str(config.getoption(_option(name)) or config.getini(f"minilockd_{name}") or "")


def _switch(config: pytest.Config, name: str) -> bool:
    return bool(config.getoption(_option(name)) or config.getini(f"minilockd_{name}"))


def _resolved(config: pytest.Config, binary: str) -> str:
    """Return a path that is relative to the folder of the ini file, as one that holds in any folder."""
    return os.fspath(Path(config.rootpath, binary))
