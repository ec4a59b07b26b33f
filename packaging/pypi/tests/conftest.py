from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import pytest

import minilockd as package
from minilockd import _resp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from minilockd._resp import Argument

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module")
def shared() -> Iterator[package.Server]:
    with package.start(lock_history=100) as server:
        yield server


@pytest.fixture
def server(shared: package.Server) -> package.Server:
    shared.reset()
    return shared


class Client:
    """A connection as clients have it, which faults concern."""

    def __init__(self, server: package.Server) -> None:
        self.socket = socket.create_connection((server.host, server.port))
        self.stream = self.socket.makefile("rb")

    def send(self, *command: Argument) -> None:
        self.socket.sendall(_resp.encode(command))

    def execute(self, *command: Argument) -> Any:
        self.send(*command)
        reply = _resp.read(self.stream)
        if isinstance(reply, package.ResponseError):
            raise reply
        return reply

    def close(self) -> None:
        self.stream.close()
        self.socket.close()


@pytest.fixture
def client(server: package.Server) -> Iterator[Client]:
    client = Client(server)
    yield client
    client.close()
