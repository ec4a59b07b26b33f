from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

import minilockd as package
from minilockd.options import Options, arguments

if TYPE_CHECKING:
    from pathlib import Path

    from minilockd.options import ConfigValue


def test_attributes() -> None:
    with package.start(password="p@s s", databases=3) as server:  # noqa: S106
        assert server.uri == f"redis://:p%40s%20s@127.0.0.1:{server.port}"
        assert server.address == f"{server.host}:{server.port}"
        assert server.execute("CONFIG", "GET", "databases") == {"databases": "3"}
        assert server.execute("INFO", "server").count(f"process_id:{server.pid}\r\n") == 1
        assert server.redis_version in server.execute("INFO", "server")
        assert server.version in server.execute("INFO", "server")


def test_emulate() -> None:
    with package.start(emulate="valkey-9.1") as server:
        assert server.execute("CONFIG", "GET", "emulate") == {"emulate": "valkey-9.1"}
        assert server.redis_version == "7.2.4"


def test_options(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text("COMMAND get THEN CLOSE\n")
    (tmp_path / "data").write_text("SET a 1\n")
    (tmp_path / "more").write_text("SET b 2\n")
    with package.start(
        faults=tmp_path / "rules",
        load=[tmp_path / "data", str(tmp_path / "more")],
        config={"maxmemory": "100mb", "client-output-buffer-limit": "normal 10 20 30", "hz": 50},
        args=["--log-level", "debug"],
        lock_history=10,
    ) as server:
        assert [rule.rule for rule in server.faults.list()] == ["COMMAND get THEN CLOSE"]
        assert server.execute("MGET", "a", "b") == ["1", "2"]
        assert server.execute("CONFIG", "GET", "maxmemory") == {"maxmemory": "104857600"}
        assert server.execute("CONFIG", "GET", "hz") == {"hz": "50"}
        server.execute("SET", "lock", "me", "NX", "PX", 1000)
        assert server.locks.history("lock")[0].type == "taken"


def test_options_that_are_not_texts(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_text("SET a 1\n")
    settings: dict[str, ConfigValue] = {"rdbcompression": False, "save": ["900", 1], "bind": ["127.0.0.1", "::1"]}
    words = arguments({"load": str(file), "config": settings})
    assert words[4:] == (
        ["--load", str(file), "--rdbcompression", "no", "--save", "900", "1", "--bind", "127.0.0.1", "::1"]
    )
    assert arguments({"load": file})[4:] == ["--load", str(file)]
    with pytest.raises(TypeError, match="args is a list of words, not '--log-level debug'"):
        package.start(args="--log-level debug")
    with package.start(load=str(file), config={"activedefrag": False, "save": []}) as server:
        assert server.execute("GET", "a") == "1"


def test_options_that_are_none() -> None:
    none = Options(**dict.fromkeys(Options.__annotations__))  # type: ignore[typeddict-item]
    assert arguments(none) == arguments({})
    with package.start(**none) as server:
        assert server.password is None


def test_the_password_of_config() -> None:
    with package.start(config={"requirepass": "secret"}) as server:
        assert server.password == "secret"  # noqa: S105
        assert server.uri == f"redis://:secret@{server.address}"
        assert server.execute("PING") == "PONG"
    with pytest.raises(ValueError, match="password and requirepass"):
        package.start(password="a", config={"RequirePass": "b"})  # noqa: S106


def test_unknown_option() -> None:
    with pytest.raises(TypeError, match="unknown options: databasess"):
        package.start(databasess="x")  # type: ignore[call-arg]


def test_execute(server: package.Server) -> None:
    assert server.execute("SET", "a", b"\xff\x00") == "OK"
    value = server.execute("GET", "a")
    assert value.encode("utf-8", "surrogateescape") == b"\xff\x00"
    with pytest.raises(package.ResponseError, match=r"^WRONGTYPE ") as caught:
        server.execute("LPUSH", "a", "x")
    assert caught.value.code == "WRONGTYPE"
    assert server.execute("SET", "b", "3", database=3) == "OK"
    assert server.execute("EXISTS", "b") == 0
    assert server.execute("EXISTS", "b", database=3) == 1
    with pytest.raises(package.ResponseError, match="DB index"):
        server.execute("DEL", "a", database=99)
    assert server.execute("EXISTS", "a") == 1


def test_errors_within_replies(server: package.Server) -> None:
    server.execute("SET", "a", "x")
    (error,) = server._connection.calls(("MULTI",), ("INCR", "a"), ("EXEC",))[-1]
    assert isinstance(error, package.ResponseError)


REFUSED = """
    subscribe psubscribe SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR LOCK.WATCH HELLO AUTH SELECT MULTI
    EXEC DISCARD WATCH UNWATCH QUIT RESET SYNC PSYNC
"""


@pytest.mark.parametrize("command", [*REFUSED.split(), "client reply"])
def test_refused_commands(server: package.Server, command: str) -> None:
    for words in (command.split(), [word.encode() for word in command.split()]):
        with pytest.raises(ValueError, match=f"{command.upper()} changes the connection"):
            server.execute(*words, "a")
    assert server.execute("CLIENT", "GETNAME") == "minilockd-control"


def test_no_command(server: package.Server) -> None:
    with pytest.raises(ValueError, match="execute needs a command"):
        server.execute()


def test_a_snapshot_of_another_server(server: package.Server) -> None:
    server.execute("SET", "a", 1)
    with package.start() as other:
        saved = other.snapshot()
        assert repr(saved) == f"<minilockd.Snapshot {saved.name} of minilockd on {other.address}>"
        for wrong in (server.restore, server.faults.restart):
            with pytest.raises(ValueError, match=f"is of another server, minilockd on {other.address}"):
                wrong(saved)
    assert server.execute("GET", "a") == "1"
    with pytest.raises(TypeError, match="it takes a snapshot, not 'saved'"):
        server.restore("saved")  # type: ignore[arg-type]


def test_threads(server: package.Server) -> None:
    def count() -> None:
        for _ in range(50):
            server.execute("INCR", "a")
            assert server.execute("ECHO", name()) == name()

    def name() -> str:
        return threading.current_thread().name

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.execute("GET", "a") == "400"


def test_state(server: package.Server) -> None:
    server.clock.freeze()
    server.clock.set(1_800_000_000)
    server.execute("SET", "lock", "me", "PX", 30_000)
    locked = server.snapshot()
    server.clock.advance(30)
    assert server.execute("EXISTS", "lock") == 0
    server.restore(locked)
    assert server.execute("PTTL", "lock") == 30_000
    assert '"lock" string expires 1800000030000' in server.dump()
    server.check()
    server.reset()
    assert server.execute("DBSIZE") == 0
    locked.restore()
    assert server.execute("DBSIZE") == 1
    server.reset(clients=True)
    assert server.execute("DBSIZE") == 0


def test_journal(server: package.Server) -> None:
    server.journal.on(10)
    server.execute("SET", "a", "b c")
    with pytest.raises(package.ResponseError):
        server.execute("NONSENSE")
    server.execute("EVAL", "return redis.call('get', 'a')", 0)
    entries = server.journal.entries()
    assert [(entry.command, entry.script) for entry in entries] == [
        ('SET a "b c"', False),
        ("NONSENSE", False),
        ("EVAL \"return redis.call('get', 'a')\" 0", False),
        ("get a", True),
    ]
    assert entries[1].error.startswith("ERR unknown command")
    assert f"{entries[0].client} ({entries[0].address}, minilockd-control): SET a" in str(entries[0])
    assert [entry.command for entry in server.journal.entries(match="set *")] == ['SET a "b c"']
    assert len(server.journal.entries(2, client=entries[0].client)) == 2
    server.journal.off()
    server.journal.clear()
    server.execute("PING")
    assert server.journal.entries() == []
