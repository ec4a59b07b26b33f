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
