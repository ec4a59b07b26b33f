"""RESP, the protocol of Redis: all types of versions 2 and 3.

Texts are decoded as UTF-8, and bytes that are not UTF-8 as by the error handler "surrogateescape", so that
``reply.encode("utf-8", "surrogateescape")`` has the bytes that the server has sent. Sets become lists, since their
members need not be hashable; attributes are skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from .errors import ResponseError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

#: What an argument of a command can be.
Argument = Union[str, bytes, int, float]


class Push(list[Any]):
    """A message that is no reply: it comes whenever the server sends it."""


def encode(arguments: tuple[Argument, ...]) -> bytes:
    """Return a command as an array of bulk strings."""
    parts = [b"*%d\r\n" % len(arguments)]
    for argument in arguments:
        data = to_bytes(argument)
        parts.append(b"$%d\r\n%b\r\n" % (len(data), data))
    return b"".join(parts)


def to_bytes(argument: Argument) -> bytes:
    """Return what is sent for an argument."""
    if isinstance(argument, bytes):
        return argument
    if isinstance(argument, bool) or not isinstance(argument, (str, int, float)):
        message = f"an argument is str, bytes, int or float, not {type(argument).__name__}"
        raise TypeError(message)
    return str(argument).encode("utf-8", "surrogateescape")


def read(stream: BinaryIO) -> Any:
    """Read one value. An error reply is returned, as a ResponseError; the end of the stream raises EOFError."""
    line = stream.readline()
    if not line.endswith(b"\r\n"):
        raise EOFError
    kind, rest = line[:1], line[1:-2]
    if kind == b"|":
        _pairs(stream, rest)
        return read(stream)
    reader = _READERS.get(kind)
    if reader is None:
        message = f"the server has sent {line!r}, which is not RESP"
        raise ResponseError(message)
    return reader(stream, rest)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _error(data: bytes) -> ResponseError:
    """Return an error, whose text can be printed."""
    return ResponseError(data.decode("utf-8", "backslashreplace"))


def _bulk(stream: BinaryIO, rest: bytes) -> str | None:
    data = _bytes(stream, rest)
    return None if data is None else _text(data)


def _bytes(stream: BinaryIO, rest: bytes) -> bytes | None:
    size = int(rest)
    if size < 0:
        return None
    data = stream.read(size + 2)
    if len(data) < size + 2:
        raise EOFError
    return data[:-2]


def _verbatim(stream: BinaryIO, rest: bytes) -> str | None:
    text = _bulk(stream, rest)
    return text and text[len("txt:") :]


def _blob_error(stream: BinaryIO, rest: bytes) -> ResponseError:
    return _error(_bytes(stream, rest) or b"")


def _array(stream: BinaryIO, rest: bytes) -> list[Any] | None:
    size = int(rest)
    return None if size < 0 else [read(stream) for _ in range(size)]


def _push(stream: BinaryIO, rest: bytes) -> Push:
    return Push(_array(stream, rest) or [])


def _pairs(stream: BinaryIO, rest: bytes) -> dict[Any, Any]:
    return {_hashable(read(stream)): read(stream) for _ in range(int(rest))}


def _hashable(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_hashable(member) for member in value)
    if isinstance(value, dict):
        return tuple((name, _hashable(member)) for name, member in value.items())
    return value


_READERS: dict[bytes, Callable[[BinaryIO, bytes], Any]] = {
    b"+": lambda _, rest: _text(rest),
    b"-": lambda _, rest: _error(rest),
    b":": lambda _, rest: int(rest),
    b"(": lambda _, rest: int(rest),
    b",": lambda _, rest: float(rest),
    b"#": lambda _, rest: rest == b"t",
    b"_": lambda _stream, _rest: None,
    b"$": _bulk,
    b"=": _verbatim,
    b"!": _blob_error,
    b"*": _array,
    b"~": _array,
    b">": _push,
    b"%": _pairs,
}
