"""The standard error of a server, for messages."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import IO

#: How many lines are in a message.
KEPT_LINES = 50

#: How many bytes at the end of the log these lines are taken from.
_KEPT_BYTES = 64 << 10


class Log:
    """A file without a name that a server writes its standard error to, so that nothing is left of it.

    Unlike a pipe it needs no thread that reads it, and threads are a danger for processes that fork.
    """

    def __init__(self) -> None:
        """Make the file: in memory on Linux, elsewhere in the folder of temporary files."""
        self.file = _anonymous_file()

    def last_lines(self) -> str:
        """Return the last lines, each after a line break and indented, of a server that has ended.

        The position in the file is that of the server, too.
        """
        if self.file.closed:
            return ""
        self.file.seek(max(0, os.fstat(self.file.fileno()).st_size - _KEPT_BYTES))
        lines = self.file.read().decode("utf-8", "replace").splitlines()
        return "".join(f"\n  {line}" for line in lines[-KEPT_LINES:])


def _anonymous_file() -> IO[bytes]:
    if sys.platform == "linux" and hasattr(os, "memfd_create"):  # some builds of Python lack it
        return os.fdopen(os.memfd_create("minilockd-log"), "r+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)
