"""Puzzles have one good move, and are as hard as they say."""

from __future__ import annotations

from solver import TableAgent
from solver.players.puzzles import DIFFICULTIES, find_puzzles
from tests.support import oracle
from tests.support.heuristics import EXPECTED

WORDS = {"win": 1, "draw": 0}


def test_exactly_one_move_keeps_the_outcome(agent: TableAgent) -> None:
    """All puzzles are found, each once, and those of a difficulty when it is asked for."""
    puzzles = find_puzzles(agent, 1000, seed=5)
    for z in puzzles:
        outcome = oracle.solve(z["position"])[0]
        keeps = [
            c
            for c in oracle.moves(z["position"])
            if oracle.move_value(z["position"], c)[0] == outcome
        ]
        assert keeps == [z["move"]]
        assert len(oracle.moves(z["position"])) > 1
        expected = (oracle.turn(z["position"]), outcome, str(int(z["move"]) + 1))
        assert (z["turn"], WORDS[z["task"]], z["label"]) == expected
        assert z["candidates"] == len(EXPECTED["winblock"](z["position"]))
        low, high = DIFFICULTIES[z["difficulty"]]
        assert low <= z["candidates"] <= high
    canonical = {agent.game.canonical(agent.game.parse(z["position"])) for z in puzzles}
    singles = 0
    for p, _ in agent.table.positions():
        text = agent.game.text(p)
        worths = [oracle.move_value(text, c)[0] for c in oracle.moves(text)]
        singles += len(worths) > 1 and worths.count(max(worths)) == 1
    assert len(canonical) == len(puzzles) == singles
    for difficulty in DIFFICULTIES:
        of_one = find_puzzles(agent, 1000, seed=5, difficulty=difficulty)
        assert {z["difficulty"] for z in of_one} == {difficulty}
        assert len(of_one) == sum(z["difficulty"] == difficulty for z in puzzles)
