from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

import minilockd as package
from minilockd import _connection, fault

if TYPE_CHECKING:
    from conftest import Client

START = datetime(2027, 1, 15, 8, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (fault.error("ERR not now"), 'ERROR "ERR not now"'),
        (fault.error("LOADING"), 'ERROR "LOADING Redis is loading the dataset in memory"'),
        (fault.moved("10.0.0.1:7000"), "MOVED 10.0.0.1:7000"),
        (fault.ask("10.0.0.1:7000"), "ASK 10.0.0.1:7000"),
        (fault.delay(0.5), "DELAY 500"),
        (fault.delay(1, timedelta(seconds=2), real_time=True), "DELAY 1000 TO 2000 REALTIME"),
        (fault.hang(), "HANG"),
        (fault.close(), "CLOSE"),
        (fault.lose_reply(), "LOSEREPLY"),
        (fault.cut_reply(3), "CUTREPLY 3"),
        (fault.twice(), "TWICE"),
        (fault.stop_reading(), "STOPREADING"),
        (fault.throttle(100), "THROTTLE 100"),
    ],
)
def test_actions(server: package.Server, action: fault.Action, text: str) -> None:
    server.faults.add(command="get", key="a*", then=action)
    assert [state.rule for state in server.faults.list()] == [f"COMMAND get KEY a* THEN {text}"]


@pytest.mark.parametrize(("action", "text"), [(fault.refuse(), "REFUSE"), (fault.silent(), "SILENT")])
def test_actions_of_connections(server: package.Server, action: fault.Action, text: str) -> None:
    server.faults.add(connect=True, nth=1000, then=action)
    assert [state.rule for state in server.faults.list()] == [f"CONNECT NTH 1000 THEN {text}"]


def test_conditions(server: package.Server) -> None:
    faults = server.faults
    faults.add(command="@write", scripted=True, from_=START, until=START.timestamp() + 1, then=fault.error("ERR no"))
    faults.add(script="f" * 40, client=7, age=timedelta(seconds=2), every=3, times=4, then=fault.twice())
    faults.add(channel="a b*", probability=0.5, seed=7, then=fault.drop())
    faults.add(connect=False, command="get", then=fault.close())
    assert [state.rule for state in faults.list()] == [
        'COMMAND @write SCRIPTED FROM 1800000000000 UNTIL 1800000001000 THEN ERROR "ERR no"',
        f"SCRIPT {'f' * 40} CLIENT 7 AGE 2000 EVERY 3 TIMES 4 THEN TWICE",
        'CHANNEL "a b*" PROBABILITY 0.5 SEED 7 THEN DROP',
        "COMMAND get THEN CLOSE",
    ]
    faults.clear()
    assert faults.list() == []


def test_handle(server: package.Server, client: Client) -> None:
    text = 'COMMAND get KEY "a b" NTH 2 THEN ERROR "ERR not now"'
    rule = server.faults.add(text)
    assert client.execute("GET", "a b") is None
    assert repr(rule) == f"#{rule.id} {text}: 1 match, 0 hits"
    with pytest.raises(package.ResponseError, match=r"^ERR not now$"):
        client.execute("GET", "a b")
    (state,) = server.faults.list()
    assert (state.id, state.matches, state.hits) == (rule.id, 2, 1)
    assert (rule.matches(), rule.hits(), rule.rule) == (2, 1, text)
    assert repr(rule) == str(state) == f"#{rule.id} {text}: 2 matches, 1 hit"
    assert rule.remove()
    assert not rule.remove()
    for asked in (rule.hits, rule.matches):
        with pytest.raises(package.ResponseError, match=r"^ERR no rule"):
            asked()
    assert repr(rule) == f"#{rule.id} {text}"


def test_a_rule_of_keywords_as_a_line(server: package.Server) -> None:
    rule = server.faults.add(key='a "b" \\', nth=2, then=fault.error("ERR it's so"))
    assert rule.rule == r'KEY "a \"b\" \\" NTH 2 THEN ERROR ' + '"ERR it\'s so"'
    (state,) = server.faults.list()
    server.faults.add(rule.rule)
    assert server.faults.list()[1].rule == state.rule


