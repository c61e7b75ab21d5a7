"""The commands as a user types them: transcripts, JSON, and what bad input gets.

`tests/cli/golden/*.txt` hold transcripts: a line `$ command`, then what it prints. To accept new
output after a deliberate change, run `python -m tests.cli.test_cli`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.cli import run
from tests.conftest import BOTS, ROOT, SHIPPED, Command
from tests.support import oracle
from tests.support.forged import DATA, edited

GOLDEN = ROOT / "tests" / "cli" / "golden"
MAIN = [sys.executable, "-m", "solver"]


def transcript(path: Path) -> str:
    """Run the commands of a transcript again and return it with what they print now."""
    out = []
    for line in path.read_text().splitlines():
        if not line.startswith("$ perfectplay"):
            continue
        arguments = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)[2:]]
        printed, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
            status = run(arguments)
        out.append(line + "\n" + printed.getvalue() + complained.getvalue())
        if status:
            out.append(f"[exit {status}]\n")
    return "".join(out)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_transcripts(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.chdir(ROOT)
    assert transcript(path) == path.read_text()


# solve, verify, info, games


def test_solve_writes_the_table(command: Command, tmp_path: Path) -> None:
    assert command("solve", "-o", "t.json") == 0
    assert (tmp_path / "t.json").read_bytes() == DATA
    assert "wrote t.json: 58,636 bytes" in command.out
    assert command("solve", "tictactoe", "--method", "retrograde", "-o", "u.json") == 0
    assert (tmp_path / "u.json").read_bytes() == DATA


def test_solve_goes_to_the_users_tables(command: Command, tmp_path: Path) -> None:
    answer = command.json("solve")
    path = tmp_path / "tables" / "tictactoe.json"
    assert answer["path"] == str(path)
    assert path.read_bytes() == DATA
    path.write_bytes(edited(win=1)[:-5])
    assert str(path) in command.refuses("best")


def test_solve_json(command: Command, known: dict[str, Any]) -> None:
    answer = command.json("solve", "-o", "t.json")
    counts = known["tictactoe"]
    assert answer.pop("seconds") >= 0
    assert answer == {
        "game": "tictactoe",
        "positions": 5478,
        "canonical": 765,
        "terminal": 958,
        **counts["side_to_move"],
        "outcome": "draw",
        "distance": None,
        "sha256": json.loads(DATA)["sha256"],
        "bytes": len(DATA),
        "path": "t.json",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "go"], "no game 'go'; the games are tictactoe, mnk"),
        (["solve", "--method", "magic"], "'magic'"),
        (["solve", "-o", "missing/t.json"], "missing/t.json"),
        (["solve", "-o", "."], "no file can be written there"),
    ],
)
def test_solve_refuses(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses(*arguments)


def test_verify_proves_and_refuses(command: Command, tmp_path: Path) -> None:
    assert command("verify", str(SHIPPED)) == 0
    assert command.out.count("\n") == 4
    answer = command.json("verify", str(SHIPPED), "--game", "tictactoe")
    assert (answer["proved"], answer["positions"], answer["outcome"]) == (True, 5478, "draw")
    (tmp_path / "cut.json").write_bytes(DATA[:-9])
    assert "not a complete JSON file" in command.refuses("verify", "cut.json", status=1)
    (tmp_path / "wrong.json").write_bytes(edited(win=2835, loss=1575))
    message = command.refuses("verify", "wrong.json", status=1)
    assert "the count 'win' is 2835; it should be 2836" in message
    assert command("verify", "wrong.json", "--json") == 1
    assert json.loads(command.out)["proved"] is False


def test_verify_tells_bad_input_from_a_bad_table(command: Command) -> None:
    assert "No such file" in command.refuses("verify", "none.json")
    assert "no game 'go'" in command.refuses("verify", str(SHIPPED), "--game", "go")
    assert "FILE" in command.refuses("verify")


def test_info(command: Command) -> None:
    answer = command.json("info", str(SHIPPED))
    assert answer["sha256"] == json.loads(DATA)["sha256"]
    assert answer["bytes"] == len(DATA)
    assert command("info", str(SHIPPED)) == 0
    assert answer["sha256"] in command.out
    assert "Is a directory" in command.refuses("info", str(ROOT))


def test_games(command: Command, known: dict[str, Any]) -> None:
    listing = command.json("games")[0]
    assert listing["spec"] == "tictactoe"
    assert listing["positions"] == sum(known["tictactoe"]["positions_by_ply"])
    assert listing["canonical"] == sum(known["tictactoe"]["canonical_by_ply"])
    assert listing["value"] == "draw"


# best, line, explain


def test_best_json_on_every_kind_of_position(command: Command) -> None:
    for board in oracle.reachable()[::53]:
        answer = command.json("best", board)
        outcome, plies = oracle.solve(board)
        words = {1: "win", 0: "draw", -1: "loss"}
        assert list(answer) == [
            *("game", "position", "turn", "outcome", "distance", "move", "best", "moves")
        ]
        assert answer["position"] == board
        assert answer["turn"] == oracle.turn(board)
        assert (answer["outcome"], answer["distance"]) == (words[outcome], plies)
        ties = [c for c in oracle.moves(board) if oracle.move_value(board, c) == (outcome, plies)]
        assert answer["best"] == ties
        assert answer["move"] == (answer["moves"][0]["move"] if ties else None)
        for move in answer["moves"]:
            value, distance = oracle.move_value(board, move["move"])
            assert (move["outcome"], move["distance"]) == (words[value], distance)
            assert move["trap"] == oracle.trap(board, move["move"])
            assert move["label"] == str(move["move"] + 1)


def test_the_choice_is_by_the_board_as_asked(command: Command) -> None:
    """Not by the canonical image: of the four corners that tie, the lowest on each board."""
    assert command.json("best")["move"] == 0
    assert command.json("best", "....X....")["move"] == 0
    assert command.json("best", "........X")["move"] == 4


def test_a_finished_game_has_no_move(command: Command) -> None:
    answer = command.json("best", "XXXOO....")
    assert (answer["move"], answer["best"], answer["moves"]) == (None, [], [])
    assert (answer["outcome"], answer["distance"]) == ("loss", 0)
    assert command("best", "XXXOO....") == 0
    assert "X has won" in command.out
    assert command.json("line", "XXXOO....")["line"] == []
    assert command.json("explain", "XXXOO....")["verdict"] == "The game is over: X has won."


@pytest.mark.parametrize(
    "board", ["x...o....", "X---O----", "X23/4O6/789", "X  | O |   ", "X..\n.O.\n..."]
)
def test_boards_in_every_spelling(command: Command, board: str) -> None:
    assert command.json("best", board) == command.json("best", "X...O....")


@pytest.mark.parametrize("board", ["---------", "-X--O----", "-X-/-O-/---"])
def test_a_board_may_begin_with_a_dash(command: Command, board: str) -> None:
    dotted = board.replace("-", ".")
    assert command.json("best", board) == command.json("best", dotted)


def test_turn(command: Command) -> None:
    answer = command.json("best", "O........", "--turn", "x")
    assert (answer["turn"], answer["move"], answer["position"]) == ("X", 4, "O........")
    line = command.json("line", "O........", "--turn", "X")["line"]
    assert line[0] == {"turn": "X", "move": 4, "label": "5", "position": "O...X...."}
    assert "too many O" in command.refuses("best", "O........")


def test_line_ends_the_game(command: Command) -> None:
    for board in oracle.reachable()[::211]:
        answer = command.json("line", board)
        if answer["distance"] is not None:
            assert len(answer["line"]) == answer["distance"]
        last = answer["line"][-1]["position"] if answer["line"] else board
        assert oracle.over(last)


def test_explain_json(command: Command) -> None:
    answer = command.json("explain", "XX.OO....")
    assert answer["moves"][0]["reasons"] == ["wins now"]


def test_a_table_of_ones_own(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(DATA)
    assert command.json("best", "--table", "t.json") == command.json("best")
    path.write_bytes(DATA.replace(b"0.875", b"0.876"))
    assert "t.json: the table has been altered" in command.refuses("best", "--table", "t.json")
    assert "none.json" in command.refuses("best", "--table", "none.json")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["best", "XXX"], "a board has 9 cells"),
        (["best", "XXXXXXXXX"], "too many X"),
        (["best", "X...O....", "extra"], "extra"),
        (["best", "--turn", "Z"], "must be X or O"),
        (["best", "--game", "go"], "no game 'go'"),
        (["best", "--gmae", "go"], "--gmae"),
        (["best", ""], "a board has 9 cells"),
        (["best", "X...O...\x00"], "cell 9"),
        (["best", "a\nb\nc"], "a board has 9 cells"),
        (["line", "XO"], "a board has 9 cells"),
        (["explain", "XO"], "a board has 9 cells"),
        (["bset"], "best"),
        (["--wrong"], "--wrong"),
        (["play", "--x", "nobody"], "there is no player 'nobody'; the players are: "),
        (["play", "--first", "Z"], "must be X, O or random"),
        (["play", "--seed", "soon"], "--seed"),
    ],
)
def test_bad_input_gets_one_line(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses(*arguments)


def test_help_and_version(command: Command) -> None:
    assert command("--version") == 0
    assert re.fullmatch(r"perfectplay \d+\.\d+\.\d+\n", command.out)
    for arguments in ([], ["--help"], ["best", "--help"]):
        assert command(*arguments) == 0
        assert "Usage: perfectplay" in command.out
    assert command.err == ""


# the process: pipes, colours, completion


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line.replace("perfectplay", " ".join(MAIN))],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **variables},
    )


def test_a_closed_pipe_is_no_error() -> None:
    done = shell("for i in 1 2 3; do perfectplay best; done | head -n 1")
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("perfectplay best >&-", 0),
        ("perfectplay play <&-", 0),
        ("perfectplay play >&-", 0),
        ("perfectplay best XXX 2>&-", 2),
        ("perfectplay best XXX 2>/dev/full", 2),
        ("perfectplay verify none.json 2>/dev/full", 2),
    ],
)
def test_closed_and_full_streams(line: str, status: int) -> None:
    done = shell(line + " < /dev/null" if "<" not in line else line)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr


def test_odd_names_and_bytes_are_printed_as_ascii(tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.json")
    (tmp_path / name).write_bytes(DATA)
    done = shell(f"perfectplay verify {tmp_path}/$'\\xff.json'", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    done = shell(f"perfectplay verify {tmp_path}/$'\\x1b[31m.json'")
    assert "\x1b" not in done.stderr
    assert done.returncode == 2
    done = shell("printf '\\xff\\n' | perfectplay play", PYTHONIOENCODING="utf-8")
    assert done.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_on_stdout_is_one_line() -> None:
    done = shell("perfectplay best > /dev/full")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_no_colour_where_it_is_not_wanted() -> None:
    assert "\x1b" not in shell("perfectplay best").stdout
    forced = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    assert "\x1b[" in shell("perfectplay best XX.OO....", **forced).stdout
    assert "\x1b[1;34m" not in shell("perfectplay best XX.OO....", **forced, NO_COLOR="1").stdout


def test_shell_completion() -> None:
    variables = {
        "_PERFECTPLAY_COMPLETE": "complete_bash",
        "COMP_WORDS": "perfectplay play --x ",
        "COMP_CWORD": "3",
    }
    assert "perfect" in shell("perfectplay", **variables).stdout.split()
    variables |= {"COMP_WORDS": "perfectplay expl", "COMP_CWORD": "1"}
    assert shell("perfectplay", **variables).stdout.split() == ["explain"]


def test_ctrl_c_ends_cleanly() -> None:
    process = subprocess.Popen(
        [*MAIN, "play"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    process.stdout.read(10)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert err == ""
    assert out.endswith("Bye.\n")


def test_ctrl_c_during_other_commands(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solver.cli.solve.solve_file", interrupt)
    assert command("solve", "-o", "t.json") == 130
    assert command.err == ""


def test_a_bug_is_not_hidden(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("solver.cli.solve.solve_file", bug)
    with pytest.raises(RuntimeError):
        command("solve", "-o", "t.json")


# play


def test_a_person_against_the_table(
    command: Command, typing_at_terminal: Callable[..., None]
) -> None:
    typing_at_terminal("5", "9", "h", "2", "1", "x", "4", "7", "n")
    assert command("play") == 0
    assert command.out.endswith(
        "The game is over: a draw.\nPlay again? (y or n, u to take back): n\n"
    )
    assert "O plays 1.\n\n O | 2 | 3\n" in command.out
    assert (
        "Hint: 2, draw: blocks O's win; threatens to win at 8;"
        " the only move that holds the draw; of O's 4 replies all but 8 lose\n"
    ) in command.out
    assert "'x' is not a legal move; the legal moves are " in command.out


def test_taking_back(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("u", "1", "u", "5", "q")
    assert command("play") == 0
    assert "There is no move to take back." in command.out
    assert command.out.count("O plays 5.") == 1
    assert command.out.count("O plays 1.") == 1
    assert command.out.endswith("Bye.\n")


def test_two_people(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("1", "4", "2", "5", "3", "u", "7", "6", "n")
    assert command("play", "--o", "human") == 0
    assert "The game is over: X has won." in command.out
    assert "The game is over: O has won." in command.out
    assert "Bye" not in command.out


def test_playing_again(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("1", "4", "2", "5", "3", "y", "9")
    assert command("play", "--o", "human") == 0
    assert " 7 | 8 | X\n" in command.out
    assert command.out.endswith("Bye.\n")


def test_the_number_pad(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("7", "h", "^C")
    assert command("play", "--o", "human", "--numpad") == 0
    assert command.out.startswith(" 7 | 8 | 9\n---+---+---\n 4 | 5 | 6\n")
    assert " X | 8 | 9\n" in command.out
    assert "Hint: 5, draw" in command.out


def test_two_players_without_people(command: Command) -> None:
    assert command("play", "--x", "perfect", "--o", "perfect") == 0
    assert command.out.count("plays") == 9
    assert command.out.rstrip().endswith("The game is over: a draw.")


def test_chance_is_repeatable(command: Command) -> None:
    outs = []
    for seed in ("1", "1", "2", "3", "4"):
        arguments = ("--x", "random", "--o", "random", "--first", "random", "--seed", seed)
        assert command("play", *arguments) == 0
        outs.append(command.out)
    assert outs[0] == outs[1]
    assert len(set(outs)) > 1
    assert {out.split()[0] for out in outs} <= {"X", "O"}


def test_o_may_begin(command: Command, typing_at_terminal: Callable[..., None]) -> None:
    typing_at_terminal("q")
    assert command("play", "--first", "O") == 0
    assert command.out.startswith("O plays 1.")


# contests


def test_arena_json(command: Command) -> None:
    answer = command.json("arena", "think3", "think2")
    names = ["a", "b", "method", "a_first", "a_second", "both", "repeats", "faults"]
    assert list(answer) == names
    assert (answer["a"], answer["b"], answer["method"]) == ("think3", "think2", "exact")
    for part in ("a_first", "a_second", "both"):
        assert sum(answer[part].values()) == pytest.approx(1)
    assert answer["both"]["loss"] > answer["both"]["win"]


def test_arena_sampled(command: Command) -> None:
    arguments = ("arena", "random", "winblock", "--games", "101", "--seed", "4")
    answer = command.json(*arguments)
    assert answer == command.json(*arguments)
    assert (answer["method"], answer["a_first"]["games"], answer["a_second"]["games"]) == (
        "sampled",
        51,
        50,
    )
    low, high = answer["both"]["intervals"]["win"]
    assert low < answer["both"]["win"] < high
    assert command(*arguments) == 0
    assert "101 games sampled, seed 4" in command.out


def test_arena_with_ones_own(command: Command) -> None:
    assert command("arena", f"{BOTS}:by_chance", "perfect", "--games", "20") == 0
    assert command.json("arena", f"{BOTS}:undeclared", "perfect")["method"] == "sampled"
    declared = command.json("arena", f"{BOTS}:undeclared", "perfect", "--deterministic")
    assert declared["method"] == "exact"
    said = command.refuses("arena", f"{BOTS}:undeclared", "perfect", "--exact")
    assert "declare it deterministic" in said
    assert command("arena", f"{BOTS}:cheats", "perfect", "--deterministic") == 0
    assert "No legal move, which loses the game, in" in command.out
    gone = command.json("arena", f"{BOTS}:dies", "perfect", "--deterministic")
    assert [fault["kind"] for fault in gone["faults"]] == ["ended"]
    assert gone["both"]["loss"] == 1


def test_tournament(command: Command, tmp_path: Path) -> None:
    names = ("random", "perfect", "winblock", "minimax")
    answer = command.json("tournament", *names, "-o", "t.svg")
    assert [s["player"] for s in answer["standings"]] == [
        "perfect",
        "minimax",
        "winblock",
        "random",
    ]
    assert len(answer["matches"]) == 6
    picture = ET.fromstring((tmp_path / "t.svg").read_text())
    words = "".join(picture.itertext())
    assert all(name in words for name in names)
    assert "+0.94" in words


def test_grade_json(command: Command) -> None:
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
    several = command.json("grade", "winblock", "perfect")
    assert several[0] == answer


def test_grade_requirements(command: Command) -> None:
    assert command("grade", "perfect", "--require", "optimal") == 0
    assert command("grade", "nstep:9", "--require", "never-loses") == 0
    assert command("grade", "nstep:9", "--require", "optimal") == 1
    assert command.err == "perfectplay: required: optimal; not met by nstep:9\n"
    assert command("grade", "winblock", "perfect", "--require", "never-loses") == 1
    assert "not met by winblock\n" in command.err
    assert command("grade", f"{BOTS}:hangs", "--limit", "0.2", "--require", "never-loses") == 1


def test_one_bad_file_does_not_spoil_the_grades_of_the_others(command: Command) -> None:
    names = (f"{BOTS}:first_free", "none.py:move", "perfect", f"{BOTS}:dies")
    first, missing, perfect, dies = command.json("grade", *names, "--as", "second")
    assert first["never_loses"] is False
    assert missing["faults"][0]["kind"] == "not loaded"
    assert perfect["optimal"] is True
    assert dies["faults"][-1]["kind"] == "ended"
    assert command("grade", *names, "--require", "never-loses") == 1
    assert "none.py:move" in command.err
    assert "none.py:move: The audit ended early: not loaded (the player none.py" in command.out


def test_grade_page(command: Command, tmp_path: Path) -> None:
    assert command("grade", "winblock", "perfect", "-o", "g.html") == 0
    html = (tmp_path / "g.html").read_text()
    assert "winblock can be beaten" in html
    assert "perfect plays perfectly" in html


def test_puzzles(command: Command, tmp_path: Path) -> None:
    found = command.json("puzzles", "--count", "7", "--seed", "3", "-o", "p.svg")
    assert len(found) == 7
    assert found == command.json("puzzles", "--count", "7", "--seed", "3")
    ET.fromstring((tmp_path / "p.svg").read_text())


def test_players_lists_each_with_its_source(command: Command) -> None:
    listed = command.json("players")
    assert listed[0]["name"] == "human"
    assert {p["name"] for p in listed} >= {"random", "think3", "nstep:N", "level:P"}
    assert command("players") == 0
    assert command.out.count("Source: ") >= 12


def test_play_with_ones_own_player(command: Command) -> None:
    assert command("play", "--x", f"{BOTS}:first_free", "--o", "perfect") == 0
    assert command.out.startswith("X plays 1.")
    assert command("play", "--x", f"{BOTS}:cheats", "--o", "perfect") == 1
    assert command.err == (
        "perfectplay: X gave no legal move: illegal move: (1, 1) is not an empty cell\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["arena", "perfect"], "Missing argument"),
        (["arena", "perfect", "nobody"], "no player 'nobody'"),
        (["arena", "perfect", "human"], "human plays at the terminal only"),
        (["grade", "human"], "human plays at the terminal only"),
        (["grade", "perfect", "nobody"], "no player 'nobody'"),
        (["grade", "none.py:move"], "cannot be loaded"),
        (["arena", "perfect", "random", "--exact", "--games", "5"], "exclude each other"),
        (["arena", "perfect", "random", "--games", "0"], "--games"),
        (["arena", "perfect", "random", "--convention", "braille"], "braille"),
        (["arena", "perfect", "none.py:move"], "cannot be loaded"),
        (["tournament", "perfect"], "two or more players"),
        (["tournament", "perfect", "perfect"], "each of them once"),
        (["grade", "nobody"], "no player 'nobody'"),
        (["grade", "perfect", "--as", "third"], "first, second or both"),
        (["grade", "perfect", "-o", ""], "no file can be written there"),
        (
            ["tournament", "perfect", "random", "-o", "missing/t.svg"],
            "no file can be written there",
        ),
        (["grade", f"{BOTS}:first_free", "--limit", "nan"], "--limit"),
        (["grade", "perfect", "--require", "charm"], "never-loses and optimal can"),
        (
            ["grade", "perfect", "-o", "missing/g.html"],
            "'missing/g.html': no file can be written there",
        ),
        (["puzzles", "--difficulty", "fiendish"], "easy, medium, hard"),
        (["puzzles", "--count", "0"], "--count"),
    ],
)
def test_bad_contests_get_one_line(command: Command, arguments: list[str], said: str) -> None:
    if "braille" in said:
        arguments = [*arguments[:2], f"{BOTS}:first_free", *arguments[3:]]
    assert said in command.refuses(*arguments)


if __name__ == "__main__":
    os.chdir(ROOT)
    for golden in sorted(GOLDEN.glob("*.txt")):
        golden.write_text(transcript(golden))
