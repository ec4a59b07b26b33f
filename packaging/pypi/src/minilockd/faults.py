"""The faults of a server: rules, restarts and partitions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _times
from .snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Unpack

    from ._connection import Connection
    from .fault import Action, Conditions

#: What a restart does to keys and functions: keep them, lose them, or lose what has changed since a snapshot.
RestartData = Union[Literal["keep", "lose"], Snapshot]


@dataclass(frozen=True)
class RuleState:
    """A rule, and how often it was used."""

    id: int
    #: The rule as a line of text.
    rule: str
    #: How many calls, messages or connections fit the rule.
    matches: int
    #: How often its fault has happened.
    hits: int


class Fault:
    """A rule that was added."""

    def __init__(self, connection: Connection, rule_id: int) -> None:
        """Refer to a rule by its id; see Faults.add."""
        self._connection = connection
        #: The id of the rule.
        self.id = rule_id

    def hits(self) -> int:
        """Return how often the fault has happened. A rule that was removed is an error."""
        return int(self._connection.call("FAULT.HITS", self.id))

    def remove(self) -> bool:
        """Remove the rule, and return whether it was still there. A fault that lasts ends now."""
        return bool(self._connection.call("FAULT.REMOVE", self.id))


_Rules = list[RuleState]  # in class Faults the name list is taken


class Faults:
    """Lets calls, messages and connections of a server go wrong.

    A rule also fits the commands that execute sends, but not those of the other methods of a Server.
    """

    def __init__(self, connection: Connection) -> None:
        """Control faults by a connection; see Server.faults."""
        self._connection = connection

    def add(self, rule: str | None = None, *, then: Action | None = None, **conditions: Unpack[Conditions]) -> Fault:
        """Add a rule: either a line of text, or keywords.

        Both of these let the reply to the second script with a key of an order get lost::

            server.faults.add("COMMAND evalsha KEY order:* NTH 2 THEN LOSEREPLY")
            server.faults.add(command="evalsha", key="order:*", nth=2, then=fault.lose_reply())

        Args:
            rule: the rule as typed in redis-cli after FAULT.ADD.
            then: what happens; see the module minilockd.fault.
            conditions: what it happens to; see minilockd.fault.Conditions.
        """
        if (rule is None) == (then is None) or (rule is not None and conditions):
            message = "a rule is either a text, or conditions and what happens then"
            raise TypeError(message)
        if rule is not None:
            return Fault(self._connection, self._connection.call_line(f"FAULT.ADD {rule}"))
        actions = then.words if then else ()
        added = self._connection.call("FAULT.ADD", *_condition_words(conditions), "THEN", *actions)
        return Fault(self._connection, added)

    def list(self) -> _Rules:
        """Return the rules that there are."""
        return [RuleState(**state) for state in self._connection.call("FAULT.LIST")]

    def clear(self) -> None:
        """Remove all rules. Faults that last end now."""
        self._connection.call("FAULT.CLEAR")

    def restart(self, data: RestartData = "keep") -> None:
        """Do what a restart of the server's process does to its clients, while the address stays the same.

        Args:
            data: what happens to keys and functions: ``"keep"``, ``"lose"``, or the snapshot that they return to.
        """
        words = ("SNAPSHOT", data.name) if isinstance(data, Snapshot) else (data,)
        self._connection.call("FAULT.RESTART", *words)

    def partition(self) -> None:
        """Cut the server off from its clients, as a network does that loses all packets. This Server is not hit."""
        self._connection.call("FAULT.PARTITION")

    def heal(self) -> None:
        """End the partition: all goes on where it was."""
        self._connection.call("FAULT.HEAL")


_CONVERSIONS: Mapping[str, Callable[[Any], int]] = {
    "age": _times.milliseconds,
    "from_": _times.unix_milliseconds,
    "until": _times.unix_milliseconds,
}


def _condition_words(conditions: Mapping[str, Any]) -> list[str | int | float]:
    """Return the arguments of FAULT.ADD before THEN."""
    words: list[str | int | float] = []
    for name, value in conditions.items():
        keyword = name.rstrip("_").upper()
        if name in {"scripted", "connect"}:
            words += [keyword] if value else []
        else:
            convert = _CONVERSIONS.get(name)
            words += [keyword, convert(value) if convert else value]
    return words
