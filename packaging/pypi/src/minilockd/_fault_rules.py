"""Turns the keywords of a fault rule into the arguments of FAULT.ADD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from . import _times
from .fault import Action, Conditions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: What a rule is, for messages.
EXPECTED = "a rule is either a text, or conditions and what happens then"

_Words = list[Union[str, int, float]]

_CONVERSIONS: Mapping[str, Callable[[Any], int]] = {
    "age": _times.milliseconds,
    "from_": _times.unix_milliseconds,
    "until": _times.unix_milliseconds,
}


def words(then: object, conditions: Mapping[str, Any]) -> _Words:
    """Return the arguments of FAULT.ADD."""
    if then is None:
        raise TypeError(EXPECTED)
    if not isinstance(then, Action):
        message = f"then is an action of minilockd.fault, such as fault.lose_reply(), not {then!r}"
        raise TypeError(message)
    unknown = conditions.keys() - Conditions.__annotations__.keys()
    if unknown:
        known = ", ".join(Conditions.__annotations__)
        message = f"unknown conditions: {', '.join(sorted(unknown))}; there are {known}"
        raise TypeError(message)
    return [*_condition_words(conditions), "THEN", *then.words]


def _condition_words(conditions: Mapping[str, Any]) -> _Words:
    """Return the arguments of FAULT.ADD before THEN."""
    found: _Words = []
    for name, value in conditions.items():
        keyword = name.rstrip("_").upper()
        if name in {"scripted", "connect"}:
            found += [keyword] if value else []
        else:
            convert = _CONVERSIONS.get(name)
            found += [keyword, convert(value) if convert else value]
    return found
