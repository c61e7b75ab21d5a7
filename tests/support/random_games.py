"""Random games: each is the source of a file with the rules, made from a number.

`write_game` writes the game of a number to a file, as a user would write it, so that commands and
worker processes can load it; `random_styles` has the kinds of games.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.brute import Graph, expand, rules_of
from tests.support.random_rules import PRIMITIVE
from tests.support.random_styles import STYLES

FEWEST, MOST = 50, 5_000  # positions of a game
CLASS = "Rules"


class Written(NamedTuple):
    """A game in a file."""

    style: str
    name: str
    """FILE.py:CLASS"""
    source: str
    lawful: bool
    """Whether it obeys the laws, so that it must be solved."""


def write_game(folder: Path, seed: int, style: str | None = None) -> Written:
    """Write a game to a file in a folder; the same number gives the same game."""
    names = [*STYLES]
    style = style or names[seed % len(names)]
    source, lawful = _draw(style, random.Random(f"{style} {seed}"))
    path = folder / f"random_{style}_{seed}.py"
    path.write_text(source)
    sys.modules.pop(path.stem, None)  # another test may have loaded the game from its own folder
    return Written(style, f"{path}:{CLASS}", source, lawful)


def reached(game: Any, most: float = float("inf")) -> Graph:
    """Return the outcome of each position of a game, and what its moves lead to; see `expand`."""
    return expand(rules_of(game), game.initial(), most)


def _draw(style: str, generator: random.Random) -> tuple[str, bool]:
    """Return the source of a game of this style that is neither tiny nor large."""
    while True:
        draft = STYLES[style](generator)
        found = reached(_load(draft.source), MOST)
        stuck = any(over is None and not children for over, children in found.values())
        if FEWEST <= len(found) <= MOST and not stuck:
            break
    if draft.special is None:
        return draft.source, draft.lawful
    p = generator.choice([p for p, (over, _) in found.items() if over is None])
    start, primitive = draft.text.split(PRIMITIVE)
    rare = f"        if p == {p!r}:\n            return {draft.special}\n"
    changed = draft._replace(text=start + PRIMITIVE + rare + primitive)
    return changed.source, draft.lawful


def _load(source: str) -> Any:
    names: dict[str, Any] = {"__name__": "draft"}
    exec(source, names)
    return names[CLASS]()
