"""The build's one rule of its own: a wheel holds data/ as solver/data/.

An editable install does not, since it reads data/ where it lies: there is one copy of a table.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface[Any]):
    """Puts the tables into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add data/ to the files of a wheel that is not editable."""
        if version == "standard":
            build_data["force_include"]["data"] = "solver/data"
