from __future__ import annotations

import io
from typing import Any

import pytest

from minilockd import ResponseError, _resp


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"+OK\r\n", "OK"),
        (b":-42\r\n", -42),
        (b"(123456789012345678901234567890\r\n", 123456789012345678901234567890),
        (b",2.5\r\n", 2.5),
        (b",-inf\r\n", float("-inf")),
        (b"#t\r\n", True),
        (b"#f\r\n", False),
        (b"_\r\n", None),
        (b"$-1\r\n", None),
        (b"*-1\r\n", None),
        (b"$0\r\n\r\n", ""),
        (b"$4\r\na\r\nb\r\n", "a\r\nb"),
        (b"$1\r\n\xff\r\n", "\udcff"),
        (b"=7\r\ntxt:abc\r\n", "abc"),
        (b"*2\r\n:1\r\n*1\r\n+a\r\n", [1, ["a"]]),
        (b"~2\r\n:1\r\n:2\r\n", [1, 2]),
        (b"%2\r\n+a\r\n:1\r\n*1\r\n+b\r\n:2\r\n", {"a": 1, ("b",): 2}),
        (b"%1\r\n%1\r\n+a\r\n*0\r\n:3\r\n", {(("a", ()),): 3}),
        (b"|1\r\n+ttl\r\n:3\r\n+OK\r\n", "OK"),
        (b">2\r\n+message\r\n+a\r\n", ["message", "a"]),
    ],
)
def test_types(text: bytes, value: Any) -> None:
    assert _resp.read(io.BytesIO(text)) == value


@pytest.mark.parametrize("text", [b"-ERR no\r\n", b"!6\r\nERR no\r\n"])
def test_errors_are_returned(text: bytes) -> None:
    error = _resp.read(io.BytesIO(text))
    assert isinstance(error, ResponseError)
    assert (str(error), error.code) == ("ERR no", "ERR")


@pytest.mark.parametrize("text", [b"", b"+OK", b"$4\r\nab", b"*2\r\n:1\r\n"])
def test_end(text: bytes) -> None:
    with pytest.raises(EOFError):
        _resp.read(io.BytesIO(text))


def test_other_protocols() -> None:
    with pytest.raises(ResponseError, match="not RESP"):
        _resp.read(io.BytesIO(b"HTTP/1.1 200 OK\r\n"))


def test_arguments() -> None:
    assert _resp.encode(("SET", "ä", b"\xff", 1, 2.5, "\udcff")) == (
        b"*6\r\n$3\r\nSET\r\n$2\r\n\xc3\xa4\r\n$1\r\n\xff\r\n$1\r\n1\r\n$3\r\n2.5\r\n$1\r\n\xff\r\n"
    )
    for wrong in (None, True, ["a"]):
        with pytest.raises(TypeError, match="an argument is"):
            _resp.encode(("SET", wrong))  # type: ignore[arg-type]
