"""A Redis server for tests, whose clock, faults and locks a test controls.

::

    import minilockd

    with minilockd.start() as server:
        client = redis.Redis.from_url(server.uri)
        client.set("lock", "me", nx=True, px=30_000)
        server.clock.advance(30)
        assert client.set("lock", "you", nx=True)  # the lease has lapsed

The documentation is at https://github.com/minilockd/minilockd/blob/main/docs/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import fault
from ._aio import AsyncServer, AsyncSnapshot, Starting
from .errors import (
    BinaryNotFoundError,
    ConnectionLostError,
    MinilockdError,
    ResponseError,
    ServerClosedError,
    StartError,
)
from .lock import Client, Event, Holder, Lock, Wait, Waiter
from .options import Options
from .server import Server
from .snapshot import Snapshot

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "AsyncServer",
    "AsyncSnapshot",
    "BinaryNotFoundError",
    "Client",
    "ConnectionLostError",
    "Event",
    "Holder",
    "Lock",
    "MinilockdError",
    "Options",
    "ResponseError",
    "Server",
    "ServerClosedError",
    "Snapshot",
    "StartError",
    "Wait",
    "Waiter",
    "fault",
    "start",
    "start_async",
]


def start(**options: Unpack[Options]) -> Server:
    """Start a server, and return it when clients can connect to it.

    It is a context manager that ends the server; otherwise call its method close.

    Args:
        options: port, emulate, password, databases, lock_history, faults, load, config, args, binary and timeout; see
            Options.

    Raises:
        StartError: it does not start; the text says why.
    """
    return Server(**options)


def start_async(**options: Unpack[Options]) -> Starting:
    """Start a server for asyncio: use what this returns by ``async with``, or await it.

    The options are those of start. The methods of the server are those of Server, to be awaited.
    """
    return Starting(**options)
