"""The process of a server."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
import weakref
from typing import IO, TYPE_CHECKING

from . import _start
from ._log import Log
from .errors import StartError

if TYPE_CHECKING:
    from ._binary import Binary

#: How many seconds a server has to end by itself before it is killed.
PATIENCE = 5.0

#: How many seconds after its connection a server that ends may still run.
END_DELAY = 1.0

#: How many bytes the first line may have.
_LINE = 64 << 10

#: How many characters of a line that is not understood are in a message.
_WIDTH = 500

_processes: weakref.WeakSet[Process] = weakref.WeakSet()


class Process:
    """A running binary that ends when its standard input ends, which this object holds open."""

    def __init__(self, binary: Binary, arguments: list[str], timeout: float) -> None:
        """Start a program and wait until it prints what it listens on.

        Args:
            binary: the program.
            arguments: its arguments.
            timeout: how many seconds it may take to start. After so many without that line the program is killed.

        Raises:
            StartError: the program cannot be run, ends, or does not listen in time.
        """
        #: How many seconds it may take to start.
        self.timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._log = Log()
        self._binary = binary
        self._process = _spawn(binary, arguments, self._log.file)
        _processes.add(self)
        try:
            self.ready = self._await_ready()
        except BaseException:  # such as Ctrl-C
            self._kill()
            raise

    def seconds_left(self) -> float:
        """Return how long the rest of the start may take."""
        return max(0.001, self._deadline - time.monotonic())  # 0 would mean not to wait, for a socket

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

    def fail(self, problem: str, *, ended: bool = False) -> str:
        """End the process, which has not started well, by force.

        Args:
            problem: what is wrong.
            ended: whether the process seems to end by itself.

        Returns:
            The text for an error: the problem, the exit status if the process had one, and its last lines.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_DELAY if ended else 0)
        status = self._process.returncode
        ending = "" if status is None else f"; exit status {status}"
        self._process.kill()
        self._process.wait()
        message = f"{self._binary} does not start: {problem}{ending}{self._log.last_lines()}"
        self._kill()
        return message

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._close_input()
        self._close_files()

    def _await_ready(self) -> _start.Ready:
        line = _first_line(self._process.stdout, self.seconds_left())
        if line is None:
            raise StartError(self.fail(f"it was not ready within {self.timeout} s"))
        try:
            return _start.parse(line)
        except ValueError:
            text = line.decode("utf-8", "replace").rstrip()
            message = f"it has printed {text[:_WIDTH]!r}" if text else "it has closed its standard output"
            raise StartError(self.fail(message, ended=True)) from None


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
        reader = threading.Thread(
            target=lambda: lines.append(stream.readline(_LINE)), name="minilockd-start", daemon=True
        )
        reader.start()
        reader.join(timeout)
    return lines[0] if lines else None


def _forget_all() -> None:
    for process in list(_processes):
        process.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
