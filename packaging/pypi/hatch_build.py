"""The build hook that puts the binary of one platform into a wheel and tags the wheel with that platform.

MINILOCKD_WHEEL_BINARY is the path of the binary, MINILOCKD_WHEEL_PLATFORM the platform tag, such as "win_amd64".
Without them the wheel has no binary: for development, with MINILOCKD_BINARY.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BinaryHook(BuildHookInterface[Any]):
    """Adds the binary to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (given by hatchling)
        """Add the file and the tag."""
        binary = os.environ.get("MINILOCKD_WHEEL_BINARY")
        if not binary:
            return
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["MINILOCKD_WHEEL_PLATFORM"]
        build_data["force_include"][binary] = "minilockd/bin/" + Path(binary).name
