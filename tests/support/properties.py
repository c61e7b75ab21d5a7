"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings

SHARES = {"quick": 20, "light": 5}  # a twentieth in make quick, a fifth in make test


def examples(count: int) -> settings:
    """Return settings with `count` examples in the thorough profile, else a share of them."""
    share = SHARES.get(settings.get_current_profile_name(), 1)
    return settings(max_examples=count if share == 1 else max(50 // share, count // share))
