"""What can be wrong when a server has just started: its ready line, and the first connection to it."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, TypedDict, cast

from ._connection import Connection
from .errors import MinilockdError, StartError

if TYPE_CHECKING:
    from ._process import Process

#: The highest number of a port.
_LAST_PORT = 0xFFFF

_FAULTS = "; a rule of the file of the option faults may concern that connection, which is the server's first"


class _TLS(TypedDict, total=False):
    """What a server prints that listens for TLS."""

    tls_port: int
    tls_ca: str
    tls_cert: str
    tls_key: str


class Ready(_TLS):
    """What a server prints when it listens."""

    addr: str
    port: int
    pid: int
    version: str
    redis_version: str


def parse(line: bytes) -> Ready:
    """Return what a server has printed; another text is a ValueError."""
    fields = json.loads(line)
    texts, numbers = ("addr", "version", "redis_version"), ("port", "pid")
    if (
        not isinstance(fields, dict)
        or not all(isinstance(fields.get(name), str) for name in texts)
        or not all(isinstance(fields.get(name), int) for name in numbers)
        or not 0 < fields["port"] <= _LAST_PORT
    ):
        message = "a field is missing"
        raise ValueError(message)
    return cast("Ready", fields)


def connect(process: Process, address: tuple[str, int], password: str | None, *, faults: bool) -> Connection:
    """Return the control connection of a process that is ready; if that fails, end the process.

    Args:
        process: that of the server.
        address: host and port.
        password: that of the default user, or None.
        faults: whether the server has fault rules from the start.
    """
    try:
        return Connection(address, password, process.describe_end, process.seconds_left())
    except (MinilockdError, OSError, EOFError, ValueError) as error:
        problem, may_be_fault = _problem(error, address, process.timeout)
        hint = _FAULTS if faults and may_be_fault else ""
        raise StartError(process.fail(problem + hint, ended=isinstance(error, (EOFError, ConnectionError)))) from error
    except BaseException:
        process.close()
        raise


def _problem(error: Exception, address: tuple[str, int], timeout: float) -> tuple[str, bool]:
    """Return what is wrong, and whether a fault rule can be the cause."""
    if isinstance(error, socket.timeout):
        return f"it has not answered the connection that controls it within {timeout} s", True
    if isinstance(error, ConnectionRefusedError):
        return f"nothing listens on {address[0]}:{address[1]}, as it has told", False
    if isinstance(error, (EOFError, ConnectionError)):
        return "it has closed the connection that controls it", True
    return f"the connection that controls it has failed: {error}", False
