"""The options of a server."""

from __future__ import annotations

import os
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Union

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: The name of a file.
File = Union[str, "os.PathLike[str]"]

#: A value of a setting; a sequence is several values.
ConfigValue = Union[str, float, bool, "Sequence[str | float]"]


class Options(TypedDict, total=False):
    """The options of start, start_async and the pytest marker. None of them is required; None is as if not given."""

    #: The port to listen on; 0, the default, is a free one.
    port: int | None
    #: The server to stand for: a version of Redis, "7.0" to "8.4", or "valkey-8.1" or "valkey-9.1"; "8.2" if not given.
    emulate: str | None
    #: Whether the server listens for TLS as well, on a free port, with certificates that it makes itself.
    tls: bool | None
    #: The password of the default user; without it, that of requirepass in config.
    password: str | None
    #: The number of databases, 16 if not given.
    databases: int | None
    #: How many events of locks are kept, for Locks.history; without it, none until Locks.track.
    lock_history: int | None
    #: A file of fault rules, one on each line.
    faults: File | None
    #: Files to fill the server from before it accepts connections: commands, one a line, or RDB files.
    load: File | Sequence[File] | None
    #: Settings of redis.conf by name: ``{"maxmemory": "100mb", "appendonly": False, "bind": ["127.0.0.1", "::1"]}``.
    config: Mapping[str, ConfigValue] | None
    #: Further arguments of the binary.
    args: Sequence[str] | None
    #: The binary; without it that of the environment variable MINILOCKD_BINARY, or that of this package.
    binary: File | None
    #: How many seconds the server may take to start, 30 if not given.
    timeout: float | None


#: How many seconds a server may take to start.
TIMEOUT = 30.0

_HOST = "127.0.0.1"


def arguments(options: Options) -> list[str]:
    """Return the arguments of the binary."""
    unknown = options.keys() - Options.__annotations__.keys()
    if unknown:
        message = f"unknown options: {', '.join(sorted(unknown))}"
        raise TypeError(message)
    words = ["--addr", f"{_HOST}:{options.get('port') or 0}", "--ready-json", "--exit-with-stdin"]
    if options.get("tls"):
        # The server makes the folder, and removes it when it ends.
        folder = Path(tempfile.gettempdir(), f"minilockd-tls-{uuid.uuid4().hex}")
        words += ["--tls-addr", f"{_HOST}:0", "--tls-out", str(folder)]
    for name, value in _flags(options):
        words += [f"--{name}", *_words(value)]
    return [*words, *_args(options)]


def timeout(options: Options) -> float:
    """Return how many seconds the server may take to start."""
    chosen = options.get("timeout")
    return TIMEOUT if chosen is None else chosen


def password(options: Options) -> str | None:
    """Return the password of the default user: that of the options, or of the setting requirepass."""
    settings = {name.lower(): value for name, value in (options.get("config") or {}).items()}
    chosen, configured = options.get("password"), settings.get("requirepass")
    if chosen is not None and configured is not None and chosen != str(configured):
        message = "password and requirepass of config are not the same"
        raise ValueError(message)
    return chosen if configured is None else str(configured)


def _flags(options: Options) -> list[tuple[str, File | ConfigValue]]:
    """Return the options of the binary with their values."""
    load = options.get("load") or ()
    flags = {
        "emulate": options.get("emulate"),
        "requirepass": options.get("password"),
        "databases": options.get("databases"),
        "lock-history": options.get("lock_history"),
        "faults": options.get("faults"),
    }
    return [
        *((name, value) for name, value in flags.items() if value is not None),
        *(("load", file) for file in ([load] if isinstance(load, (str, os.PathLike)) else load)),
        *(options.get("config") or {}).items(),
    ]


def _words(value: File | ConfigValue) -> list[str]:
    """Return the words of a value, as in redis.conf."""
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, (str, int, float, os.PathLike)):
        return [os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return [word for member in value for word in _words(member)]


def _args(options: Options) -> Sequence[str]:
    args = options.get("args") or ()
    if isinstance(args, str):
        message = f"args is a list of words, not {args!r}"
        raise TypeError(message)
    return args
