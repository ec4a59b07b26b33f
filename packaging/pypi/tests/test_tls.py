from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest

import minilockd as package


def ping(server: package.Server, context: ssl.SSLContext) -> bytes:
    assert server.tls_port
    with (
        socket.create_connection((server.host, server.tls_port)) as plain,
        context.wrap_socket(plain, server_hostname=server.host) as secure,
    ):
        secure.sendall(b"PING\r\n")
        return secure.recv(100)


def test_tls() -> None:
    with package.start(tls=True, password="p w") as server:  # noqa: S106
        assert server.tls_uri == f"rediss://:p%20w@127.0.0.1:{server.tls_port}"
        assert server.tls_ca
        context = ssl.create_default_context(cafile=server.tls_ca)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        assert ping(server, context) == b"-NOAUTH Authentication required.\r\n"
        folder = Path(server.tls_ca).parent
        assert folder.exists()
    assert not folder.exists()


def test_client_certificates() -> None:
    with package.start(tls=True, config={"tls-auth-clients": "yes"}) as server:
        assert server.tls_cert
        context = ssl.create_default_context(cafile=server.tls_ca)
        with pytest.raises(OSError):  # noqa: PT011 (which one depends on the version of OpenSSL)
            ping(server, context)
        context.load_cert_chain(server.tls_cert, server.tls_key)
        assert ping(server, context) == b"+PONG\r\n"


def test_without_tls(server: package.Server) -> None:
    assert server.tls_port is None
    with pytest.raises(ValueError, match="option tls"):
        _ = server.tls_uri
