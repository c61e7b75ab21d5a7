"""The search of Connect 4 against whole tables, a plainer search and published values."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import pytest

from solver import Outcome, load_game
from solver.rules.search import Search
from solver.value import distance, outcome, score
from tests.conftest import ROOT
from tests.support.cases import campaign, large
from tests.support.tables import mapped_table

SMALL = [(4, 4), (5, 4), (4, 5), (6, 4), (5, 5), (4, 6), (6, 5)]


def search_of(game: Any) -> Search:
    return game.search()  # type: ignore[no-any-return]


def random_positions(game: Any, count: int, plies: tuple[int, int], seed: int) -> list[int]:
    """Return open positions from games of random moves."""
    generator = random.Random(seed)
    found: list[int] = []
    while len(found) < count:
        p = game.initial()
        for _ in range(generator.randint(*plies)):
            p = game.play(p, generator.choice(game.moves(p)))
            if game.primitive(p) is not None:
                break
        else:
            found.append(p)
    return found


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("connect4:4x3", 1),
        *large(("connect4:4x4", 9)),
        *campaign(*((f"connect4:{size}", 1) for size in ("4x4", "5x4", "4x5"))),
        *campaign(("connect4:5x5", 175), ("connect4:6x4", 237)),
    ],
)
def test_positions_of_a_board_have_the_scores_of_its_table(name: str, step: int) -> None:
    table = mapped_table(name)
    game: Any = table.game
    search = search_of(game)
    for place in range(0, table.counts["canonical"], step):
        p, known = table.entry(place)
        if game.primitive(p) is None:
            assert search.score(p) == known, game.text(p)
            if place % 5 == 0:
                better = [search.exceeds(p, o) for o in (Outcome.LOSS, Outcome.DRAW)]
                assert better == [known >= 0, known > 0]


@pytest.mark.parametrize(
    ("size", "count", "plies"),
    [
        ("7x6", 20, (30, 38)),
        ("8x7", 10, (38, 44)),
        ("4x4", 150, (8, 15)),
        ("5x4", 100, (19, 19)),  # one empty square, where bounds are easily rounded wrongly
        ("5x5", 30, (14, 24)),
        *campaign(*((f"{c}x{r}", 140_000, (c * r // 3, c * r - 1)) for c, r in SMALL)),
        ("3x15", 50, (24, 44)),
    ],
)
def test_random_positions_by_a_plainer_search(
    size: str, count: int, plies: tuple[int, int]
) -> None:
    """It has no static rules."""
    from examples.checkers.plain_connect4 import PlainSearch  # compiled as it is imported

    game: Any = load_game(f"connect4:{size}")
    search, plain = search_of(game), PlainSearch(game.columns, game.rows)
    squares = game.columns * game.rows
    for p in random_positions(game, count, plies, 2):
        first, second = game.split(p)
        stones = (first | second).bit_count()
        value = plain.value(*((second, first) if stones % 2 else (first, second)))
        found = search.score(p)
        plies_left = distance(found)
        left = 0 if plies_left is None else squares - stones + 1 - plies_left
        assert outcome(found) * left == value, game.text(p)


@pytest.mark.parametrize(
    ("size", "value"),
    [  # John Tromp, https://tromp.github.io/c4/c4.html
        *(("4x4", Outcome.DRAW), ("5x4", Outcome.DRAW), ("4x5", Outcome.DRAW)),
        *large(("5x5", Outcome.DRAW), ("6x4", Outcome.LOSS), ("5x6", Outcome.DRAW)),
        *campaign(("6x5", Outcome.DRAW), ("7x5", Outcome.DRAW), ("8x4", Outcome.LOSS)),
        *campaign(("8x5", Outcome.WIN), ("6x6", Outcome.LOSS)),
    ],
)
def test_published_values_of_boards(size: str, value: Outcome) -> None:
    game: Any = load_game(f"connect4:{size}")
    assert outcome(search_of(game).score(game.initial())) is value


@pytest.mark.campaign
def test_the_board_that_people_play() -> None:
    """James D. Allen and Victor Allis, 1988: the first player wins by the middle column."""
    game: Any = load_game("connect4")
    after = game.play(game.initial(), 3)
    assert search_of(game).score(after) == score(Outcome.LOSS, 40)  # of the second player


@pytest.mark.parametrize(
    "name", ["connect4:9x6", "connect4:8x8", "connect4:7x6,5", "connect4:5x5,3", "tictactoe"]
)
def test_other_boards_have_no_search(name: str) -> None:
    assert not load_game(name).searchable
    with pytest.raises(NotImplementedError, match="has no search"):
        load_game("tictactoe").search()


@pytest.mark.slow
def test_a_second_process_compiles_nothing() -> None:
    game: Any = load_game("connect4:4x4")
    search_of(game).score(game.initial())
    code = "from solver import load_game; g = load_game('connect4:4x4'); print(g.search().score("
    command = [sys.executable, "-c", f"{code}g.initial()))"]
    debug = os.environ | {"NUMBA_DEBUG_CACHE": "1"}
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, env=debug)
    assert "data loaded" in run.stdout
    assert "data saved" not in run.stdout
