"""Durations and times, as they are given and as the server takes them: in milliseconds."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from typing import Union

#: A duration: seconds, or a timedelta.
Duration = Union[float, timedelta]

#: A time: a datetime, which is local time if it has no time zone, or seconds since 1970.
Time = Union[float, datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def milliseconds(duration: Duration) -> int:
    """Return a duration in milliseconds, rounded."""
    if isinstance(duration, timedelta):
        return round(duration / timedelta(milliseconds=1))
    return round(number(duration, "a duration is seconds or a timedelta") * 1000)


def unix_milliseconds(time: Time) -> int:
    """Return a time in milliseconds since 1970, rounded."""
    if isinstance(time, datetime):
        return milliseconds(time.astimezone(timezone.utc) - _EPOCH)
    return round(number(time, "a time is a datetime or seconds since 1970") * 1000)


def number(value: object, expected: str) -> float:
    """Return a value that must be a finite number; the error says what is expected instead."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        message = f"{expected}, not {value!r}"
        raise TypeError(message)
    if not math.isfinite(value):
        message = f"{expected}, not {value}"
        raise ValueError(message)
    return value


def duration_of(value: int) -> timedelta:
    """Return the duration of a number of milliseconds."""
    return timedelta(milliseconds=value)


def time_of(value: int) -> datetime:
    """Return the time of a number of milliseconds since 1970, in UTC."""
    return _EPOCH + timedelta(milliseconds=value)


def optional_time(value: int | None) -> datetime | None:
    """Return the time of a number that may be missing."""
    return None if value is None else time_of(value)


def clock_text(time: datetime) -> str:
    """Return the time of day, as people near this machine read it."""
    return time.astimezone().strftime("%H:%M:%S.%f")[: -len("000")]


def seconds_text(duration: timedelta) -> str:
    """Return a duration in seconds, such as "2.310 s"."""
    return f"{duration.total_seconds():.3f} s"
