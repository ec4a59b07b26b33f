"""redis-py over TLS."""

from __future__ import annotations

import pytest
import redis

from minilockd import start


def test_redis_py_trusts_the_server() -> None:
    with start(tls=True) as server:
        client = redis.Redis.from_url(server.tls_uri, ssl_ca_certs=server.tls_ca, decode_responses=True)
        assert client.set("k", "v")
        assert client.get("k") == "v"
        assert server.execute("GET", "k") == "v"
        assert server.tls_port
        stranger = redis.Redis(port=server.tls_port, ssl=True)
        with pytest.raises(redis.ConnectionError, match="CERTIFICATE_VERIFY_FAILED"):
            stranger.ping()
        client.close()


def test_redis_py_has_a_certificate() -> None:
    with start(tls=True, config={"tls-auth-clients": "yes"}) as server:
        client = redis.Redis.from_url(
            server.tls_uri,
            ssl_ca_certs=server.tls_ca,
            ssl_certfile=server.tls_cert,
            ssl_keyfile=server.tls_key,
        )
        assert client.ping()
        client.close()
