"""RQ, also with its worker that forks: the child does not keep the server, nor disturb the test's connection to it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from redis import Redis
from rq import Queue, SimpleWorker, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minilockd import Server


@pytest.fixture
def client(minilockd: Server) -> Iterator[Redis]:
    with Redis.from_url(minilockd.uri) as client:
        yield client


@pytest.mark.minilockd(fail_on_held_locks="order:*")
@pytest.mark.parametrize(
    "worker",
    [SimpleWorker, pytest.param(Worker, marks=pytest.mark.skipif(sys.platform == "win32", reason="needs forks"))],
)
def test_jobs(minilockd: Server, client: Redis, worker: type[Worker]) -> None:
    queue = Queue(connection=client)
    jobs = [queue.enqueue("operator.add", n, 1, result_ttl=500) for n in range(3)]
    assert worker([queue], connection=client).work(burst=True)
    assert [job.return_value() for job in jobs] == [1, 2, 3]
    minilockd.clock.advance(500)
    assert not any(minilockd.execute("EXISTS", f"rq:job:{job.id}") for job in jobs)
