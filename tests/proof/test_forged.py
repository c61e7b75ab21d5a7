"""No forged table is proved, however well it is made."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.cases import campaign, large
from tests.support.forge import FAMILIES, attack
from tests.support.random_games import write_game
from tests.support.random_styles import STYLES

LAWFUL = [style for style in STYLES if style != "wrongly_symmetric"]


@pytest.mark.no_cover
def test_a_few_forged_tables_are_refused(tmp_path: Path) -> None:
    generator = random.Random(0)
    names = ["ponghauki", "notakto", write_game(tmp_path, 0, "text").name]
    assert [fault for name in names for fault in attack(name, 4, generator)] == []


# A forged table of each family in `make test-large`, all of them in `make campaigns`.
SHARE = [*large(400), *campaign(1)]


@pytest.mark.parametrize("share", SHARE)
@pytest.mark.parametrize("name", FAMILIES)
def test_forged_tables_of_each_family_are_refused(name: str, share: int) -> None:
    count = -(-FAMILIES[name] // share)
    assert [*attack(name, count, random.Random(name))] == []


@pytest.mark.parametrize(
    ("games", "tables"),  # of each style, and of each game in each form
    [*large((1, 1)), *campaign((3, 10))],
)
@pytest.mark.parametrize("style", LAWFUL)
def test_forged_tables_of_random_games_are_refused(
    style: str, games: int, tables: int, tmp_path: Path
) -> None:
    named = [write_game(tmp_path, 1000 + seed, style).name for seed in range(games)]
    generator = random.Random(style)
    assert [fault for name in named for fault in attack(name, tables, generator)] == []
