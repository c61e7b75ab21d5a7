"""The command report: words, JSON, a web page, and conditions in a build."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT, Command
from tests.reports.test_grade_text import parsed

CONDITIONS = "random: first <= 58.5%; random: draws 10%..15%; fair first moves >= 1"


def test_a_report_in_words(command: Command) -> None:
    assert command("report", "tictactoe") == 0
    assert command.err == ""
    for line in (
        "tictactoe: a draw with perfect play.",
        "9 of 9: 1, 2, 3, 4, 5, 6, 7, 8, 9.",
        "  random   random   58.49%      12.70%  28.81%       7.63  8       9     9",
        "255,168 different games: 131,184 won by the first player",
    ):
        assert line in command.out
    for part in command.out.split("\n\n"):
        assert max(map(len, part.splitlines())) < 90


def test_a_report_as_json(command: Command) -> None:
    found = command.json("report", "tictactoe", "--require", CONDITIONS)
    assert found["matches"]["random"]["result"]["win"] == pytest.approx(737 / 1260)
    assert found["games"] == [131_184, 46_080, 77_904]
    assert (found["tree"], found["longest"]) == (549_946, 9)
    assert found["must_know"] == ["first", 24]
    assert found["required"] == dict.fromkeys(CONDITIONS.split("; "), "")
    assert found["plies"][2]["single"] == 8


def test_a_game_without_a_table_says_how_to_make_one(command: Command) -> None:
    assert "perfectplay solve connect4:7x6" in command.refuses("report", "connect4:7x6")


def test_a_sampled_report_says_so(command: Command) -> None:
    assert command("report", "tictactoe", "--budget", "0") == 0
    assert "  1 game\n" in command.out
    assert "±" not in command.out  # too few games for an interval
    assert "estimate from so many games" in " ".join(command.out.split())
    failed = command("report", "tictactoe", "--budget", "0", "--require", "random: draws <= 100%")
    assert failed == 1
    assert "random: draws <= 100%: it rests on a sample of 1 game;" in command.err


def test_what_is_not_met_is_named(command: Command) -> None:
    conditions = f"{CONDITIONS}; random: second >= 40%; one good move < 20%"
    assert command("report", "tictactoe", "--require", conditions) == 1
    assert command.err == (
        "perfectplay: required, and not met: random: second >= 40%: it is 28.809523809524%;"
        " one good move < 20%: it is 50.814332247557%\n"
    )
    assert "Who wins:" in command.out


def test_unknown_words_are_refused_before_anything_is_computed(command: Command) -> None:
    said = command.refuses("report", "connect4:7x6", "--require", "random: wins <= 5%")
    assert "there are first, draws, second, mean length" in said
    assert ".html" in command.refuses("report", "tictactoe", "-o", "report.txt")


def test_the_page_has_the_words_two_pictures_and_no_script(command: Command) -> None:
    assert command("report", "tictactoe", "-o", "report.html") == 0
    text, page = command.out, Path("report.html").read_text()
    root = parsed(page)
    assert len([*root.iter("{http://www.w3.org/2000/svg}svg")]) == 2
    assert not [*root.iter("script")]
    assert "http:" not in page.replace("http://www.w3.org/", "")
    read = "".join(root.itertext())
    assert "perfect against random" in read
    for words in ("255,168 different games", "58.49%", "Fair first moves"):
        assert words in text
        assert words in read


def test_the_balance_of_the_example(command: Command) -> None:
    """One rack fails its build, the other passes, by the command of the workflow."""
    folder = ROOT / "examples/balance"
    for name in ("drop_three.py", "balance.txt", "balance.yaml"):
        shutil.copy(folder / name, name)
    conditions = Path("balance.txt").read_text()
    runs = re.findall(r"run: perfectplay (.*)", Path("balance.yaml").read_text())
    assert len(runs) == 1
    for rack, status in (("DropThree", 1), ("Narrow", 0)):
        for run in runs:
            words = shlex.split(run.replace("$(cat balance.txt)", conditions))
            code = command(*(word.replace("Narrow", rack) for word in words))
            assert code == (status if "--require" in words else 0)
        told = command.err or command.out.splitlines()[-1]
        assert ("fair first moves >= 1: it is 0" in told) == bool(status)
    assert "required, and met: random: first <= 60%; random: draws <= 20%" in told
