"""Every command with every game, as a user sees them.

By default each game meets some of the slower commands and each command some of the games; the rest
of the matrix is marked large.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.players.conventions import shape_of
from tests.cli.conftest import CYCLIC, GAMES, PAWNS, QUEEN, games
from tests.conftest import Command
from tests.support.tables import table_path

BOT = """
def first(rows, side):
    return next(c for c in range(len(rows[0])) if rows[0][c] is None)

def pair(rows, side):
    return (0, 0)

def kaggle(observation, configuration):
    top = observation.board[: configuration.columns]
    assert configuration.inarow == 3 and observation.mark in (1, 2)
    return max(c for c, mark in enumerate(top) if mark == 0)

def last(position, moves, side):
    return moves[-1]

def wrong(position, moves, side):
    return "resign"

def shares(position, moves, side):
    return {move: 1 / len(moves) for move in moves}

def ahead(position, moves, side):
    return "b2b3" if "b2b3" in moves else moves[0]
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.thinned(4)
def test_a_line_is_as_long_as_the_distance(table_command: Command, spec: str) -> None:
    best = table_command.json("best", "--game", spec)
    line = table_command.json("line", "--game", spec)
    assert line["outcome"] == best["outcome"]
    if best["distance"] is not None:
        assert len(line["line"]) == best["distance"]
    game = load_game(spec)
    p = game.initial()
    visited = [p]
    for step in line["line"]:
        moves = {game.code(m): m for m in game.moves(p)}
        p = game.play(p, moves[step["move"]])
        visited.append(p)
    assert len(set(visited[:-1])) == len(visited) - 1
    if spec in CYCLIC:
        assert game.primitive(p) is None
        assert p in visited[:-1]
        assert (line["outcome"], line["distance"]) == ("draw", None)
    else:
        assert game.primitive(p) is not None
    assert table_command("line", "--game", spec) == 0
    *steps, end = table_command.out.splitlines()
    assert steps == [
        f"{number}. {step['turn']} {step['label']}" for number, step in enumerate(line["line"], 1)
    ]
    if spec in CYCLIC:
        assert end == "The position repeats: a draw."
    else:
        assert end.startswith("The game is over: ")


@pytest.mark.slow
@pytest.mark.parametrize("spec", games("notakto", "hexapawn:3x3", "nim:3,4,5", "ponghauki"))
@pytest.mark.thinned(9)
def test_positions_of_a_line_are_explained(table_command: Command, spec: str) -> None:
    line = table_command.json("line", "--game", spec)
    distance = line["distance"]
    for step in line["line"]:
        turn = load_game(spec).other(step["turn"])
        options = (step["position"], "--game", spec, "--turn", turn)
        answer = table_command.json("explain", *options)
        assert (answer["position"], answer["turn"]) == (step["position"], turn)
        distance = None if distance is None else distance - 1
        assert answer["distance"] == distance
        assert all(isinstance(move["reasons"], list) for move in answer["moves"])
        assert table_command("best", *options) == 0, table_command.err


@pytest.mark.parametrize("spec", games("notakto", "hexapawn:3x3", "nim:3,4,5", "ponghauki"))
@pytest.mark.thinned(16, 4)
def test_perfect_is_optimal_and_random_is_not(
    table_command: Command, spec: str, tmp_path: Path
) -> None:
    found = table_command.json("grade", "perfect", "--game", spec)
    assert found["optimal"] is True
    assert found["reachable"]["mean_regret"] == 0
    page = tmp_path / "page.html"
    assert table_command("grade", "random", "--game", spec, "-o", str(page)) == 0, table_command.err
    assert "can be beaten" in table_command.out
    assert f"play --o human --game {spec}" in table_command.out
    assert page.read_text().count("<figure>") > 3


@pytest.mark.parametrize("spec", games(*(g for g in GAMES if g not in (PAWNS, QUEEN))))
@pytest.mark.thinned(6)
def test_exact_matches(table_command: Command, spec: str) -> None:
    """Perfect play gets the value of the start; the shares of every result add up to 1."""
    value = table_command.json("best", "--game", spec)["outcome"]
    match = table_command.json("arena", "perfect", "minimax", "--game", spec)
    assert match["a_first"][value] == pytest.approx(1)
    if spec != "connect4:4x3":
        match = table_command.json("arena", "nstep:2", "win", "--game", spec)
        for part in ("a_first", "a_second", "both"):
            assert sum(match[part][name] for name in ("win", "draw", "loss")) == pytest.approx(1)


def line_to_the_third_repetition(table_command: Command, spec: str) -> list[dict[str, Any]]:
    """Return a line whose cycle is played once more, so that a position occurs three times."""
    answer = table_command.json("line", "--game", spec)
    line: list[dict[str, Any]] = answer["line"]
    positions = [answer["position"], *(step["position"] for step in line)]
    return line + line[positions.index(positions[-1]) :]


@pytest.mark.slow
@pytest.mark.parametrize("spec", GAMES)
def test_a_person_plays_to_the_end(
    table_command: Command, spec: str, typing_at_terminal: Callable[..., None]
) -> None:
    """With the moves of the line, the person gets the value of the position."""
    line = table_command.json("line", "--game", spec)["line"]
    outcome = table_command.json("best", "--game", spec)["outcome"]
    first, second = load_game(spec).seats
    if spec in CYCLIC:
        line = line_to_the_third_repetition(table_command, spec)
    typing_at_terminal(*(step["label"] for step in line[::2]), "n")
    assert table_command("play", "--game", spec) == 0, table_command.err
    assert table_command.out.count("your move") == len(line[::2])
    result = {"win": f"{first} has won", "loss": f"{second} has won", "draw": "a draw"}[outcome]
    ended = "Threefold repetition" if spec in CYCLIC else "The game is over"
    assert f"{ended}: {result}" in table_command.out


@pytest.mark.slow
@pytest.mark.parametrize("spec", games("nim:3,4,5", "morris", "achi", PAWNS, QUEEN))
@pytest.mark.thinned(14, 2)
def test_tables_are_described_exported_and_verified(
    table_command: Command, spec: str, tmp_path: Path
) -> None:
    path = str(table_path(spec, ".json"))
    about = table_command.json("info", path)
    assert about["game"] == load_game(spec).spec
    out = tmp_path / "rows.csv"
    assert table_command("export", path, "-o", str(out)) == 0, table_command.err
    assert out.read_text().count("\n") == about["canonical"] + 1
    assert table_command("verify", path) == 0, table_command.err


@pytest.mark.slow
@pytest.mark.parametrize("spec", games("notakto", "hexapawn:3x3", "nim:3,4,5", "ponghauki"))
@pytest.mark.thinned(3)
def test_a_player_that_sees_text_plays_every_game(
    table_command: Command, bot: str, spec: str
) -> None:
    options = ("--game", spec, "--convention", "text")
    listed = table_command.json("arena", "random", "perfect", "--game", spec)
    custom = table_command.json("arena", f"{bot}:shares", "perfect", *options)
    for part in ("a_first", "a_second"):
        assert custom[part] == pytest.approx(listed[part])
    found = table_command.json("grade", f"{bot}:wrong", *options, "--deterministic")
    assert {fault["kind"] for fault in found["faults"]} == {"illegal move"}
    kinds = {"cell": "an empty cell", "column": "an open column"}
    kind = kinds.get(shape_of(load_game(spec)).move, "a legal move")
    assert found["faults"][0]["detail"] == f"'resign' is not {kind}"
