"""Snapshots of a server's state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._connection import Connection


def snapshot_of(value: object, connection: Connection) -> Snapshot:
    """Return a value that must be a snapshot of the server of a connection."""
    if not isinstance(value, Snapshot):
        message = f"it takes a snapshot, not {value!r}"
        raise TypeError(message)
    of = value._connection  # noqa: SLF001 (of this module)
    if of is not connection:
        message = f"the snapshot is of another server, {of.server}"
        raise ValueError(message)
    return value


class Snapshot:
    """The state of a server at a moment: keys, clock, parameters, ACL users, scripts and fault rules."""

    def __init__(self, connection: Connection) -> None:
        """Save the state; see Server.snapshot."""
        self._connection = connection
        #: The name on the server, for TEST.RESTORE.
        self.name = f"python-{os.urandom(8).hex()}"
        connection.call("TEST.SNAPSHOT", self.name)

    def restore(self) -> None:
        """Put the state back, as often as you like. The clock shows again what it showed then."""
        self._connection.call("TEST.RESTORE", self.name)

    def __repr__(self) -> str:
        """Return its name and its server."""
        return f"<minilockd.Snapshot {self.name} of {self._connection.server}>"
