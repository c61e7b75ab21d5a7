"""Golden pictures of maps and figures.

`tests/pictures/golden` has pictures that were found good by eye. To accept new ones after a
deliberate change, run `python -m tests.pictures.test_golden` and look at them. The boards there
belong to `tests.pictures.test_position`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from solver.pictures.marks import board
from solver.pictures.shapes import Drawing
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from tests.conftest import ROOT
from tests.support.boards import PICTURES
from tests.support.solved import solved_agent

FOLDER = ROOT / "tests" / "pictures" / "golden"


def strategy(name: str, seat: int) -> Drawing:
    agent = solved_agent(name)
    return draw_map(agent, agent.game.seats[seat])[0]


GOLDEN: dict[str, Callable[[], Drawing]] = {
    "map-tictactoe-x": partial(strategy, "tictactoe", 0),
    "map-connect4-3x3-o": partial(strategy, "connect4:3x3", 1),
    "figure-tictactoe": lambda: Drawing(120, 120, board("XO.X.O...", 3, 2, [4, 8]), "a blunder"),
    "figure-chess": lambda: Drawing(160, 160, board("k...p...P..Q..aX", 4), "pieces"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_pictures(name: str) -> None:
    assert svg(GOLDEN[name]()) == (FOLDER / f"{name}.svg").read_text()


def test_there_are_no_other_golden_pictures() -> None:
    stems = {path.stem for path in FOLDER.iterdir()}
    assert stems == {*GOLDEN, *(f"board-{name}" for name in PICTURES)}


if __name__ == "__main__":
    for name, draw in GOLDEN.items():
        (FOLDER / f"{name}.svg").write_text(svg(draw()))
