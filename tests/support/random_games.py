"""Random games: each is the source of a file with the rules, made from a number; and brute force.

`write_game` writes the game of a number to a file, as a user would write it, so that commands and
worker processes can load it; `random_styles` has the kinds of games. `solve_by_force` shares no
code with the package.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.random_rules import PRIMITIVE
from tests.support.random_styles import STYLES

Value = tuple[int, int | None]  # outcome for the side to move, and plies to the end
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


def solve_by_force(game: Any) -> dict[Any, Value]:
    """Return outcome and distance of every position that the start can reach."""
    after = expand(game)
    before: dict[Any, list[Any]] = defaultdict(list)
    for p, (_, children) in after.items():
        for q in children:
            before[q].append(p)
    left = {p: len(children) for p, (_, children) in after.items()}
    values: dict[Any, Value] = {p: (o, 0) for p, (o, _) in after.items() if o}
    settled, plies = [*values], 0
    while settled:
        plies, latest, settled = plies + 1, settled, []
        for q in latest:
            for p in before[q]:
                left[p] -= values[q][0] > 0
                if p not in values and (values[q][0] < 0 or left[p] == 0):
                    values[p] = (1 if values[q][0] < 0 else -1), plies
                    settled.append(p)
    return {p: values.get(p, (0, None)) for p in after}


def expand(game: Any, most: float = float("inf")) -> dict[Any, tuple[int | None, list[Any]]]:
    """Return the outcome of each position, None if it is open, and what its moves lead to.

    Returns the first positions only if there are more than `most`.
    """
    found: dict[Any, tuple[int | None, list[Any]]] = {}
    waiting = [game.initial()]
    while waiting and len(found) <= most:
        p = waiting.pop()
        if p not in found:
            over = game.primitive(p)
            children = [game.play(p, m) for m in game.moves(p)] if over is None else []
            found[p] = None if over is None else int(over), children
            waiting += children
    return found


def _draw(style: str, generator: random.Random) -> tuple[str, bool]:
    """Return the source of a game of this style that is neither tiny nor large."""
    while True:
        draft = STYLES[style](generator)
        found = expand(_load(draft.source), MOST)
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
