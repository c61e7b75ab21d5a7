"""Games whose positions can repeat, compared with an oracle that shares no code with the package.

Counts without another source come from the oracle.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

import pytest

from solver import (
    IllegalPositionError,
    Outcome,
    SearchDepthError,
    Table,
    TableAgent,
    load_game,
    solve,
    verify,
)
from solver.games.catalogue import GAMES
from solver.rules.positions import orbits
from solver.tables.json_table import encode
from tests.conftest import solved
from tests.support.cyclic_games import (
    ORACLES,
    Position,
    Value,
    brute,
    read,
)

WIN, DRAW = Outcome.WIN, Outcome.DRAW


@cache
def values(spec: str) -> dict[Position, Value]:
    """Return the values of all positions by the oracle."""
    return brute(*ORACLES[spec])


@cache
def table_of(spec: str) -> Table:
    return solved(load_game(spec))


@pytest.mark.parametrize("spec", ORACLES)
@pytest.mark.thinned(2)
@pytest.mark.slow
def test_values_of_all_positions_match_the_oracle(spec: str) -> None:
    table = table_of(spec)
    found: dict[Any, Value] = {}
    agent, game = TableAgent(table), table.game
    assert read(game, ORACLES[spec][1]) == game.initial()
    for position, value in values(spec).items():
        p = read(game, position)
        assert (agent.outcome(p), agent.distance(p)) == value
        assert found.setdefault(p, value) == value  # for either seat to move
    canonical = {game.canonical(p) for p in found}
    assert sum(orbits(game, canonical).values()) == len(found) == table.counts["positions"]
    assert len(canonical) == table.counts["canonical"]


@pytest.mark.parametrize("spec", ORACLES)
def test_moves_and_outcomes_match_the_oracle(spec: str) -> None:
    game, (rules, _) = load_game(spec), ORACLES[spec]
    for position in values(spec):
        p, after = read(game, position), rules(position)
        assert game.primitive(p) == (after if isinstance(after, int) else None)
        if isinstance(after, list):
            children = [game.play(p, m) for m in game.moves(p)]
            assert set(children) == {read(game, child) for child in after}
            assert len(set(children)) == len(children)


@pytest.mark.parametrize(
    ("spec", "positions", "canonical", "value", "winning"),
    [
        ("morris", 3870, 540, (WIN, 9), ["5"]),  # the opening: Wikipedia, Three men's morris
        ("morris:any", 3870, 540, (DRAW, None), []),
        ("achi", 5400, 750, (WIN, 11), ["5"]),  # the winner: Wikipedia, Achi (game)
        ("ponghauki", 28, 15, (DRAW, None), []),  # Straffin, Mathematics Magazine 68, 1995
    ],
)
def test_known_counts_and_values(
    spec: str, positions: int, canonical: int, value: Value, winning: list[str]
) -> None:
    table = table_of(spec)
    agent, start = TableAgent(table), table.game.initial()
    assert (agent.outcome(start), agent.distance(start)) == value
    assert (table.counts["positions"], table.counts["canonical"]) == (positions, canonical)
    scores = agent.scores_at(start)
    assert [score.label for score in scores if score.outcome is WIN] == winning
    assert {score.distance for score in scores if score.outcome is WIN} <= {value[1]}


@pytest.mark.parametrize("spec", ORACLES)
@pytest.mark.thinned(3)
def test_the_catalogue_has_the_proved_numbers(spec: str) -> None:
    game = table_of(spec).game
    proof = verify(encode(table_of(spec)), game)
    listing = next(listing for listing in GAMES if listing.spec == spec)
    assert (proof.positions, proof.canonical) == (listing.positions, listing.canonical)
    won = f"the first player wins in {proof.distance} plies, by the centre only"
    assert listing.value == (won if proof.outcome is WIN else "draw")


@pytest.mark.parametrize("spec", ORACLES)
def test_search_rejects_games_whose_positions_repeat(spec: str) -> None:
    with pytest.raises(SearchDepthError):
        solve(load_game(spec), "search")


@pytest.mark.parametrize(("spec", "cells"), [("morris", 9), ("achi", 9), ("ponghauki", 5)])
def test_parse_accepts_exactly_the_positions_that_can_arise(spec: str, cells: int) -> None:
    game, parsed = load_game(spec), set()
    for marks in product("XO.", repeat=cells):
        try:
            parsed.add(game.parse("".join(marks)))
        except IllegalPositionError:
            continue
    assert parsed == {read(game, position) for position in values(spec)}
    for p in parsed:
        for seat in (None, "X", "O"):
            assert game.parse(game.text(p, seat), seat) == p


@pytest.mark.parametrize(
    ("spec", "text", "turn", "reason"),
    [
        ("morris", "XX", None, "a board has 9 cells"),
        ("morris", "XXXO.....", None, "too many X: 3 X and 1 O"),
        ("morris", "O........", None, "if O moved first, specify that it is X's turn"),
        ("morris", "XX.......", "O", "it cannot be O's turn with 2 X and 0 O"),
        ("morris", "XXOOXXO..", None, "a side has 4 men, but it starts with 3"),
        ("morris", "XXOOXXOO.", None, "a side has 4 men, but it starts with 3"),
        ("morris", "XXXOOO...", None, "both X and O have 3 in a row"),
        (
            "morris",
            "XXXOO.O..",
            None,
            "X has 3 in a row, so the game was over before O's last move",
        ),
        ("morris", "OOOXX.X..", "O", "O has 3 in a row, so the game was over before X's last move"),
        ("morris", ".........", "First", "the turn is 'First'; it must be X or O"),
        ("achi", "XXOOXXOOX", None, "a side has 5 men, but it starts with 4"),
        ("achi", "XXXOO.OXO", None, "X has 3 in a row"),
        ("ponghauki", "XXOO", None, "a board has 5 cells"),
        ("ponghauki", "XX2OO", None, "the number of an empty cell must be its own, 3"),
        ("ponghauki", "X..OO", None, "there are 1 X and 2 O, but each side has 2"),
        ("ponghauki", "XXOOO", None, "there are 2 X and 3 O, but each side has 2"),
        ("ponghauki", ".OXXO", None, "no last move of O leads to '.OXXO'"),
        ("ponghauki", ".XOOX", "O", "no last move of X leads to '.XOOX'"),
        ("ponghauki", "XX.OO", "Red", "the turn is 'Red'; it must be X or O"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(
    spec: str, text: str, turn: str | None, reason: str
) -> None:
    with pytest.raises(IllegalPositionError, match=re.escape(reason)):
        load_game(spec).parse(text, turn)


def test_labels_and_cells() -> None:
    game = load_game("morris")
    assert [game.label(0, m) for m in game.moves(0)] == [*"123456789"]
    assert [game.cell(0, m) for m in game.moves(0)] == [*range(9)]
    slide = "XO.XO.OX."  # X on 1, 4 and 8; 3, 6 and 9 are empty
    for spec, moves in (("morris", {"8-9"}), ("morris:any", {"8-9", "8-6"})):
        game = load_game(spec)
        p = game.parse(slide)
        assert {game.label(p, m): game.cell(p, m) for m in game.moves(p)} == {
            label: int(label[-1]) - 1 for label in moves
        }
    assert game.label(p, 53) == "5-9"
    five = load_game("ponghauki")
    assert [five.label(five.initial(), m) for m in five.moves(five.initial())] == ["1-3", "2-3"]
    assert [five.code(m) for m in five.moves(five.initial())] == [0, 1]
