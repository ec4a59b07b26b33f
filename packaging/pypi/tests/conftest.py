from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import minilockd as package

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module")
def shared() -> Iterator[package.Server]:
    with package.start(lock_history=100) as server:
        yield server


@pytest.fixture
def server(shared: package.Server) -> package.Server:
    shared.reset()
    return shared
