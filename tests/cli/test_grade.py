"""The command grade."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.fuzz import HEAP
from tests.conftest import BOTS, Command


@pytest.mark.slow
def test_json_and_page(command: Command, tmp_path: Path) -> None:
    answer = command.json("grade", "winblock")
    for name in (
        *("player", "game", "never_loses", "optimal", "losing_line", "blunders"),
        *("reachable", "all", "against", "faults"),
    ):
        assert name in answer
    assert set(answer["reachable"]) == {
        *("positions", "choices", "good_move_rate", "perfect_move_rate", "mean_regret")
    }
    assert set(answer["against"]) == {"random", "winblock", "perfect"}
    blunder = answer["blunders"][0]
    assert {"position", "move", "best", "outcome_before", "outcome_after"} <= set(blunder)
    several = command.json("grade", "winblock", "perfect", "-o", "g.html")
    assert several[0] == answer
    html = (tmp_path / "g.html").read_text()
    assert "winblock can be beaten" in html
    assert "perfect plays perfectly" in html


@pytest.mark.slow
def test_requirements(command: Command) -> None:
    assert command("grade", "perfect", "--require", "optimal") == 0
    assert command("grade", "nstep:9", "--require", "never-loses") == 0
    assert command("grade", "nstep:9", "--require", "optimal") == 1
    assert command.err == "perfectplay: required: optimal; not met by nstep:9\n"
    assert command("grade", "winblock", "perfect", "--require", "never-loses") == 1
    assert "not met by winblock\n" in command.err
    assert command("grade", f"{BOTS}:burns", "--limit", "0.1", "--require", "never-loses") == 1


@pytest.mark.slow
def test_a_bad_file_leaves_the_grades_of_the_others(command: Command) -> None:
    names = (f"{BOTS}:first_free", "none.py:move", "perfect", f"{BOTS}:dies")
    first, missing, perfect, dies = command.json("grade", *names, "--as", "second", "--total", "5")
    assert first["never_loses"] is False
    assert missing["faults"][0]["kind"] == "not loaded"
    assert perfect["optimal"] is True
    assert dies["faults"][-1]["kind"] == "ended"
    assert dies["not_asked"] > 0
    assert command("grade", *names[1:3], "--require", "never-loses") == 1
    assert "not met by none.py:move" in command.err
    assert "none.py:move cannot be graded: the player none.py:move cannot be loaded" in command.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["human"], "human plays at the terminal only"),
        (["nobody"], "no player 'nobody'"),
        (["perfect", "nobody"], "no player 'nobody'"),
        (["none.py:move"], "cannot be loaded"),
        (["perfect", "--as", "third"], "first, second or both"),
        ([f"{BOTS}:first_free", "--limit", "nan"], "--limit"),
        (["perfect", "--require", "charm"], "never-loses and optimal can"),
        (["perfect", "-o", ""], "no file can be written there"),
        (["perfect", "-o", "missing/g.html"], "'missing/g.html': no file can be written there"),
    ],
)
def test_grade_refuses(command: Command, arguments: list[str], message: str) -> None:
    assert message in command.refuses("grade", *arguments)


def test_the_game_lost_can_be_replayed_with_a_custom_game(
    command: Command, typing_at_terminal: Callable[..., None]
) -> None:
    """The report's own words, typed: it names the file of the rules, as the user did."""
    Path("my games").mkdir()
    Path("my games/takeaway.py").write_text(HEAP)
    assert command("solve", "my games/takeaway.py:Heap") == 0
    Path("first.py").write_text("def first(position, moves, side): return moves[0]\n")
    arguments = ["first.py:first", "--game", "my games/takeaway.py:Heap", "--convention", "text"]
    assert command("grade", *arguments) == 0
    replay = re.search(r"printf '%s\\n' (.*) \| perfectplay (.*)", command.out)
    assert replay is not None
    typing_at_terminal(*replay[1].split(), "q")
    assert command(*shlex.split(replay[2])) == 0
    assert "The game is over: X has won." in command.out
