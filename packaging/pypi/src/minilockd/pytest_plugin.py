"""The pytest plugin: fixtures, options and a marker; see docs/python.md.

A test that fails gets report sections with the locks and the last commands of its servers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from . import _pytest_settings as settings
from ._pytest_report import Reporter
from .errors import MinilockdError, ServerClosedError
from .server import Server

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .options import Options

_REPORTER = pytest.StashKey[Reporter]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, each of them also as an ini option."""
    settings.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers",
        "minilockd(**options): the server of this test has these options of minilockd.start, "
        "and fail_on_held_locks and journal",
    )


@pytest.fixture(scope="session")
def minilockd_options() -> Options:
    """Return options of minilockd.start for all servers. Override it in a conftest.py to set some."""
    return {}


@pytest.fixture(scope="session")
def minilockd_session(minilockd_options: Options, pytestconfig: pytest.Config) -> Iterator[Server]:
    """Provide a server that all tests share; with pytest-xdist, all tests of a worker. It is not reset in between."""
    with _started(_settings(pytestconfig, minilockd_options)) as server:
        yield server


@pytest.fixture
def minilockd(request: pytest.FixtureRequest, minilockd_options: Options) -> Iterator[Server]:
    """Provide a server for this test alone or, by the option minilockd_shared, the shared one after a reset."""
    marker = request.node.get_closest_marker("minilockd")
    chosen = _settings(request.config, minilockd_options, marker)
    if chosen.shared:
        server: Server = request.getfixturevalue("minilockd_session")
        server.reset()
        yield from _watched(request, server, chosen)
    else:
        with _started(chosen) as server:
            yield from _watched(request, server, chosen)


def _settings(config: pytest.Config, options: Options, marker: pytest.Mark | None = None) -> settings.Settings:
    try:
        return settings.read(config, options, marker)
    except (TypeError, ValueError) as error:
        pytest.fail(f"options of minilockd: {error}", pytrace=False)


def _started(chosen: settings.Settings) -> Server:
    """Start a server; what the user has chosen wrong fails the test without the source of this plugin."""
    try:
        return chosen.start()
    except (TypeError, ValueError) as error:
        pytest.fail(f"options of minilockd: {error}", pytrace=False)
    except MinilockdError as error:
        pytest.fail(f"{type(error).__name__}: {error}", pytrace=False)


def _watched(request: pytest.FixtureRequest, server: Server, chosen: settings.Settings) -> Iterator[Server]:
    reporter = request.node.stash[_REPORTER] = Reporter()  # a plugin may run a test again that has failed
    reporter.watch(server)
    yield server
    problem = "" if reporter.failed else _left_held(server, chosen.held_locks)
    if problem:
        reporter.collect()
    reporter.unwatch(server)
    if problem:
        pytest.fail(problem, pytrace=False)


def _left_held(server: Server, pattern: str | None) -> str:
    """Return what is wrong at the end of a test, if anything. A test may have closed its server."""
    try:
        left = server.locks.held(pattern) if pattern else []
    except ServerClosedError:
        return ""
    except MinilockdError as error:
        return f"the locks that the test has left held are not known: {error}"
    lines = (f"the test has left locks of minilockd on {server.address} held:", *map(str, left))
    return "\n".join(lines) if left else ""


def _reporter(item: pytest.Item) -> Reporter:
    return item.stash.setdefault(_REPORTER, Reporter())


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Add the sections to the report of a test that has failed."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    if not report.failed:
        return
    reporter = _reporter(item)
    reporter.failed = True
    shared = getattr(item, "funcargs", {}).get("minilockd_session")
    if isinstance(shared, Server):
        reporter.watch(shared)
    report.sections += reporter.sections()


@pytest.hookimpl(hookwrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, None]:
    """Let a worker of pytest-xdist send what is not UTF-8, such as a binary reply in the message of an assertion."""
    outcome = yield
    outcome.force_result(_encodable(outcome.get_result()))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(name): _encodable(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(_encodable, value))
    return value
