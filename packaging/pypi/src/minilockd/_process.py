"""The process of a server."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections import deque
from typing import IO, TYPE_CHECKING, Any

from .errors import StartError

if TYPE_CHECKING:
    from collections.abc import Callable

#: How many lines of the server's standard error are kept.
KEPT_LINES = 50

#: How many seconds a server has to end by itself before it is killed.
PATIENCE = 5.0

#: How many seconds after its connection a server that ends may still run.
END_DELAY = 1.0

_processes: weakref.WeakSet[Process] = weakref.WeakSet()


class Process:
    """A running binary that ends when its standard input ends, which this object holds open."""

    def __init__(self, command: list[str], timeout: float) -> None:
        """Start a program and wait until it prints what it listens on.

        Args:
            command: the program and its arguments.
            timeout: after how many seconds without that line the program is killed.

        Raises:
            StartError: the program cannot be run, ends, or does not listen in time.
        """
        self._output: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._errors: deque[str] = deque(maxlen=KEPT_LINES)
        self._process = _spawn(command)
        self._readers = [
            _thread(self._process.stdout, self._output.put),
            _thread(self._process.stderr, self._keep_line),
        ]
        _processes.add(self)
        self.ready = self._await_ready(timeout)

    @property
    def running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process, by the end of its standard input or, if that does not help, by force."""
        self._close_input()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._join()

    def describe_end(self) -> str:
        """Wait for the process, whose connections have just ended, and say how it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_DELAY)
        if self.running:
            return "the server has closed the connection"
        self._join()
        return f"the server has ended with exit status {self._process.returncode}{self._last_lines()}"

    def forget(self) -> None:
        """Close the copy of the standard input in a process that was forked, so that it does not keep the server."""
        self._process.returncode = 0  # it is no child of the forked process, which must neither wait for it nor warn
        self._close_input()

    def _close_input(self) -> None:
        if self._process.stdin:
            with contextlib.suppress(OSError):  # the server has ended
                self._process.stdin.close()

    def _join(self) -> None:
        for reader in self._readers:
            reader.join(PATIENCE)  # a child of the server could still hold the pipe, though it has none

    def _keep_line(self, line: bytes) -> None:
        if line:
            self._errors.append(line.decode("utf-8", "replace").rstrip())

    def _last_lines(self) -> str:
        return "".join(f"\n  {line}" for line in self._errors)

    def _await_ready(self, timeout: float) -> dict[str, Any]:
        try:
            line = self._output.get(timeout=timeout)
        except queue.Empty:
            self._process.kill()
            self.close()
            message = f"{self._process.args!r} was not ready within {timeout} s{self._last_lines()}"
            raise StartError(message) from None
        try:
            return dict(json.loads(line))
        except ValueError:
            self.close()
            status = self._process.returncode
            message = f"minilockd has ended with exit status {status}{_quoted(line)}{self._last_lines()}"
            raise StartError(message) from None


def _quoted(line: bytes) -> str:
    return f"\n  {line.decode('utf-8', 'replace').rstrip()}" if line else ""


def _spawn(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a program, out of reach of a terminal's Ctrl-C, so that tests can still ask the server when they end."""
    new_group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=sys.platform != "win32",
            creationflags=new_group,
        )
    except OSError as error:
        message = f"{command[0]} cannot be run: {error}"
        raise StartError(message) from error


def _thread(stream: IO[bytes] | None, take_line: Callable[[bytes], None]) -> threading.Thread:
    reader = threading.Thread(target=_read_lines, args=(stream, take_line), name="minilockd-output", daemon=True)
    reader.start()
    return reader


def _read_lines(stream: IO[bytes], take_line: Callable[[bytes], None]) -> None:
    """Hand over each line of an unbuffered stream, and what follows the last one when it ends.

    Buffered streams have a lock. This thread would hold it while another one forks, and then for ever in the child.
    """
    rest = b""
    with stream:
        while chunk := stream.read(1 << 16):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                take_line(line)
    take_line(rest)


def _forget_all() -> None:
    for process in list(_processes):
        process.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
