"""The faults of a server: rules, restarts and partitions."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Union

from . import _fault_rules, _quoting
from .errors import MinilockdError
from .snapshot import Snapshot, snapshot_of

if TYPE_CHECKING:
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

    def __str__(self) -> str:
        """Return the rule and its counts in one line."""
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        hits = "1 hit" if self.hits == 1 else f"{self.hits} hits"
        return f"#{self.id} {self.rule}: {matches}, {hits}"


class Fault:
    """A rule that was added. It prints as a line, with its counts while the server has it."""

    def __init__(self, connection: Connection, rule_id: int, rule: str) -> None:
        """Refer to a rule by its id; see Faults.add."""
        self._connection = connection
        #: The id of the rule.
        self.id = rule_id
        #: The rule as a line of text.
        self.rule = rule

    def hits(self) -> int:
        """Return how often the fault has happened. A rule that was removed is an error."""
        return int(self._connection.call("FAULT.HITS", self.id))

    def matches(self) -> int:
        """Return how many calls, messages or connections fit the rule. A rule that was removed is an error."""
        state = self._state()
        return state.matches if state else self.hits()  # which is that error

    def remove(self) -> bool:
        """Remove the rule, and return whether it was still there. A fault that lasts ends now."""
        return bool(self._connection.call("FAULT.REMOVE", self.id))

    def __repr__(self) -> str:
        """Return the rule in one line, with its counts if the server has it and replies at once."""
        state = None
        with contextlib.suppress(MinilockdError):
            state = self._state(patience=0)
        return str(state) if state else f"#{self.id} {self.rule}"

    def _state(self, patience: float | None = None) -> RuleState | None:
        states = _states(self._connection, patience)
        return next((state for state in states if state.id == self.id), None)


_Rules = list[RuleState]  # in class Faults the name list is taken


class Faults:
    """Lets calls, messages and connections of a server go wrong.

    No fault and no partition concerns the commands that a Server sends itself, also by execute.
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
        if rule is None:
            words = _fault_rules.words(then, conditions)
            return Fault(self._connection, self._connection.call("FAULT.ADD", *words), _quoting.line(words))
        if then is not None or conditions or not isinstance(rule, str):
            raise TypeError(_fault_rules.EXPECTED)
        return Fault(self._connection, self._connection.call_line(f"FAULT.ADD {rule}"), rule)

    def list(self) -> _Rules:
        """Return the rules that there are."""
        return _states(self._connection)

    def clear(self) -> None:
        """Remove all rules. Faults that last end now."""
        self._connection.call("FAULT.CLEAR")

    def restart(self, data: RestartData = "keep") -> None:
        """Do what a restart of the server's process does to its clients, while the address stays the same.

        Args:
            data: what happens to keys and functions: ``"keep"``, ``"lose"``, or the snapshot that they return to.
        """
        if isinstance(data, Snapshot):
            self._connection.call("FAULT.RESTART", "SNAPSHOT", snapshot_of(data, self._connection).name)
        elif data in {"keep", "lose"}:
            self._connection.call("FAULT.RESTART", data)
        else:
            message = f'restart takes "keep", "lose" or a snapshot, not {data!r}'
            raise ValueError(message)

    def partition(self) -> None:
        """Cut the server off from its clients, as a network does that loses all packets. This Server is not hit."""
        self._connection.call("FAULT.PARTITION")

    def heal(self) -> None:
        """End the partition: all goes on where it was."""
        self._connection.call("FAULT.HEAL")


def _states(connection: Connection, patience: float | None = None) -> list[RuleState]:
    (states,) = connection.calls(("FAULT.LIST",), patience=patience)
    return [RuleState(**state) for state in states]
