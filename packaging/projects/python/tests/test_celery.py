"""Celery, with the server as its broker and for its results."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from celery.exceptions import TaskRevokedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minilockd import Server

PATIENCE = 30  # seconds after which a test fails that waits


@pytest.fixture
def app(minilockd: Server) -> Iterator[Celery]:
    app = Celery("orders", broker=minilockd.uri, backend=minilockd.uri)
    app.conf.update(result_expires=3600, broker_connection_retry_on_startup=True, worker_hijack_root_logger=False)

    @app.task(name="add", shared=False)
    def add(a: int, b: int) -> int:
        return a + b

    @app.task(name="repeat", shared=False, bind=True, max_retries=3)
    def repeat(task: Any) -> int:
        if task.request.retries < 2:
            raise task.retry(countdown=0)
        return int(task.request.retries)

    with start_worker(app, pool="threads", concurrency=2, perform_ping_check=False), app:
        yield app
    gc.collect()  # a result unsubscribes when it is collected, and would try for long once the server has ended


def test_results(app: Celery, minilockd: Server) -> None:
    results = [app.send_task("add", (n, 1)) for n in range(10)]
    assert [result.get(timeout=PATIENCE) for result in results] == list(range(1, 11))
    assert minilockd.execute("EXISTS", f"celery-task-meta-{results[0].id}") == 1
    minilockd.clock.advance(3600)
    assert minilockd.execute("EXISTS", f"celery-task-meta-{results[0].id}") == 0


def test_retries(app: Celery) -> None:
    assert app.send_task("repeat").get(timeout=PATIENCE) == 2


def test_a_task_that_expires_is_revoked(app: Celery) -> None:
    result = app.send_task("add", (1, 1), expires=-1)
    with pytest.raises(TaskRevokedError):
        result.get(timeout=PATIENCE)
