"""Puts data/ into wheels as solver/data/, and the checker of strategies beside the page.

An editable install reads them from the checkout, so there is one copy of each.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DataHook(BuildHookInterface[Any]):
    """Adds the tables and the checker to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to the files of a wheel, unless it is an editable one."""
        if version == "standard":
            build_data["force_include"]["data"] = "solver/data"
            checker = "examples/check-strategy/check.mjs"
            build_data["force_include"][checker] = "solver/web/page/check.mjs"
