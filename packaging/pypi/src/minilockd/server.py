"""A server and its life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from . import _binary, _refused, _start
from ._process import Process
from .clock import Clock
from .faults import Faults
from .journal import Journal
from .locks import Locks
from .options import arguments, password, timeout
from .snapshot import Snapshot, snapshot_of

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from ._aio import AsyncServer
    from ._resp import Argument
    from .options import Options


class Server:
    """A running server. It ends when it is closed, and with this process, however that ends.

    All methods may be called by several threads, and in an event loop: their calls are short. They use a connection of
    their own, so clients, faults, partitions and CLIENT PAUSE do not hinder them, nor the commands of execute. The
    commands are sent one after the other: a call waits until those of other threads are answered, for 30 s at most.

    An error reply raises ResponseError. If the server has ended, ConnectionLostError says how; after close a call
    raises ServerClosedError.
    """

    def __init__(self, **options: Unpack[Options]) -> None:
        """Start a server; see minilockd.start."""
        words = arguments(options)
        self._process = Process(_binary.find(options.get("binary")), words, timeout(options))
        ready = self._process.ready
        #: Where the server listens.
        self.host: str = ready["addr"].rpartition(":")[0].strip("[]")
        #: The port on which the server listens.
        self.port: int = ready["port"]
        #: The password of the default user, if there is one.
        self.password = password(options)
        #: The id of the server's process.
        self.pid: int = ready["pid"]
        #: The version of minilockd.
        self.version: str = ready["version"]
        #: The version of Redis that the server is like.
        self.redis_version: str = ready["redis_version"]
        #: The port for TLS; None without the option tls.
        self.tls_port: int | None = ready.get("tls_port")
        #: The file with the certificate of the authority that clients are to trust.
        self.tls_ca: str | None = ready.get("tls_ca")
        #: The file with a certificate for clients, which need it if ``tls-auth-clients`` is set.
        self.tls_cert: str | None = ready.get("tls_cert")
        #: The file with the key of that certificate.
        self.tls_key: str | None = ready.get("tls_key")
        self._connection = _start.connect(
            self._process, (self.host, self.port), self.password, faults="--faults" in words
        )
        #: The clock of the server.
        self.clock = Clock(self._connection)
        #: Lets calls, messages and connections go wrong.
        self.faults = Faults(self._connection)
        #: The locks that clients hold.
        self.locks = Locks(self._connection)
        #: The commands that clients have sent.
        self.journal = Journal(self._connection)

    @property
    def address(self) -> str:
        """Where the server listens, ``host:port``."""
        return _address(self.host, self.port)

    @property
    def uri(self) -> str:
        """The URL for client libraries, ``redis://[:password@]host:port``."""
        return f"redis://{self._login}{self.address}"

    @property
    def tls_uri(self) -> str:
        """The URL for clients that use TLS, ``rediss://[:password@]host:port``; they are to trust ``tls_ca``."""
        if self.tls_port is None:
            message = "the server was started without the option tls"
            raise ValueError(message)
        return f"rediss://{self._login}{_address(self.host, self.tls_port)}"

    @property
    def _login(self) -> str:
        return f":{quote(self.password, safe='')}@" if self.password else ""

    @property
    def aio(self) -> AsyncServer:
        """This server with methods to await."""
        from ._aio import AsyncServer  # noqa: PLC0415 (it imports this module)

        return AsyncServer(self)

    def execute(self, *command: Argument, database: int = 0) -> Any:
        """Send a command and return its reply.

        Args:
            command: its name and arguments. Commands that change the connection itself, such as SUBSCRIBE, MONITOR,
                SELECT and MULTI, are a ValueError.
            database: the number of the database.

        Returns:
            The reply: str (bytes that are not UTF-8 are decoded by "surrogateescape"), int, float, bool, None, list or
            dict; error replies within a list are ResponseError objects.
        """
        _refused.check(command)
        return self._connection.calls(command, database=database)[0]

    def snapshot(self) -> Snapshot:
        """Save the state of the server: keys, clock, parameters, ACL users, scripts and fault rules."""
        return Snapshot(self._connection)

    def restore(self, snapshot: Snapshot) -> None:
        """Put back the state of a snapshot of this server; one of another server is a ValueError."""
        snapshot_of(snapshot, self._connection).restore()

    def reset(self, *, clients: bool = False) -> None:
        """Return to the state of a server that has just started with these options, without faults and load.

        Args:
            clients: close all other connections, too.
        """
        self._connection.call("TEST.RESET", *(("CLIENTS",) if clients else ()))

    def dump(self) -> str:
        """Return all keys as text, sorted by name."""
        return str(self._connection.call("TEST.DUMP"))

    def check(self) -> None:
        """Look for inconsistencies in the server; one is a bug of minilockd, and raises ResponseError."""
        self._connection.call("TEST.CHECK")

    def close(self) -> None:
        """End the server, also while a call waits for a reply, which then fails. It may be called twice.

        In a process that was forked it only closes the connection.
        """
        self._connection.shut()
        self._process.close()  # before the connection waits for its calls: the end of the server ends these as well
        self._connection.close()

    def __enter__(self) -> Self:
        """Return the server."""
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the server."""
        self.close()

    def __repr__(self) -> str:
        """Return where the server listens."""
        return f"<minilockd.Server {self.address} pid={self.pid}>"


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
