"""Puts data/ into wheels as solver/data/.

An editable install reads data/ from the checkout, so there is one copy of each table.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface[Any]):
    """Adds the tables to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add data/ to the files of a wheel, unless it is an editable one."""
        if version == "standard":
            build_data["force_include"]["data"] = "solver/data"
