"""Puzzles have one good move, and are as hard as they say."""

from __future__ import annotations

from typing import Any

import pytest

from solver import TableAgent
from solver.arena.puzzles import DIFFICULTIES, find_puzzles
from tests.support import oracle
from tests.support.heuristics import EXPECTED

WORDS = {"win": 1, "draw": 0}


@pytest.mark.parametrize("difficulty", [None, *DIFFICULTIES])
def test_exactly_one_move_keeps_the_outcome(agent: TableAgent, difficulty: str | None) -> None:
    puzzles: list[Any] = find_puzzles(agent, 1000, seed=5, difficulty=difficulty)
    for z in puzzles:
        position, moves = z["position"], oracle.moves(z["position"])
        outcome = oracle.solve(position)[0]
        assert [c for c in moves if oracle.move_value(position, c)[0] == outcome] == [z["move"]]
        assert len(moves) > 1
        assert (z["turn"], WORDS[z["task"]], z["label"]) == (
            oracle.turn(z["position"]),
            outcome,
            str(z["move"] + 1),
        )
        assert z["candidates"] == len(EXPECTED["winblock"](z["position"]))
        low, high = DIFFICULTIES[z["difficulty"]]
        assert low <= z["candidates"] <= high
        assert difficulty in (None, z["difficulty"])
    canonical = {agent.game.canonical(agent.game.parse(z["position"])) for z in puzzles}
    assert len(canonical) == len(puzzles) > 5


def test_all_puzzles_are_found(agent: TableAgent) -> None:
    found = find_puzzles(agent, 1000)
    singles = 0
    for p, _ in agent.table.positions():
        text = agent.game.text(p)
        worths = [oracle.move_value(text, c)[0] for c in oracle.moves(text)]
        singles += len(worths) > 1 and worths.count(max(worths)) == 1
    assert len(found) == singles


def test_the_seed_decides(agent: TableAgent) -> None:
    assert find_puzzles(agent, 5, seed=1) == find_puzzles(agent, 5, seed=1)
    assert find_puzzles(agent, 5, seed=1) != find_puzzles(agent, 5, seed=2)


def test_an_unknown_difficulty(agent: TableAgent) -> None:
    with pytest.raises(ValueError, match="easy, medium, hard"):
        find_puzzles(agent, 1, difficulty="fiendish")
