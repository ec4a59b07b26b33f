"""Turns the replies of LOCK.… into the types of module lock. The server leaves out what it does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._times import duration_of, optional_time, time_of
from .lock import Client, Event, Holder, Lock, Wait, Waiter

if TYPE_CHECKING:
    from datetime import datetime, timedelta

#: The maps of a reply.
Fields = dict[str, Any]


def lock(fields: Fields, now: datetime, database: int = 0) -> Lock:
    """Return a lock as it was at a time. The database counts if the reply has none."""
    return Lock(
        name=fields.get("name", ""),
        kind=fields["kind"],
        db=fields.get("db", database),
        holders=tuple(_holder(each, now) for each in fields["holders"]),
        waiters=tuple(_waiter(each, now) for each in fields["waiters"]),
        lease=_lease(fields),
        mode=fields.get("mode", ""),
        permits=fields.get("permits"),
        count=fields.get("count"),
        token=fields.get("token"),
    )


def event(fields: Fields, name: str) -> Event:
    """Return an event of the lock with a name."""
    return Event(
        type=fields["event"],
        time=time_of(fields["time"]),
        lock=name,
        kind=fields.get("kind", ""),
        owner=fields.get("owner", ""),
        holds=fields["holds"],
        lease=_lease(fields),
        mode=fields.get("mode", ""),
        client=_client(fields),
        lost=bool(fields.get("lost")),
    )


def wait(fields: Fields) -> Wait:
    """Return a member of a deadlock."""
    return Wait(
        owner=fields.get("owner", ""),
        holds=fields.get("holds", ""),
        waits_for=fields.get("waits-for", ""),
        db=fields.get("db", 0),
    )


def _holder(fields: Fields, now: datetime) -> Holder:
    since = optional_time(fields.get("since"))
    return Holder(
        owner=fields.get("owner", ""),
        holds=fields["holds"],
        lease=_lease(fields),
        since=since,
        age=_age(since, now),
        client=_client(fields),
        write=fields.get("mode") == "write",
        value=fields.get("value", ""),
    )


def _waiter(fields: Fields, now: datetime) -> Waiter:
    since = optional_time(fields.get("since"))
    return Waiter(
        owner=fields.get("owner", ""),
        deadline=optional_time(fields.get("deadline")),
        since=since,
        age=_age(since, now),
        client=_client(fields),
    )


def _age(since: datetime | None, now: datetime) -> timedelta | None:
    return None if since is None else now - since


def _lease(fields: Fields) -> timedelta | None:
    lease = fields.get("lease", -1)
    return None if lease < 0 else duration_of(lease)


def _client(fields: Fields) -> Client | None:
    if "client-id" not in fields:
        return None
    return Client(
        id=fields["client-id"],
        address=fields.get("client-addr", ""),
        name=fields.get("client-name", ""),
        library=fields.get("client-lib", ""),
    )
