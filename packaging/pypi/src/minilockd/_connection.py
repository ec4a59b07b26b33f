"""The control connection: the commands of this package, apart from those of the tests' clients."""

from __future__ import annotations

import contextlib
import io
import os
import select
import socket
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from . import _quoting, _resp
from .errors import ConnectionLostError, MinilockdError, ResponseError, ServerClosedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._resp import Argument

#: The name of the connection, as in CLIENT LIST.
NAME = "minilockd-control"

#: How many seconds a server may take to accept a connection, and to answer what that begins with.
CONNECT_TIMEOUT = 30.0

#: How many seconds a call waits for the reply to one of another thread, which may have sent a command that blocks.
PATIENCE = 30.0

#: How many characters of a command are in a message.
_WIDTH = 80

#: What an error begins with after which the server closes the connection.
_PROTOCOL_ERROR = "ERR Protocol error"

_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


class _Source(io.RawIOBase):
    """The bytes that come from a socket, until a deadline as long as there is one."""

    def __init__(self, source: socket.socket, seconds: float) -> None:
        """Read from a socket for some seconds."""
        self._socket = source
        self.deadline: float | None = time.monotonic() + seconds

    def readable(self) -> bool:
        """Return that it can be read from."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what has come."""
        if self.deadline is not None:
            self._socket.settimeout(max(0.001, self.deadline - time.monotonic()))
        return self._socket.recv_into(buffer)


class _Link(NamedTuple):
    """A socket, and the stream that reads from it."""

    socket: socket.socket
    source: _Source
    stream: BinaryIO

    def close(self) -> None:
        """Close both."""
        with contextlib.suppress(OSError):
            self.stream.close()
            self.socket.close()


