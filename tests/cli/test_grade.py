"""The commands grade, arena and players."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import solver.arena.several as module
from solver.arena.grade import Grade, Rates
from solver.players import external
from tests.cli.conftest import PERFECT_BOT
from tests.conftest import BOTS, HEAP, ROOT, Command


@pytest.mark.large
def test_requirements(command: Command) -> None:
    assert command("grade", "nstep:9", "--require", "never-loses") == 0
    assert command("grade", "nstep:9", "--require", "optimal") == 1
    assert command.err == "perfectplay: required: optimal; not met by nstep:9\n"
    assert command("grade", f"{BOTS}:burns", "--limit", "0.02", "--require", "never-loses") == 1


@pytest.mark.slow
def test_a_bot_that_must_qualify_cannot_vouch_for_itself(command: Command) -> None:
    """One that declared itself deterministic was asked once, and could be bad from then on."""
    Path("bot.py").write_text(
        "def move(rows, side):\n"
        "    return [mark for row in rows for mark in row].index(None)\n"
        "move.deterministic = True\n"
    )
    words = ("grade", "bot.py:move", "--as", "second", "--json")
    assert command(*words, "--require", "optimal") == 1
    assert json.loads(command.out)["method"] == "sampled"
    assert command(*words, "--require", "optimal", "--deterministic") == 1
    assert json.loads(command.out)["method"] == "exact"


def test_the_game_lost_can_be_replayed_with_a_custom_game(command: Command) -> None:
    """The report's own words, typed: it names the file of the rules, as the user did."""
    Path("my games").mkdir()
    Path("my games/takeaway.py").write_text(HEAP)
    assert command("solve", "my games/takeaway.py:Heap") == 0
    Path("first.py").write_text("def first(position, moves, side): return moves[0]\n")
    arguments = ["first.py:first", "--game", "my games/takeaway.py:Heap"]
    assert command("grade", *arguments) == 0
    replay = re.search(r"printf '%s\\n' (.*) \| perfectplay (.*)", command.out)
    assert replay is not None
    command.type(*replay[1].split(), "q")
    assert command(*shlex.split(replay[2])) == 0
    assert "The game is over: X has won." in command.out


IN_ORDER = """
import random

ORDER = [*range(9)]
random.Random({seed}).shuffle(ORDER)

def move(board, side):
    cells = [mark for row in board for mark in row]
    return next(cell for cell in ORDER if cells[cell] is None)

move.deterministic = True
"""


