"""Texts of users in messages, quoted as by redis-cli, so that nothing is printed that is no printable ASCII."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._resp import Argument

_LETTERS = {ord("\n"): r"\n", ord("\r"): r"\r", ord("\t"): r"\t", ord("\a"): r"\a", ord("\b"): r"\b"}

_NEEDS_QUOTES = re.compile(r"""[^!-~]|["'\\]""")


def escaped(text: str) -> str:
    """Return a text without quotes, with escapes for what is not printable ASCII."""
    return "".join(map(_printable, text.encode("utf-8", "surrogateescape")))


def quoted(text: str) -> str:
    """Return a text in quotes."""
    return '"' + escaped(text.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def word(text: str) -> str:
    """Return a text, in quotes if it needs them as a word of a line."""
    return quoted(text) if not text or _NEEDS_QUOTES.search(text) else text


def line(arguments: Iterable[Argument]) -> str:
    """Return the arguments of a command as a line."""
    texts = (each.decode("utf-8", "surrogateescape") if isinstance(each, bytes) else str(each) for each in arguments)
    return " ".join(map(word, texts))


def _printable(byte: int) -> str:
    return _LETTERS.get(byte) or (chr(byte) if ord(" ") <= byte <= ord("~") else f"\\x{byte:02x}")
