"""What can go wrong: the actions of fault rules, for ``server.faults.add(…, then=fault.lose_reply())``.

What each of them does, and to what it can happen, is in https://github.com/minilockd/minilockd/blob/main/docs/faults.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from . import _times

if TYPE_CHECKING:
    from ._times import Duration, Time


@dataclass(frozen=True)
class Action:
    """What happens to a call, a message or a connection. The functions of this module make them."""

    #: The words after THEN, as arguments of FAULT.ADD.
    words: tuple[str | int, ...]


def error(text: str) -> Action:
    """Reply with an error, without running the command.

    Args:
        text: that of the error; ``LOADING``, ``BUSY``, ``READONLY``, ``OOM``, ``MASTERDOWN``, ``CLUSTERDOWN`` and
            ``TRYAGAIN`` stand for the texts of Redis.
    """
    return Action(("ERROR", text))


def moved(address: str) -> Action:
    """Reply as a node of a cluster whose slot is at another address, ``host:port``."""
    return Action(("MOVED", address))


def ask(address: str) -> Action:
    """Reply as a node of a cluster that hands a slot over to another address, ``host:port``."""
    return Action(("ASK", address))


def delay(duration: Duration, to: Duration | None = None, *, real_time: bool = False) -> Action:
    """Run the command, or send the message, later.

    Args:
        duration: how much later, in seconds or as a timedelta.
        to: the longest delay; each is then a random one in between.
        real_time: measure it by real time rather than by the server's clock.
    """
    longest = () if to is None else ("TO", _times.milliseconds(to))
    return Action(("DELAY", _times.milliseconds(duration), *longest, *(("REALTIME",) if real_time else ())))


def hang() -> Action:
    """Run the command when the rule is removed, unless its client has left by then."""
    return Action(("HANG",))


def close() -> Action:
    """Close the connection, without running the command."""
    return Action(("CLOSE",))


def lose_reply() -> Action:
    """Run the command, and close the connection before the reply."""
    return Action(("LOSEREPLY",))


def cut_reply(size: int) -> Action:
    """Run the command, and close the connection after so many bytes of the reply."""
    return Action(("CUTREPLY", size))


def twice() -> Action:
    """Run the command twice; the reply is that of the second time."""
    return Action(("TWICE",))


def drop() -> Action:
    """Send the message to no subscriber."""
    return Action(("DROP",))


def refuse() -> Action:
    """Close the new connection at once."""
    return Action(("REFUSE",))


def silent() -> Action:
    """Accept the new connection, and answer none of its calls until the rule is removed."""
    return Action(("SILENT",))


def stop_reading() -> Action:
    """Read nothing more from the connection until the rule is removed."""
    return Action(("STOPREADING",))


def throttle(bytes_per_second: int) -> Action:
    """Send to the connection, and read from it, only so many bytes in a second of the server's clock."""
    return Action(("THROTTLE", bytes_per_second))


class Conditions(TypedDict, total=False):
    """Which calls, messages or connections a fault happens to: those that fit all of the conditions.

    A rule is about messages if it has ``channel``, about new connections if it has ``connect``, else about calls.
    Patterns are those of KEYS.
    """

    #: The name of the command, such as ``"get"`` or ``"config|get"``, or an ACL category such as ``"@write"``.
    command: str
    #: A script makes the call, instead of a client.
    scripted: bool
    #: One of the call's keys fits this pattern.
    key: str
    #: The call runs the script with this SHA-1, or the function with this name.
    script: str
    #: The message is sent to a channel that fits this pattern.
    channel: str
    #: A client connects.
    connect: bool
    #: The client has this id, or a name or an address that fits this pattern.
    client: str | int
    #: The client's connection is at least so old: seconds or a timedelta.
    age: Duration
    #: The server's clock shows this time or a later one.
    from_: Time
    #: The server's clock shows a time before this one.
    until: Time
    #: The fault happens to the n-th only.
    nth: int
    #: The fault happens to the n-th, and to every n-th from there on.
    every: int
    #: The fault happens to each with this probability.
    probability: float
    #: With the same seed, greater than 0, a probability hits the same ones again.
    seed: int
    #: The fault happens no more often than this.
    times: int
