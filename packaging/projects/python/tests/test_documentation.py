"""The examples of docs/python.md, which is beside this project, run as they stand."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "python.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL) if PAGE.exists() else []


@pytest.mark.skipif(not EXAMPLES, reason="the page is not there")
def test_the_first_example_has_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = tmp_path / "test_example.py"
    path.write_text(EXAMPLES[0], "utf-8")
    run = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", path]
    checked = subprocess.run(run, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.skipif(not EXAMPLES, reason="the page is not there")
def test_examples(tmp_path: Path) -> None:
    for number, text in enumerate(EXAMPLES):
        is_test = "def test_" in text
        path = tmp_path / f"{'test' if is_test else 'script'}_{number}.py"
        path.write_text(text, "utf-8")
        if not is_test:
            subprocess.run([sys.executable, path], check=True, cwd=tmp_path)
    run = [sys.executable, "-m", "pytest", "--strict-markers", "-p", "no:cacheprovider", tmp_path]
    assert subprocess.run(run, check=False, cwd=tmp_path).returncode == 0
