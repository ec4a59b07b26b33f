"""Runs the binary: ``python -m minilockd``, and the script ``minilockd``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from . import _binary
from .errors import BinaryNotFoundError


def main() -> int:
    """Run the binary with the arguments of this program, and return its exit status."""
    try:
        binary = _binary.find()
    except BinaryNotFoundError as error:
        return _fail(str(error))
    try:
        return _run([binary.path, *sys.argv[1:]])
    except OSError as error:
        return _fail(f"{binary} cannot be run: {error}")


def _run(command: list[str]) -> int:
    if sys.platform != "win32":
        os.execv(command[0], command)  # noqa: S606 (no shell is wanted)
    # What Windows calls exec returns to the shell at once. Ctrl-C reaches the binary as well, and ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command)


def _fail(message: str) -> int:
    print(f"minilockd: {message}", file=sys.stderr)  # noqa: T201 (a message of the program)
    return 1


if __name__ == "__main__":
    sys.exit(main())
