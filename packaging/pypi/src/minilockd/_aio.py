"""The same for asyncio. Each method runs that of the synchronous class in a thread, so the event loop goes on.

An await that is cancelled does not stop its command, and the replies of later ones are right all the same.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .clock import Clock
from .faults import Fault, Faults
from .journal import Journal
from .locks import Locks
from .server import Server
from .snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator
    from types import TracebackType

    from typing_extensions import Concatenate, ParamSpec, Self, Unpack

    from .faults import RestartData
    from .options import Options

    P = ParamSpec("P")

T = TypeVar("T")
U = TypeVar("U")
S = TypeVar("S")


def _awaitable(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[_View[S], P], Coroutine[Any, Any, T]]:
    """Return a method to await that does the same as a synchronous one."""

    @functools.wraps(method)
    async def run(self: _View[S], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await _in_thread(method, self._sync, *args, **kwargs)

    return run


def _awaitable_as(
    convert: Callable[[T], U], method: Callable[Concatenate[S, P], T]
) -> Callable[Concatenate[_View[S], P], Coroutine[Any, Any, U]]:
    """Return a method to await that converts what a synchronous one returns."""

    @functools.wraps(method)
    async def run(self: _View[S], /, *args: P.args, **kwargs: P.kwargs) -> U:
        return convert(await _in_thread(method, self._sync, *args, **kwargs))

    return run


async def _in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    import asyncio  # noqa: PLC0415 (it takes longer to import than a server to start)

    return await asyncio.to_thread(function, *args, **kwargs)


class _View(Generic[S]):
    """A view of a synchronous object."""

    def __init__(self, sync: S) -> None:
        """Do the same as a synchronous object."""
        self._sync = sync

    def __repr__(self) -> str:
        """Return the text of the synchronous object."""
        return f"{self._sync!r} for asyncio"


class AsyncClock(_View[Clock]):
    """A Clock with methods to await."""

    now = _awaitable(Clock.now)
    advance = _awaitable(Clock.advance)
    set = _awaitable(Clock.set)
    freeze = _awaitable(Clock.freeze)
    resume = _awaitable(Clock.resume)
    speed = _awaitable(Clock.speed)


class AsyncFault(_View[Fault]):
    """A Fault with methods to await."""

    hits = _awaitable(Fault.hits)
    matches = _awaitable(Fault.matches)
    remove = _awaitable(Fault.remove)

    @property
    def id(self) -> int:
        """The id of the rule."""
        return self._sync.id

    @property
    def rule(self) -> str:
        """The rule as a line of text."""
        return self._sync.rule


class AsyncSnapshot(_View[Snapshot]):
    """A Snapshot with methods to await."""

    restore = _awaitable(Snapshot.restore)

    @property
    def name(self) -> str:
        """The name on the server, for TEST.RESTORE."""
        return self._sync.name


def _sync_of(value: Any) -> Any:
    return value._sync if isinstance(value, AsyncSnapshot) else value  # noqa: SLF001 (of this module)


class AsyncFaults(_View[Faults]):
    """Faults with methods to await."""

    add = _awaitable_as(AsyncFault, Faults.add)
    list = _awaitable(Faults.list)
    clear = _awaitable(Faults.clear)
    partition = _awaitable(Faults.partition)
    heal = _awaitable(Faults.heal)

    async def restart(self, data: RestartData | AsyncSnapshot = "keep") -> None:
        """Do what a restart of the server's process does to its clients; see Faults.restart."""
        await _in_thread(self._sync.restart, _sync_of(data))


class AsyncLocks(_View[Locks]):
    """Locks with methods to await."""

    list = _awaitable(Locks.list)
    held = _awaitable(Locks.held)
    assert_none_held = _awaitable(Locks.assert_none_held)
    get = _awaitable(Locks.get)
    deadlocks = _awaitable(Locks.deadlocks)
    track = _awaitable(Locks.track)
    untrack = _awaitable(Locks.untrack)
    history = _awaitable(Locks.history)


class AsyncJournal(_View[Journal]):
    """A Journal with methods to await."""

    on = _awaitable(Journal.on)
    off = _awaitable(Journal.off)
    clear = _awaitable(Journal.clear)
    entries = _awaitable(Journal.entries)


class AsyncServer(_View[Server]):
    """A Server with methods to await."""

    def __init__(self, sync: Server) -> None:
        """Do the same as a synchronous server; see also Server.aio."""
        super().__init__(sync)
        self.host, self.port, self.address, self.uri = sync.host, sync.port, sync.address, sync.uri
        self.tls_port, self.tls_ca = sync.tls_port, sync.tls_ca
        self.tls_cert, self.tls_key = sync.tls_cert, sync.tls_key
        self.password, self.pid = sync.password, sync.pid
        self.version, self.redis_version = sync.version, sync.redis_version
        self.clock = AsyncClock(sync.clock)
        self.faults = AsyncFaults(sync.faults)
        self.locks = AsyncLocks(sync.locks)
        self.journal = AsyncJournal(sync.journal)

    @property
    def tls_uri(self) -> str:
        """The URL for clients that use TLS; see Server.tls_uri."""
        return self._sync.tls_uri

    execute = _awaitable(Server.execute)
    snapshot = _awaitable_as(AsyncSnapshot, Server.snapshot)
    reset = _awaitable(Server.reset)
    dump = _awaitable(Server.dump)
    check = _awaitable(Server.check)

    async def close(self) -> None:
        """End the server, also while a call waits for a reply, which then fails. It may be called twice.

        In a process that was forked it only closes the connection.
        """
        self._sync._connection.shut()  # noqa: SLF001 (at once: calls that were cancelled may keep all threads busy)
        await _in_thread(self._sync.close)

    async def restore(self, snapshot: Snapshot | AsyncSnapshot) -> None:
        """Put back the state of a snapshot of this server; one of another server is a ValueError."""
        await _in_thread(self._sync.restore, _sync_of(snapshot))

    @property
    def sync(self) -> Server:
        """This server with methods that block."""
        return self._sync

    async def __aenter__(self) -> Self:
        """Return the server."""
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the server."""
        await self.close()


class Starting:
    """A server that is about to start: await it, or use it by ``async with``."""

    def __init__(self, **options: Unpack[Options]) -> None:
        """Keep the options; see minilockd.start_async."""
        self._options = options
        self._server: AsyncServer | None = None

    def __await__(self) -> Generator[Any, None, AsyncServer]:
        """Start the server and return it."""
        return self._start().__await__()

    async def _start(self) -> AsyncServer:
        return AsyncServer(await _in_thread(Server, **self._options))

    async def __aenter__(self) -> AsyncServer:
        """Start the server and return it."""
        self._server = await self._start()
        return self._server

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the server."""
        if self._server is not None:
            await self._server.close()
