"""With pytest-xdist each worker has a server of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = """
from pathlib import Path

def test_port(minilockd, minilockd_session, worker_id):
    assert minilockd.execute("INCR", "a") == 1
    assert minilockd_session.execute("INCR", "a") == 1
    Path(worker_id).write_text(f"{minilockd.port} {minilockd_session.port}")
"""


def test_a_server_for_each_worker(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    pytester.runpytest_subprocess("-n", "2", "--dist", "each").assert_outcomes(passed=2)
    texts = [(pytester.path / worker).read_text() for worker in ("gw0", "gw1")]
    assert len(set(" ".join(texts).split())) == 4
