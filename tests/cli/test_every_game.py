"""Every command with every game, as a user sees them; `make test` has some of the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver import load_game
from solver.players.conventions import shape_of
from tests.cli.conftest import CYCLIC, GAMES
from tests.conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("spec", GAMES)]
BOT = """
def wrong(position, moves, side):
    return "resign"

def shares(position, moves, side):
    return {move: 1 / len(moves) for move in moves}
"""


@pytest.mark.thinned(5, 3)
def test_questions_and_a_game(table_command: Command, spec: str) -> None:
    """A line is as long as the distance; a person who follows it gets the value of the start."""
    best = table_command.json("best", "--game", spec)
    answer = table_command.json("line", "--game", spec)
    line, distance = answer["line"], best["distance"]
    assert (answer["outcome"], answer["distance"]) == (best["outcome"], distance)
    assert distance in (None, len(line))
    game = load_game(spec)
    p = game.initial()
    visited = [p]
    for number, step in enumerate(line, 1):
        p = game.play(p, {game.code(m): m for m in game.moves(p)}[step["move"]])
        visited.append(p)
        turn = game.other(step["turn"])
        found = table_command.json("explain", step["position"], "--game", spec, "--turn", turn)
        left = None if distance is None else distance - number
        assert (found["position"], found["turn"]) == (step["position"], turn)
        assert found["distance"] == left
    assert len(set(visited[:-1])) == len(visited) - 1
    assert table_command("line", "--game", spec) == 0
    *steps, end = table_command.out.splitlines()
    assert steps == [f"{n}. {step['turn']} {step['label']}" for n, step in enumerate(line, 1)]
    first, second = game.seats
    result = {"win": f"{first} has won", "loss": f"{second} has won", "draw": "a draw"}
    ending = f"The game is over: {result[best['outcome']]}"
    if spec in CYCLIC:
        assert game.primitive(p) is None
        assert (end, best["outcome"]) == ("The position repeats: a draw.", "draw")
        ending = f"Threefold repetition: {result['draw']}"
        line += line[visited.index(p) :]  # so that a position occurs three times
    else:
        assert game.primitive(p) is not None
        assert end.startswith(ending)
    table_command.type(*(step["label"] for step in line[::2]), "n")
    assert table_command("play", "--game", spec) == 0, table_command.err
    assert table_command.out.count("your move") == len(line[::2])
    assert ending in table_command.out


@pytest.mark.thinned(8, 5)
def test_grades_and_matches(table_command: Command, spec: str) -> None:
    """Perfect play is optimal and gets the value of the start; random play is not optimal."""
    game = ("--game", spec)
    found = table_command.json("grade", "perfect", *game)
    assert (found["optimal"], found["reachable"]["mean_regret"]) == (True, 0)
    page = Path("page.html")
    assert table_command("grade", "random", *game, "-o", str(page)) == 0, table_command.err
    assert "can be beaten" in table_command.out
    assert f"play --o human --game {spec}" in table_command.out
    assert page.read_text().count("<figure>") > 3
    value = table_command.json("best", *game)["outcome"]
    match = table_command.json("arena", "perfect", "minimax", *game)
    assert match["a_first"][value] == pytest.approx(1)
    # players that see text
    Path("bot.py").write_text(BOT)
    listed = table_command.json("arena", "random", "perfect", *game)
    if shape_of(load_game(spec)).move == "move":
        custom = table_command.json("arena", "bot.py:shares", "perfect", *game)
        for part in ("a_first", "a_second"):
            assert custom[part] == pytest.approx(listed[part])
    wrong = ("bot.py:wrong", "--convention", "text", "--deterministic")
    found = table_command.json("grade", *wrong, *game)
    assert {fault["kind"] for fault in found["faults"]} == {"illegal move"}
    kinds = {"cell": "an empty cell", "column": "an open column"}
    kind = kinds.get(shape_of(load_game(spec)).move, "a legal move")
    assert found["faults"][0]["detail"] == f"'resign' is not {kind}"
