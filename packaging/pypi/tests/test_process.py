from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import minilockd as package
from minilockd import _binary, _connection, _process

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 30  # seconds after which a test fails that waits
POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and forks")


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def runs(pid: int) -> bool:
    """Return whether a process runs, which is no child of this one."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")  # of a process that has ended, its new parent may not know yet
    return not status.exists() or ") Z " not in status.read_text()


def script(text: str, **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | more
    )


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def test_closing_twice() -> None:
    server = package.start()
    pid = server.pid
    server.close()
    server.close()
    wait_until(lambda: not runs(pid))
    with pytest.raises(package.ServerClosedError, match=r"^the server was closed by close\(\)$"):
        server.clock.now()


@POSIX_ONLY
@pytest.mark.parametrize("connecting", [False, True], ids=["connected", "connecting"])
def test_closing_a_server_that_is_stopped(monkeypatch: pytest.MonkeyPatch, *, connecting: bool) -> None:
    monkeypatch.setattr(_process, "PATIENCE", 0)
    server = package.start()
    os.kill(server.pid, signal.SIGSTOP)
    os.waitpid(server.pid, os.WUNTRACED)  # until then some threads may still run, and answer
    if connecting:
        server._connection._drop()
    with ThreadPoolExecutor() as pool:
        call = pool.submit(server.execute, "PING")
        wait_until(server._connection._lock.locked)
        server.close()
        assert not runs(server.pid)
        with pytest.raises(package.ServerClosedError, match=r"closed by close\(\)"):
            call.result()


@POSIX_ONLY
def test_a_crash_is_an_error_with_the_last_lines() -> None:
    with package.start() as server:
        os.kill(server.pid, signal.SIGQUIT)
        with pytest.raises(package.ConnectionLostError, match=r"exit status 2\n(.*\n)+.*goroutine"):
            wait_until(lambda: not server.execute("PING"))
        with pytest.raises(package.ConnectionLostError, match="exit status 2"):
            server.clock.now()


def test_a_shutdown_is_an_error_at_the_next_call() -> None:
    with package.start() as server:
        with pytest.raises(package.ConnectionLostError, match=r"exit status 0\n(.*\n)*.*minilockd ends"):
            server.execute("SHUTDOWN")
        with pytest.raises(package.ConnectionLostError, match="exit status 0"):
            server.locks.list()


def test_the_connection_is_opened_anew() -> None:
    with package.start() as server:
        first = server.execute("CLIENT", "ID")
        assert server.execute("CLIENT", "KILL", "ID", first, "SKIPME", "no") == 1
        link = server._connection._link
        assert link
        wait_until(lambda: _connection._has_ended(link.socket))
        assert server.execute("CLIENT", "ID") != first
        assert server.execute("CLIENT", "GETNAME") == "minilockd-control"


def test_a_binary_that_does_not_start() -> None:
    with pytest.raises(package.StartError, match=r"exit status 1(.*\n)+.*Bad directive"):
        package.start(config={"nonsense": "1"})
    with (
        package.start() as server,
        pytest.raises(package.StartError, match=r"exit status 1(.*\n)+.*address already in use"),
    ):
        package.start(port=server.port)


def test_a_binary_that_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(package.StartError, match=r"missing \(from the option binary\) cannot be run: "):
        package.start(binary=missing)
    monkeypatch.setenv("MINILOCKD_BINARY", str(missing))
    with pytest.raises(package.StartError, match=r"\(from the environment variable MINILOCKD_BINARY\) cannot be run"):
        package.start()
    monkeypatch.delenv("MINILOCKD_BINARY")
    monkeypatch.setattr(_binary, "_PACKAGED", Path(sys.executable))
    with pytest.raises(
        package.StartError,
        match=r"\(from the package minilockd\) does not start: it has closed its standard output; exit",
    ):
        package.start()


def test_faults_of_the_control_connection(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    hint = "a rule of the file of the option faults may concern that connection, which is the server's first"
    rules.write_text("CONNECT THEN REFUSE\n")
    with pytest.raises(package.StartError, match=rf"has closed the connection .*; {hint}\n(.*\n)+.* fault=REFUSE"):
        package.start(faults=rules)
    rules.write_text("CONNECT THEN SILENT\n")
    with package.start(faults=rules) as server:
        assert server.execute("PING") == "PONG"


@pytest.fixture
def connecting_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the start end soon, but not before the server is ready."""
    left = _process.Process.seconds_left
    monkeypatch.setattr(_process.Process, "seconds_left", lambda self: 0.1 if hasattr(self, "ready") else left(self))


@pytest.mark.usefixtures("connecting_takes_no_time")
@pytest.mark.parametrize("rule", ["STOPREADING", "THROTTLE 1"])
def test_a_control_connection_that_is_not_answered(tmp_path: Path, rule: str) -> None:
    rules = tmp_path / "rules"
    rules.write_text(f"CONNECT THEN {rule}\n")
    with pytest.raises(package.StartError, match=r"not answered the connection .* within 30.0 s; a rule of the file"):
        package.start(faults=rules)


READY = '{"addr": "127.0.0.1:%d", "port": %d, "pid": 1, "version": "1", "redis_version": "7"}'


