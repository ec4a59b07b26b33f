"""What a wheel installs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import minilockd as package

if TYPE_CHECKING:
    import pytest


def test_the_binary_is_that_of_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MINILOCKD_BINARY", raising=False)
    binary = Path(package.__file__).parent / "bin" / ("minilockd.exe" if sys.platform == "win32" else "minilockd")
    assert os.access(binary, os.X_OK)
    with package.start() as server:
        assert server.version.removeprefix("v") == metadata.version("minilockd")


def test_the_script() -> None:
    script = shutil.which("minilockd", path=Path(sys.executable).parent)
    assert script
    printed = subprocess.run([script, "--version"], capture_output=True, text=True, check=True).stdout
    assert f"minilockd v{metadata.version('minilockd')}" in printed


def test_licences() -> None:
    names = {Path(file).name for file in metadata.files("minilockd") or []}
    assert {"LICENSE", "THIRD_PARTY_LICENSES.txt", "py.typed"} <= names