class Connection:
    """A connection that sends one command after the other, for any number of threads.

    It is opened anew if it was closed while it was idle, as by CLIENT KILL, and in a process that was forked.
    """

    def __init__(
        self,
        address: tuple[str, int],
        password: str | None,
        describe_end: Callable[[str], str],
        timeout: float = CONNECT_TIMEOUT,
    ) -> None:
        """Connect to a server.

        Args:
            address: host and port.
            password: that of the default user, or None.
            describe_end: says how the server has ended, or returns its argument if the server runs.
            timeout: how many seconds it may take now.

        Raises:
            OSError, EOFError, ValueError, ResponseError: it does not answer, or not well.
        """
        self._address = address
        self._password = password
        self._describe_end = describe_end
        self._lock = threading.Lock()  # guards _link and _pending, and the order of replies
        self._pending: tuple[Argument, ...] = ()  # the command whose reply is awaited
        self._closed = False
        self._link: _Link | None = self._connected(timeout)
        _connections.add(self)

    def call(self, *arguments: Argument) -> Any:
        """Send a command and return its reply."""
        return self.calls(arguments)[0]

    def calls(self, *commands: tuple[Argument, ...], database: int = 0, patience: float | None = None) -> list[Any]:
        """Send commands without others in between and return their replies; raise the first that is an error.

        The connection is in database 0 before and after them. Patience is how many seconds to wait for other calls.
        """
        with self._alone(patience):
            if not database:
                return self._exchange(commands)
            self._exchange((("SELECT", database),))
            return self._exchange((*commands, ("SELECT", 0)))[:-1]

    def call_line(self, line: str) -> Any:
        """Send a command as a line of text with quotes, as typed in redis-cli, and return its reply."""
        if "\n" in line or "\r" in line:
            message = f"a line has no line breaks: {line!r}"
            raise ValueError(message)
        with self._alone():
            self._pending = tuple(line.split())
            return self._receive(_resp.to_bytes(line) + b"\r\n", 1)[0]

    @property
    def server(self) -> str:
        """The server, for messages."""
        host, port = self._address
        return f"minilockd on [{host}]:{port}" if ":" in host else f"minilockd on {host}:{port}"

    def shut(self) -> None:
        """Let all calls fail from now on, without waiting for any. The thread of one that is pending gets an error.

        A call that is just connecting ends with the server or, if that lives on, after CONNECT_TIMEOUT.
        """
        self._closed = True
        if link := self._link:
            with contextlib.suppress(OSError):
                link.socket.shutdown(socket.SHUT_RDWR)  # that thread gets the end of the stream, and frees the lock

    def close(self) -> None:
        """Close the connection, also while a thread waits for a reply. It may be called twice."""
        self.shut()
        with self._lock:
            self._drop()

    @contextlib.contextmanager
    def _alone(self, patience: float | None = None) -> Iterator[None]:
        lock = self._lock
        if not lock.acquire(timeout=PATIENCE if patience is None else patience):
            command = _quoting.line(self._pending)[:_WIDTH]
            message = f"the connection that controls the server still waits for the reply to {command}"
            raise MinilockdError(message)
        try:
            yield
        finally:
            lock.release()

    def forget(self) -> None:
        """Give a forked process a connection of its own, at its next command. No other thread runs in it."""
        self._lock = threading.Lock()
        self._drop()

    def _exchange(self, commands: tuple[tuple[Argument, ...], ...]) -> list[Any]:
        request = b"".join(map(_resp.encode, commands))
        self._pending = commands[0]
        return self._receive(request, len(commands))

    def _receive(self, request: bytes, count: int) -> list[Any]:
        """Send a request and return the replies, or raise the first that is an error. The lock is held."""
        if self._closed:
            raise _closed()
        try:
            replies = self._send(request, count)
        except (OSError, EOFError) as error:
            self._drop()
            closed = "the server has closed the connection"
            raise self._lost(closed, error) from error
        except BaseException:  # such as Ctrl-C: what comes next would be the reply to this command
            self._drop()
            raise
        for reply in replies:
            if isinstance(reply, ResponseError):
                if str(reply).startswith(_PROTOCOL_ERROR):
                    self._drop()
                raise reply
        return replies

    def _send(self, request: bytes, count: int) -> list[Any]:
        if self._link is None or _has_ended(self._link.socket):
            self._drop()
            self._link = self._open()
        if self._closed:  # since then, by another thread, which may have missed this link
            raise EOFError
        self._link.socket.sendall(request)
        return [_reply(self._link.stream) for _ in range(count)]

    def _lost(self, still_runs: str, error: Exception) -> MinilockdError:
        """Return the error for a connection that has ended."""
        if self._closed:
            return _closed()
        return error if isinstance(error, ConnectionLostError) else ConnectionLostError(self._describe_end(still_runs))

    def _open(self) -> _Link:
        try:
            return self._connected(CONNECT_TIMEOUT)
        except (OSError, EOFError) as error:
            refused = "the server has refused the connection that controls it; a fault CONNECT … THEN REFUSE does that"
            raise self._lost(refused, error) from error

    def _connected(self, timeout: float) -> _Link:
        end = time.monotonic() + timeout
        opened = socket.create_connection(self._address, timeout=timeout)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        source = _Source(opened, end - time.monotonic())
        link = _Link(opened, source, io.BufferedReader(source))
        try:
            self._greet(link)
        except BaseException:
            link.close()
            raise
        source.deadline = None
        opened.settimeout(None)  # a command may take long, such as CLOCK.ADVANCE over many timers
        return link

    def _greet(self, link: _Link) -> None:
        """Send what a connection begins with. First of all, no fault may concern what comes next."""
        login = ("AUTH", "default", self._password) if self._password else ()
        link.socket.sendall(_resp.encode(("FAULT.EXEMPT",)) + _resp.encode(("HELLO", 3, *login, "SETNAME", NAME)))
        for reply in (_reply(link.stream), _reply(link.stream)):
            if isinstance(reply, ResponseError):
                raise reply

    def _drop(self) -> None:
        if self._link:
            self._link.close()
            self._link = None


def _closed() -> ServerClosedError:
    return ServerClosedError("the server was closed by close()")


def _reply(stream: BinaryIO) -> Any:
    """Read values until one is a reply."""
    while isinstance(value := _resp.read(stream), _resp.Push):
        pass
    return value


def _has_ended(idle: socket.socket) -> bool:
    """Whether the other side has closed a connection on which no reply is awaited."""
    if not _readable(idle):
        return False
    try:
        return not idle.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def _readable(idle: socket.socket) -> bool:
    if sys.platform != "win32":
        poll = select.poll()  # select takes no file descriptor above 1023
        poll.register(idle, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([idle], [], [], 0)[0])


def _forget_all() -> None:
    for connection in list(_connections):
        connection.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
