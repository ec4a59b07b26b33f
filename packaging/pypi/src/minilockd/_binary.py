"""Which binary to run."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import NamedTuple

from .errors import BinaryNotFoundError

#: The platforms that have a package with a binary.
PLATFORMS = ("linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64")

#: The environment variable with the path of a binary to use instead of the package's.
VARIABLE = "MINILOCKD_BINARY"

_PACKAGED = Path(__file__).parent / "bin" / ("minilockd.exe" if sys.platform == "win32" else "minilockd")


class Binary(NamedTuple):
    """A binary, and what has chosen it."""

    path: str
    origin: str

    def __str__(self) -> str:
        """Return both, for messages."""
        return f"{self.path} (from {self.origin})"


def find(binary: str | os.PathLike[str] | None = None) -> Binary:
    """Return the binary: that given, that of the environment variable, or that of the package."""
    if binary:
        return Binary(os.fspath(binary), "the option binary")
    if chosen := os.environ.get(VARIABLE):
        return Binary(chosen, f"the environment variable {VARIABLE}")
    if not _PACKAGED.is_file():
        message = (
            f"this installation of minilockd has no binary for {this_platform()}; "
            f"there are packages for {', '.join(PLATFORMS)}. {VARIABLE} can name a binary instead."
        )
        raise BinaryNotFoundError(message)
    return Binary(str(_PACKAGED), "the package minilockd")


def this_platform() -> str:
    """Return the name of this platform, in the terms of PLATFORMS."""
    machine = platform.machine().lower()
    arch = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
    return f"{platform.system().lower()}-{arch}"
