from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

import minilockd as package

START = datetime(2027, 1, 15, 8, tzinfo=timezone.utc)


def test_clock(server: package.Server) -> None:
    clock = server.clock
    clock.freeze()
    assert clock.set(START) == START
    assert clock.now() == START
    assert clock.advance(30) == START + timedelta(seconds=30)
    assert clock.advance(0.25) == START + timedelta(seconds=30.25)
    assert clock.advance(timedelta(minutes=1)) == START + timedelta(seconds=90.25)
    assert clock.set(START.timestamp()) == START
    assert clock.set(START.astimezone().replace(tzinfo=None)) == START
    clock.speed(2.5)
    assert clock.now() == START
    assert clock.resume() >= START


def test_errors(server: package.Server) -> None:
    with pytest.raises(package.ResponseError, match=r"^ERR"):
        server.clock.advance(-1)
    with pytest.raises(package.ResponseError, match=r"^ERR"):
        server.clock.speed(0)
    for duration in ("30s", True, None):
        with pytest.raises(TypeError, match=f"a duration is seconds or a timedelta, not {duration!r}"):
            server.clock.advance(duration)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a time is a datetime or seconds since 1970, not '2027-01-15'"):
        server.clock.set("2027-01-15")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a factor is a number, not '2'"):
        server.clock.speed("2")  # type: ignore[arg-type]
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match=f"a duration is seconds or a timedelta, not {number}"):
            server.clock.advance(number)
