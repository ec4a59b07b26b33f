from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

import minilockd as package
from minilockd import fault

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


def test_handle(server: package.Server) -> None:
    rule = server.faults.add('COMMAND get KEY "a b" NTH 2 THEN ERROR "ERR not now"')
    assert server.execute("GET", "a b") is None
    with pytest.raises(package.ResponseError, match=r"^ERR not now$"):
        server.execute("GET", "a b")
    (state,) = server.faults.list()
    assert (state.id, state.matches, state.hits) == (rule.id, 2, 1)
    assert rule.hits() == 1
    assert rule.remove()
    assert not rule.remove()
    with pytest.raises(package.ResponseError, match=r"^ERR"):
        rule.hits()


def test_wrong_rules(server: package.Server) -> None:
    with pytest.raises(package.ResponseError, match="THEN"):
        server.faults.add("COMMAND get")
    for wrong in ({}, {"command": "get"}, {"rule": "THEN CLOSE", "then": fault.close()}, {"rule": "", "key": "a"}):
        with pytest.raises(TypeError, match="a rule is either"):
            server.faults.add(**wrong)
    with pytest.raises(ValueError, match="line breaks"):
        server.faults.add("THEN CLOSE\r\nFLUSHALL")


def test_a_fault_of_this_connection_ends_one_command(server: package.Server) -> None:
    server.faults.add("COMMAND get TIMES 1 THEN CLOSE")
    with pytest.raises(package.ConnectionLostError, match="the server has closed the connection"):
        server.execute("GET", "a")
    assert server.execute("GET", "a") is None


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


def test_partition(server: package.Server) -> None:
    server.faults.partition()
    now = server.clock.now()
    assert server.clock.advance(1) > now
    server.faults.heal()
    assert server.execute("PING") == "PONG"
