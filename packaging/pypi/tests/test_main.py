from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

RUN = [sys.executable, "-m", "minilockd"]


def test_output_and_exit_status() -> None:
    version = subprocess.run([*RUN, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("Redis server v=")
    wrong = subprocess.run([*RUN, "--lock-history", "none"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "see minilockd --help" in wrong.stderr


def test_a_binary_that_cannot_be_run() -> None:
    environment = os.environ | {"MINILOCKD_BINARY": "missing/minilockd"}
    wrong = subprocess.run(RUN, capture_output=True, text=True, check=False, env=environment)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(
        "minilockd: missing/minilockd (from the environment variable MINILOCKD_BINARY) cannot be run: "
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs exec and signals")
def test_the_binary_takes_the_place_of_python() -> None:
    with subprocess.Popen([*RUN, "--addr", "127.0.0.1:0", "--ready-json"], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline())["pid"] == process.pid
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(30) == 0
