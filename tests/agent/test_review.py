"""Reviews: every value against brute force, published games, and records as people have them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Board, IllegalMoveError, TableAgent, load_game, review
from solver.games import connect4_search
from solver.rules.search import node_limit
from solver.tables.oracle import find_oracle
from tests.conftest import Command
from tests.support.brute import solve_by_force
from tests.support.solved import solved_agent

WORDS = {1: "win", 0: "draw", -1: "loss"}


def agent_of(spec: str, searched: bool) -> TableAgent[Any, Any]:
    return TableAgent(find_oracle(load_game(spec))) if searched else solved_agent(spec)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "searched"), [("tictactoe", False), ("connect4:3x3", True)])
def test_values_are_those_of_brute_force(spec: str, searched: bool) -> None:
    agent, generator = agent_of(spec, searched), random.Random(1)
    game, values = agent.game, solve_by_force(agent.game)

    def back(p: Any, m: Any) -> tuple[int, int | None]:
        outcome, plies = values[game.play(p, m)]
        return -outcome, None if plies is None else plies + 1

    for _ in range(12):
        p, played = game.initial(), []
        while game.primitive(p) is None:
            played.append((p, generator.choice(game.moves(p))))
            p = game.play(*played[-1])
        found = review(agent, [m for _, m in played])
        changed = []
        for ply, ((p, m), move) in enumerate(zip(played, found["moves"], strict=True), 1):
            before, after = values[p], back(p, m)
            assert move["before"] == {"outcome": WORDS[before[0]], "distance": before[1]}
            assert move["after"] == {"outcome": WORDS[after[0]], "distance": after[1]}
            assert move["regret"] == before[0] - after[0]
            best = [n for n in game.moves(p) if back(p, n) == before]
            assert [each["move"] for each in move["best"] or ()] == sorted(best)
            changed += [ply] * (before[0] != after[0])
        assert found["decisive"] == (changed[-1] if changed else None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("record", "value", "decisive"),
    [  # Pascal Pons, blog.gamesolver.org, Test_L3_R1: scores -1, 1 and 0; the rest by BitBully
        ("2252576253462244111563365343671351441", {"outcome": "loss", "distance": 4}, 34),
        ("7422341735647741166133573473242566", {"outcome": "win", "distance": 7}, 34),
        ("23163416124767223154467471272416755633", {"outcome": "draw", "distance": None}, 36),
    ],
)
@pytest.mark.thinned(3, 3)
def test_published_games_of_connect4(record: str, value: object, decisive: int) -> None:
    found = review("connect4", record)
    assert (found["value"], found["decisive"]) == (value, decisive)


def episode(moves: list[Any], board: list[int]) -> str:
    """Return an episode as Kaggle has it; the action of the idle agent is 0 or None."""
    steps = [
        [
            {
                "action": move if side != ply % 2 else (0, None)[side],
                "status": "ACTIVE" if side == ply % 2 else "INACTIVE",
                "observation": {"board": board},
            }
            for side in (0, 1)
        ]
        for ply, move in enumerate([0, *moves])
    ]
    return json.dumps({"name": "connectx", "steps": steps}, indent=1)


def test_episodes_of_kaggle_count_from_0() -> None:
    board = [0] * 35 + [2, 0, 0, 1, 0, 0, 0]
    assert review("connect4", episode([3, 0], board))["moves"] == review("connect4", "4 1")["moves"]
    tictactoe = episode([4, 0, 8], [2, 0, 0, 0, 1, 0, 0, 0, 1])
    assert review("tictactoe", tictactoe) == review("tictactoe", "5 1 9")
    for record, message in (
        (episode([4, 4], [1]), "move 2 of the record: '4' is not a legal move; the legal"),
        (episode([None], [1]), "no move to review: The first agent, X, gave no move at move 1"),
        (episode([4, 0], board), "do not lead to its board in tictactoe"),
        (tictactoe.replace("{", '{"configuration": {"inarow": 4},', 1), "has 4 in a row, and tict"),
        ('{"steps": [[{}]]', "not an episode"),
        ("[" * 9**5 + '"steps"', "not an episode"),
        ('log "steps"', "move 1 of the record: 'log' is not a legal move"),
    ):
        with pytest.raises(IllegalMoveError, match=message):
            review("tictactoe", record)


@pytest.mark.parametrize(
    ("action", "status", "said"),
    [(None, "TIMEOUT", "no move"), (None, "ERROR", "no move"), (9, "INVALID", "the move 9")],
)
def test_a_failed_episode_is_reviewed_up_to_the_failure(
    action: object, status: str, said: str
) -> None:
    """As a dict, as JSON, as its steps, and within other JSON; several are not guessed."""
    failed = json.loads(episode([4, action], [0, 0, 0, 0, 1, 0, 0, 0, 0]))
    failed["steps"][-1][1]["status"] = status
    whole = review("tictactoe", "5") | {
        "result": f"The second agent, O, gave {said} at move 2 ({status})."
    }
    wrapped = {"result": {"replay": json.dumps(failed)}}
    text = json.dumps(failed)
    for record in (failed, text, f"\ufeff{text}", failed["steps"], wrapped, json.dumps(wrapped)):
        assert review("tictactoe", record) == whole
    with pytest.raises(
        IllegalMoveError, match=r"several episodes: pass record\[0\] or record\[1\]"
    ):
        review("tictactoe", [failed, failed])


@pytest.mark.parametrize(
    "record", [5, None, 0.5, b"519", {4, 0}, {"a": 1}, [{"a": 1}], object(), '{"moves": [4, 0]}']
)
def test_what_is_no_record_is_said_in_a_sentence(record: Any) -> None:
    with pytest.raises(IllegalMoveError, match="is not the record of a game: only these forms"):
        review("tictactoe", record)


def test_lists_in_python() -> None:
    whole = review("tictactoe", "5 1")
    pairs = np.array([[1, 1], [0, 0]])
    for record in ((4, 0), np.array([4, 0]), ["5", "1"], [(1, 1), (0, 0)], pairs, pairs.tolist()):
        assert review("tictactoe", record) == whole
    assert review("tictactoe", [(1, 1), (2, 2)], from_zero=True) == review("tictactoe", "5 9")
    assert Board.from_moves("tictactoe", [(1, 1), (0, 0)]).text == "O...X...."
    for move in (4.0, True, None, (1, True), [4]):
        said = re.escape(
            f"record is {move}: a move is a label, such as '1', or a code, such as 0, or"
        )
        with pytest.raises(IllegalMoveError, match=said):
            review("tictactoe", [move, 0])
    for number in (519, 2**64 + 4, np.uint64(2**63 + 4)):
        with pytest.raises(
            IllegalMoveError, match=f"move 1 of the record: '{number}' is not a leg"
        ):
            review("tictactoe", [number])


def test_pairs_are_for_men_that_are_placed() -> None:
    placed = [(0, 0), (1, 1), (0, 1), (0, 2), (2, 0), (1, 0)]
    assert review("morris", placed) == review("morris", "1 5 2 3 7 4")
    with pytest.raises(
        IllegalMoveError, match="move 7 .* not a legal move; the legal moves are 7-8"
    ):
        review("morris", [*placed, (2, 1)])
    with pytest.raises(IllegalMoveError, match="a label, such as 'a1a2', or a code, such as 57$"):
        review("hexapawn:3x3", [[2, 0], [1, 0]])


SAVED = "# by OpenSpiel\n[Meta]\nVersion: 1\n\n[Game]\ntic_tac_toe()\n[State]\n4\n0\n8\n"


def test_files_that_are_one_record(command: Command) -> None:
    """A saved state of OpenSpiel is one game; other JSON is named once, not by its fragments."""
    Path("saved.txt").write_text(SAVED)
    assert command.json("review", "saved.txt") == review("tictactoe", "5 1 9")
    assert "name the game with --game tictactoe" in refused_line(command, "connect4:4x4")
    for text in ('{\n"a": [\n{}]}', '{"a": 1}\n{"a": 2}\n', '[{"a": 1},\n{"a": 2}]'):
        Path("log.txt").write_text(text)
        assert command("review", "log.txt") == 2
        assert command.out.count("Line ") == command.out.count("only these forms are read") == 1


def refused_line(command: Command, game: str) -> str:
    assert command("review", "saved.txt", "--game", game) == 2
    return command.out


@pytest.mark.slow
def test_what_a_search_does_not_reach_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect4_search, "SLICE", 1000)
    agent = agent_of("connect4:5x4", searched=True)
    record = "33332111555221"
    with node_limit(2000):
        found = review(agent, record)
    unproved = [move["ply"] for move in found["moves"] if move["regret"] is None]
    assert unproved == [*range(1, len(unproved) + 1)]
    assert 0 < len(unproved) < 14
    assert found["verdict"].startswith(f"Moves 1 to {len(unproved)} are not proved. ")
    whole = review(agent, record)
    assert found["moves"][len(unproved) :] == whole["moves"][len(unproved) :]


def test_the_command_reviews(command: Command) -> None:
    records = "5 2 1 9 3 7 4", "1 4 2 5 3 6", "", "[4, 0, 8]", "[4, 1, 2]"
    Path("games.txt").write_text("\n".join(records))
    assert command("review", "games.txt", "--json") == 2
    first, second, third, fourth = map(json.loads, command.out.splitlines())
    assert (first, third) == (review("tictactoe", records[0]), review("tictactoe", "5 1 9"))
    assert second["error"].startswith("move 6 of the record: '6' is not a legal move: the game is")
    assert "can count moves from 0 and from 1: write 5 2 3 or 4 1 2 without" in fourth["error"]
    assert "2 lines could not be read as games" in command.err
    assert command("review", "games.txt") == 2
    assert "2     O     2       draw             loss in 3 moves  1, 3, 7, 9  1\n" in command.out
    assert "Line 2: move 6 of the record" in command.out
    for encoding in ("utf-8-sig", "utf-16"):  # as Windows writes files
        Path("windows.txt").write_text("1. 5 1\n2. 9 3\n", encoding=encoding)
        assert command.json("review", "windows.txt") == review("tictactoe", "5 1 9 3")
    assert "there is no file '5 1'; - reads games" in command.refuses("review", "5 1")
    Path("game.txt").write_text(episode([4, 1], [0, 2, 0, 0, 1, 0, 0, 0, 0]))
    assert command("review", "game.txt") == 0
    assert "O threw a draw away at move 2: played 2, best 1, 3, 7, 9." in command.out
