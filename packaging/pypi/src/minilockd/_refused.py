"""Which commands a user may not send on the control connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._resp import Argument

# After these commands messages come that are no replies, or no replies come at all, or calls of other threads would
# belong to a transaction or to another database or user.
_REFUSED = frozenset(
    (
        *("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE"),
        *("MONITOR", "LOCK.WATCH", "CLIENT REPLY", "SYNC", "PSYNC"),
        *("HELLO", "AUTH", "SELECT", "QUIT", "RESET"),
        *("MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH"),
    )
)


def check(command: tuple[Argument, ...]) -> None:
    """Refuse a command that would leave the connection in another state."""
    if not command:
        message = "execute needs a command"
        raise ValueError(message)
    words = [_word(argument) for argument in command[:2]]
    for name in (words[0], " ".join(words)):
        if name in _REFUSED:
            message = f"{name} changes the connection that controls the server; send it by a client library"
            raise ValueError(message)


def _word(argument: Argument) -> str:
    return (argument.decode("utf-8", "replace") if isinstance(argument, bytes) else str(argument)).upper()