@pytest.mark.slow
def test_folders_and_lists_are_graded_in_parallel_as_one_by_one(command: Command) -> None:
    """A file that is missing leaves the grades of the others."""
    Path("my bots").mkdir()
    for seed in (0, 1):  # the free cells in an order of their own
        Path(f"my bots/{seed}.py").write_text(IN_ORDER.format(seed=seed))
    lines = ["  my bots:move  # a folder", "", "# a comment", "missing.py:move"]
    Path("bots.txt").write_text("\n".join(lines), encoding="utf-8-sig")
    words = ("grade", "@bots.txt", "perfect", "--as", "second")
    graded = command.json(*words, "--workers", "2", "-o", "g.csv")
    names = ["my bots/0.py:move", "my bots/1.py:move", "missing.py:move", "perfect"]
    assert [grade["player"] for grade in graded] == names
    assert [grade["never_loses"] for grade in graded] == [False, False, None, True]
    assert graded[2]["faults"][0]["kind"] == "not loaded"
    with open("g.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["player"] for row in rows] == names
    for row, grade in zip(rows[:2], graded, strict=False):
        assert row["never_loses"] == str(grade["never_loses"])
        assert float(row["mean_regret"]) == grade["reachable"]["mean_regret"]
        assert row["losing_line"].split() == [step["label"] for step in grade["losing_line"]]
        assert row["verdict"] == f"{grade['player']} can be beaten moving second."
    assert command.json(*words) == graded
    assert command(*words[:1], *names[2:], "--require", "never-loses") == 1
    assert command.err.endswith("not met by missing.py:move\n")
    assert "missing.py:move cannot be graded: there is no file missing.py." in command.out


def test_a_bot_that_fails_gets_the_advice_to_show_its_output(command: Command) -> None:
    Path("bot.py").write_text("def move(board, side):\n    raise ValueError\n")
    arguments = ("grade", "bot.py:move", "--as", "first")
    assert command(*arguments) == 0
    assert command.err.startswith("perfectplay: add --show-output to see what the players print")
    assert re.search(r"exception +11 +[XO.]{9} +ValueError\n", command.out)
    assert command(*arguments, "--show-output") == 0
    assert "add --show-output" not in command.err


@pytest.mark.slow
def test_a_bot_of_several_that_varies_is_asked_again_with_a_note(command: Command) -> None:
    name = f"{BOTS}:by_chance"
    first, second = command.json("grade", "perfect", name, "--deterministic", "--as", "first")
    assert f"{name} gave two answers at" in command.err
    assert "It was asked again without --deterministic" in command.err
    assert (first["method"], second["method"], second["times"]) == ("exact", "sampled", 20)
    assert "it is not deterministic" in command.refuses("grade", name, "--deterministic")


MUTATES = """
def move(rows, side):
    row = next(row for row in rows if None in row)
    row[row.index(None)] = side
    return rows
"""
LOOPS = "def move(board, side):\n    while True: pass\n"


def test_bots_that_hang_or_cannot_be_graded_stand_last_in_every_ranking(command: Command) -> None:
    """Never as exact, with the reason; the others do not wait for them."""
    folder = Path("bots")
    folder.mkdir()
    bots = {"a_loops": LOOPS, "b_mutates": MUTATES, "c_broken": "x = (", "d": IN_ORDER}
    for name, code in bots.items():
        (folder / f"{name}.py").write_text(code.replace("{seed}", "1"))
    words = ("grade", "bots", "--as", "second", "--sample", "30", "--total", "2")
    assert command(*words, "-o", "g.csv", "-o", "g.html") == 0
    assert command.err.startswith("perfectplay: grading 4 players, 4 at once: at most ")
    assert len(re.findall(r"\d of 4: ", command.err)) == 4
    ranking = [line.split()[:2] for line in command.out.splitlines()[1:5]]
    assert ranking[0] == ["bots/d.py", "sample"]
    assert {row[1] for row in ranking[1:]} == {"-"}
    assert "bots/a_loops.py cannot be graded: the total of 2 s is spent" in command.out
    page, table = Path("g.html").read_text(), Path("g.csv").read_text().splitlines()
    assert re.findall(r'href="#player-\d">([^<]*)<', page) == [row[0] for row in ranking]
    assert [line.split(",")[3] for line in table[1:]] == ["", "", "", "sample"]


def test_a_player_is_asked_again_only_with_more_time_and_keeps_the_better_grade(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second round could give less time, and its worse grades replaced others."""
    rounds = [[(100, 1e6), (100, 1.0), (100, 1.0)], [(40, 0.5), (200, 50.0)]]

    def run(function: Any, calls: list[Any]) -> Iterator[Any]:
        """Yield grades with so many answers, in so many seconds."""
        for number, (answers, seconds) in enumerate(rounds.pop(0)):
            rates = Rates(answers, answers, 1.0, 1.0, 0.0)
            yield number, (Grade("bot", "", "both", all=rates, ended="the total of"), "", seconds)

    pool = nullcontext(SimpleNamespace(run=run))
    monkeypatch.setattr(module, "start_workers", lambda count: pool)
    game = "tictactoe", None
    *_, grades = module.grade_several([*"abc"], game, None, 3, {}, print, print, print)
    assert [one.all.positions for one in grades if one.all] == [100, 100, 200]


def test_bots_that_hang_stand_last_in_the_arena(command: Command) -> None:
    """When they are loaded, or asked, with the reason."""
    command.monkeypatch.setattr(external, "LOADING", 1.5)
    bots = {"loads": "while True: pass\n", "loops": LOOPS, "good": IN_ORDER.replace("{seed}", "1")}
    for name, code in bots.items():
        Path(f"{name}.py").write_text(code)
    words = ("loads.py", "loops.py", "good.py", "random", "--deterministic", "--limit", "0.05")
    assert command("arena", *words) == 0
    standings = [line.split()[1] for line in command.out.splitlines()[1:5]]
    assert {*standings[:2]} == {"good.py", "random"}
    assert re.search(r"loads.py .* too slow: the player loads.py cannot be loaded", command.out)
    assert re.search(r"loops.py .* too slow: no answer within", command.out)


def test_a_report_shows_what_the_bot_was_given(command: Command) -> None:
    Path("flat.py").write_text("def move(board):\n    return board.index('') + board[8]\n")
    assert command("grade", "flat.py", "--as", "first") == 0
    said = " ".join(command.out.split())
    assert re.search(r"At \S+ it was called with \(\[\[.*\]\]\): exception, ValueError", said)
    assert "one of rows, flat, cells, numpad, kaggle, text. See perfectplay players" in said
    Path("bot.py").write_text(
        "import sys\nfor line in sys.stdin:\n    print(line.index('.') + 1, flush=True)\n"
    )
    assert command("grade", f"command:{sys.executable} bot.py", "--sample", "40") == 0
    said = " ".join(command.out.split())
    assert re.search(r"it was sent '[XO]\\t[XO.]{9}' and replied '\d+': illegal move", said)
    assert "if it counts in the whole line, the side and the tab are 2 too many" in said
    Path("blog.py").write_text("class Bot:\n    def get_move(self, board): return 0\n")
    said = command.refuses("grade", "blog.py")
    assert (
        "the class Bot has get_move: add the lines 'bot = Bot()', 'def move(rows, side):'" in said
    )
    assert "indented, 'return bot.get_move(rows)'" in said
    Path("blog.py").write_text(
        "class Bot:\n    def move(self, board, side): return 0\nmine = Bot()\n"
    )
    assert "the class Bot has move: name blog.py:mine.move" in command.refuses("grade", "blog.py")


def test_arena_takes_the_convention_of_grade(command: Command) -> None:
    Path("flat.py").write_text("def move(cells):\n    return cells.index(' ')\n")
    words = ("flat.py", "random", "--deterministic", "--convention", "flat")
    assert command.json("arena", *words)["faults"] == []


def test_a_class_is_graded_without_a_flag(command: Command) -> None:
    """The side is left out, and the function has one of the usual names."""
    folder = Path("class")
    folder.mkdir()
    (folder / "anna.py").write_text(re.sub(r"\bmove\b", "minimax", PERFECT_BOT))
    (folder / "ben.py").write_text("def get_move(board, side):\n    return (0, 0)\n")
    anna, ben = command.json("grade", str(folder), "--sample", "20")
    assert anna["player"].endswith("anna.py")
    assert (anna["all"]["good_move_rate"], anna["faults"]) == (1, [])
    assert {fault["kind"] for fault in ben["faults"]} == {"illegal move"}
    (folder / "two.py").write_text("def move(board): ...\ndef minimax(board): ...\n")
    assert "has several of them: move, minimax; name one" in command.refuses(
        "grade", str(folder / "two.py")
    )


@pytest.mark.large
def test_the_workflow_of_the_docs_fails_a_bot_that_can_be_beaten(command: Command) -> None:
    page = (ROOT / "docs/how-to/grade-bots.md").read_text()
    workflow = re.search("```yaml\n(.*?)```", page, re.DOTALL)
    assert workflow is not None
    steps = re.findall("- run: perfectplay (.*)", workflow[1])
    assert len(steps) == 1
    for code, status in ((IN_ORDER.format(seed=1), 1), (PERFECT_BOT, 0)):
        Path("bot.py").write_text(code)
        assert command(*shlex.split(steps[0])) == status
        assert "<title>bot.py:move: grade</title>" in Path("grade.html").read_text()


@pytest.mark.slow
def test_arena_sampled(command: Command) -> None:
    arguments = ("arena", "random", "winblock", "--games", "101")
    answer = command.json(*arguments)
    assert (answer["a_first"]["games"], answer["a_second"]["games"]) == (51, 50)
    assert command(*arguments) == 0
    assert "101 games sampled\n" in command.out


@pytest.mark.slow
def test_arena_with_custom_players(command: Command) -> None:
    assert command.json("arena", f"{BOTS}:undeclared", "perfect")["method"] == "sampled"
    gone = command.json("arena", f"{BOTS}:dies", "perfect", "--deterministic")
    assert (gone["method"], gone["both"]["loss"]) == ("exact", 1)
    assert [fault["kind"] for fault in gone["faults"]] == ["ended"]
    assert command("arena", f"{BOTS}:dies", "perfect", "--deterministic") == 0
    assert "No legal move, which loses the game, in" in command.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["mnk:3,3,3,misere", pytest.param("mnk:5,5,4", marks=pytest.mark.campaign)]
)
def test_players_that_need_no_table_play_without_one(command: Command, spec: str) -> None:
    """Among more than two players, exact results are tried first, for seconds in a large game."""
    game = ("--game", spec, "--games", "2")
    assert command("arena", "random", "winblock", *game) == 0
    assert command("arena", "random", "win", "winblock", *game[:2], "--games", "1") == 0
    large = "mnk:5,5,4"
    for name in ("perfect", "minimax"):
        assert f"run perfectplay solve {large}" in command.refuses(
            "arena", "win", name, "--game", large
        )
