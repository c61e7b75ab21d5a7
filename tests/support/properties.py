"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """Return settings with `count` examples in the thorough profile, a fifth in the light one."""
    thorough = settings.get_current_profile_name() == "thorough"
    return settings(max_examples=count if thorough else max(10, count // 5), deadline=None)
