"""The process of a server."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import weakref
from typing import IO, TYPE_CHECKING, Any

from ._log import Log
from .errors import StartError

if TYPE_CHECKING:
    from ._binary import Binary

#: How many seconds a server has to end by itself before it is killed.
PATIENCE = 5.0

#: How many seconds after its connection a server that ends may still run.
END_DELAY = 1.0

_processes: weakref.WeakSet[Process] = weakref.WeakSet()


class Process:
    """A running binary that ends when its standard input ends, which this object holds open."""

    def __init__(self, binary: Binary, arguments: list[str], timeout: float) -> None:
        """Start a program and wait until it prints what it listens on.

        Args:
            binary: the program.
            arguments: its arguments.
            timeout: after how many seconds without that line the program is killed.

        Raises:
            StartError: the program cannot be run, ends, or does not listen in time.
        """
        self._log = Log()
        self._binary = binary
        self._process = _spawn(binary, arguments, self._log.file)
        _processes.add(self)
        self.ready = self._await_ready(timeout)

    def close(self) -> None:
        """End the process, by the end of its standard input or, if that does not help, by force."""
        self._close_input()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._close_files()

    def describe_end(self, still_runs: str) -> str:
        """Wait for the process, whose connections have just ended, and say how it has ended.

        Args:
            still_runs: what to return if it has not.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_DELAY)
        status = self._process.returncode
        if status is None:
            return still_runs
        return f"the server has ended with exit status {status}{self._log.last_lines()}"

    def forget(self) -> None:
        """Close the copy of the standard input in a process that was forked, so that it does not keep the server."""
        self._process.returncode = 0  # it is no child of the forked process, which must neither wait for it nor warn
        self._close_input()

    def _close_input(self) -> None:
        if self._process.stdin:
            with contextlib.suppress(OSError):  # the server has ended
                self._process.stdin.close()

    def _close_files(self) -> None:
        if self._process.stdout:
            self._process.stdout.close()
        self._log.file.close()

    def _await_ready(self, timeout: float) -> dict[str, Any]:
        line = _first_line(self._process.stdout, timeout)
        if line is None:
            self._process.kill()
            raise StartError(self._closed(f"{self._binary} was not ready within {timeout} s"))
        try:
            return dict(json.loads(line))
        except ValueError:
            text = line.decode("utf-8", "replace").rstrip()
            message = f"it has printed {text!r}" if text else "it has ended"
            raise StartError(self._closed(f"{self._binary} does not start: {message}")) from None

    def _closed(self, problem: str) -> str:
        """End the process, and return a problem with its exit status and its last lines."""
        self._close_input()
        self._process.wait()
        message = f"{problem}; exit status {self._process.returncode}{self._log.last_lines()}"
        self._close_files()
        return message


def _spawn(binary: Binary, arguments: list[str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a program, out of reach of a terminal's Ctrl-C, so that tests can still ask the server when they end."""
    new_group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    try:
        return subprocess.Popen(
            [binary.path, *arguments],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=sys.platform != "win32",
            creationflags=new_group,
        )
    except OSError as error:
        log.close()
        message = f"{binary} cannot be run: {error}"
        raise StartError(message) from error


def _first_line(stream: IO[bytes] | None, timeout: float) -> bytes | None:
    """Return the first line of a stream, empty at its end, or None if it takes too long."""
    lines: list[bytes] = []
    if stream:
        # A thread, since Windows cannot wait for a pipe in another way.
        reader = threading.Thread(target=lambda: lines.append(stream.readline()), name="minilockd-start", daemon=True)
        reader.start()
        reader.join(timeout)
    return lines[0] if lines else None


def _forget_all() -> None:
    for process in list(_processes):
        process.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