def test_wrong_rules(server: package.Server) -> None:
    with pytest.raises(package.ResponseError, match="THEN"):
        server.faults.add("COMMAND get")
    for wrong in ({}, {"command": "get"}, {"rule": "THEN CLOSE", "then": fault.close()}, {"rule": "", "key": "a"}):
        with pytest.raises(TypeError, match="a rule is either"):
            server.faults.add(**wrong)
    with pytest.raises(TypeError, match="unknown conditions: comand; there are command, scripted, key,"):
        server.faults.add(comand="get", then=fault.close())  # type: ignore[call-arg]
    for action in ("loseReply", fault.lose_reply):
        with pytest.raises(TypeError, match=r"an action of minilockd\.fault, such as fault\.lose_reply\(\), not"):
            server.faults.add(command="get", then=action)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a rule is either"):
        server.faults.add({"command": "get"})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a duration is seconds or a timedelta, not '1s'"):
        server.faults.add(then=fault.delay("1s"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="line breaks"):
        server.faults.add("THEN CLOSE\r\nFLUSHALL")


def test_no_fault_concerns_the_server_itself(server: package.Server, client: Client) -> None:
    rule = server.faults.add(then=fault.lose_reply())
    assert server.execute("SET", "a", 1) == "OK"
    server._connection._drop()  # so the next call opens the connection anew, with HELLO
    assert server.execute("GET", "a") == "1"
    assert rule.hits() == 0
    with pytest.raises(EOFError):
        client.execute("PING")
    assert rule.hits() == 1


def test_a_rule_that_prints_while_a_call_blocks(server: package.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = server.faults.add("COMMAND get THEN CLOSE")
    connection = server._connection
    monkeypatch.setattr(connection, "_pending", ("BLPOP", "list", 0))
    monkeypatch.setattr(_connection, "PATIENCE", 0)
    with connection._lock:
        assert repr(rule) == f"#{rule.id} COMMAND get THEN CLOSE"
        with pytest.raises(package.MinilockdError, match="still waits for the reply to BLPOP list 0"):
            server.clock.now()


def test_restart(server: package.Server) -> None:
    server.execute("SET", "a", "1")
    saved = server.snapshot()
    server.execute("SET", "a", "2")
    server.faults.restart()
    assert server.execute("GET", "a") == "2"
    server.faults.restart(saved)
    assert server.execute("GET", "a") == "1"
    server.faults.restart("lose")
    assert server.execute("GET", "a") is None


@pytest.mark.parametrize("wrong", ["loose", "KEEP", None, 3])
def test_wrong_restarts(server: package.Server, wrong: Any) -> None:
    with pytest.raises(ValueError, match='restart takes "keep", "lose" or a snapshot, not '):
        server.faults.restart(wrong)


def test_partition(server: package.Server, client: Client) -> None:
    server.faults.partition()
    client.send("SET", "a", "of the client")
    now = server.clock.now()
    assert server.clock.advance(1) > now
    assert server.execute("GET", "a") is None
    server.faults.heal()
    assert client.execute("GET", "a") == "OK"  # the reply to SET
    assert server.execute("GET", "a") == "of the client"


def test_partition_after_a_restart(server: package.Server) -> None:
    server.faults.restart()
    server.reset()
    server.faults.partition()
    assert server.execute("SET", "a", 1) == "OK"
    server.faults.heal()


def test_client_pause(server: package.Server) -> None:
    server.execute("CLIENT", "PAUSE", 3_600_000, "ALL")
    assert server.execute("SET", "a", 1) == "OK"
    server.execute("CLIENT", "UNPAUSE")


def test_a_line_with_quotes_that_do_not_match(server: package.Server) -> None:
    with pytest.raises(package.ResponseError, match="unbalanced quotes"):
        server.faults.add('COMMAND "get THEN CLOSE')
    assert server._connection._link is None  # since the server closes it, be it now or a little later
    assert server.faults.add('COMMAND "get" THEN CLOSE').hits() == 0