@POSIX_ONLY
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("echo it works", "it has printed 'it works'"),
        ("echo '{}'", "it has printed '{}'"),
        ("echo '[1,2]'", "it has printed '[1,2]'"),
        (f"echo '{READY % (0, 0)}'", 'it has printed \'{.*"port": 0,'),
        ("exec >&-", "it has closed its standard output"),
    ],
)
def test_a_binary_that_stays_without_being_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, problem: str
) -> None:
    monkeypatch.setattr(_process, "END_DELAY", 0)
    program = tmp_path / "odd"
    program.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\necho last words >&2\n{line}\nexec sleep 600\n")
    program.chmod(0o755)
    problem = problem.replace("[", r"\[")
    with pytest.raises(package.StartError, match=rf"odd \(from .*\) does not start: {problem}(.*)\n  last words"):
        package.start(binary=program)
    assert not runs(int((tmp_path / "pid").read_text()))


@POSIX_ONLY
@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (None, "nothing listens on 127.0.0.1"),
        (b"HTTP/1.1 400 Bad Request\r\n", "has failed: the server has sent b'HTTP.* which is not RESP"),
        (b"$x\r\n", "has failed: invalid literal"),
        (b"-NOAUTH no\r\n+OK\r\n", "has failed: NOAUTH no"),
    ],
)
def test_a_wrong_port(tmp_path: Path, reply: bytes | None, problem: str) -> None:
    program = tmp_path / "odd"
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor() as pool:
        port = listener.getsockname()[1]
        program.write_text(f"#!/bin/sh\necho last words >&2\necho '{READY % (port, port)}'\nexec sleep 600\n")
        program.chmod(0o755)
        if reply is None:
            listener.close()
        else:
            pool.submit(answer, listener, reply)
        with pytest.raises(package.StartError, match=rf"{problem}.*\n  last words"):
            package.start(binary=program)


def answer(listener: socket.socket, reply: bytes) -> None:
    """Send something to a connection, and wait for its end."""
    connection, _ = listener.accept()
    with connection, contextlib.suppress(ConnectionError):
        connection.sendall(reply)
        while connection.recv(4096):
            pass


def test_no_package_for_a_platform(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MINILOCKD_BINARY", raising=False)
    monkeypatch.setattr(_binary, "_PACKAGED", tmp_path / "missing")
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setattr("platform.machine", lambda: "RISCV64")
    with pytest.raises(package.BinaryNotFoundError, match=r"for plan9-riscv64; there are packages for linux-amd64, .*"):
        package.start()


EXEC = "import subprocess; child = subprocess.Popen(['sleep', '300'], close_fds=False)"
FORK = """
import multiprocessing, time
child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(300,))
child.start()
"""
SERVE = """
import sys, minilockd
server = minilockd.start()
print(server.pid, flush=True)
"""


@POSIX_ONLY
def test_the_server_ends_with_a_parent_that_is_killed() -> None:
    parent = script(SERVE + "sys.stdin.read()")
    pid = int(read_line(parent))
    assert runs(pid)
    parent.kill()
    parent.wait()
    wait_until(lambda: not runs(pid))


@POSIX_ONLY
@pytest.mark.parametrize("child", [EXEC, FORK], ids=["exec", "fork"])
def test_the_server_ends_though_other_children_of_its_parent_live(child: str) -> None:
    parent = script(SERVE + child + "\nprint(child.pid, flush=True)\nsys.stdin.read()")
    pid, child_pid = int(read_line(parent)), int(read_line(parent))
    parent.kill()
    parent.wait()
    wait_until(lambda: not runs(pid))
    assert runs(child_pid)
    os.kill(child_pid, signal.SIGKILL)


def test_the_server_ends_with_a_parent_that_forgets_it() -> None:
    with script("import warnings\n" + SERVE) as parent:
        pid = int(read_line(parent))
    assert parent.returncode == 0
    wait_until(lambda: not runs(pid))


@POSIX_ONLY
def test_a_forked_process_has_a_connection_of_its_own() -> None:
    with package.start() as server:
        context = multiprocessing.get_context("fork")
        child = context.Process(target=use_and_close, args=(server,))
        child.start()
        child.join(PATIENCE)
        assert child.exitcode == 0
        assert server.execute("GET", "by") == "the child"


def use_and_close(server: package.Server) -> None:
    server.execute("SET", "by", "the child")
    server.close()


def test_many_at_once() -> None:
    with ThreadPoolExecutor(20) as pool:
        servers = list(pool.map(lambda _: package.start(), range(20)))
        assert len({server.port for server in servers}) == 20
        assert list(pool.map(lambda server: server.execute("PING"), servers)) == ["PONG"] * 20
        list(pool.map(package.Server.close, servers))


def test_nothing_is_left_in_the_temp_folder(tmp_path: Path) -> None:
    with script(SERVE + "server.close()", TMPDIR=str(tmp_path), TEMP=str(tmp_path), TMP=str(tmp_path)) as parent:
        read_line(parent)
    assert parent.returncode == 0
    assert list(tmp_path.iterdir()) == []
