"""The errors of this package. All of them are a MinilockdError."""

from __future__ import annotations


class MinilockdError(Exception):
    """The base of all errors of this package."""


class StartError(MinilockdError):
    """A server could not be started. The text has the last lines that it wrote to its standard error."""


class BinaryNotFoundError(StartError):
    """There is no binary for this platform. The text names this platform, and those that have one."""


class ServerClosedError(MinilockdError):
    """The server was closed by its method close."""


class ConnectionLostError(MinilockdError, ConnectionError):
    """The server has ended, or has closed the control connection. The text says which, with the server's last lines."""


class ResponseError(MinilockdError):
    """The server has replied with an error; its text is that of the reply."""

    @property
    def code(self) -> str:
        """The first word of the text, such as ``"ERR"`` or ``"WRONGTYPE"``."""
        return str(self).partition(" ")[0]
