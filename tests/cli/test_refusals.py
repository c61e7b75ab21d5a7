"""Wrong command lines are refused in one line that says what would be right; nothing is written."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.conftest import BOTS, Command

REFUSALS = {
    "best": [
        ("X...O...\x00", "cell 9"),
        ("'a\nb\nc'", "a board has 9 cells"),
        ("--gmae go", "--gmae"),
        ("--json --game nim:1 --game=nim:2", "'--game': it is given twice"),
        ("--game", "'--game' requires an argument (see perfectplay best --help)"),
        ("-1,4,5 --game nim:3,4,5", "after all options, write -- and then a position"),
    ],
    "solv": [("", "Did you mean 'solve'?")],
    "solve": [
        ("mnk:3,3", "mnk is written tictactoe, or mnk:M,N,K"),
        ("mnk:0,3,3", "each must be 1 or more"),
        ("mnk:9,9,5", "more than 64 cells"),
        ("connect4:10x4", "at most 9 columns"),
        ("connect4:٤x٤", "connect4 is written connect4, or connect4:WxH"),
        ("nim:", "nim is written"),
        ("''", "the games are tictactoe"),
        ("a:b:c", "the games are tictactoe"),
        ("solver.games.mnk:Mnk", "Mnk needs arguments: give each a default"),
        ("tictactoe --side first", "--side is for --weak"),
    ],
    "solve --weak": [
        ("mutorere", "positions of mutorere may repeat"),
        ("ponghauki", "--weak needs compiled rules; the rules of ponghauki are not"),
        ("tictactoe --workers 2", "--weak takes no options but --side"),
        ("tictactoe --side third", "--side is first or second, not 'third'"),
        ("tictactoe -o table.json", "'table.json': the name of a strategy file must end in .txt"),
    ],
    "check": [
        ("nim:3,4 --symmetries", "nim:3,4: symmetries are only found if"),
        ("nim:1 --symmetries", "nim:1: symmetries are only found if"),
    ],
    "verify": [
        ("none.json", "No such file"),
        ("bots.txt --game go", "no game 'go'"),
        ("", "name the file of a table, or its game with --game"),
    ],
    "info": [("''", "perfectplay: '': No such file or directory\n")],
    "puzzles": [
        ("--count 1.5", "'--count': '1.5' is not a whole number"),
        ("--count 0", "'--count': '0' must be at least 1"),
    ],
    "serve": [("--port 65536", "'--port': '65536' must be at least 0 and at most 65535")],
    "grade": [
        ("human", "human plays at the terminal only"),
        ("perfect nobody", "no player 'nobody'"),
        ("perfect --as third", "--as is first or second or both, not 'third'"),
        ("bots.txt", 'bots.txt is a file: write @bots.txt if it lists players, or "command:'),
        ("command:node bots.txt", 'a command and its arguments: "command:node bots.txt"'),
        ("perfect -o g.pdf", "'g.pdf': the name of the file must end in .html or .csv"),
        ("perfect -o missing/g.html", "'missing/g.html': no file can be written there"),
        (f"{BOTS}:first_free --limit 0", "the limit is 0; it must be a number of seconds"),
        ("random --limit nan", "'--limit': 'nan' must be at least 0"),
        (f"{BOTS}:first_free --convention braille", "braille"),
        ("perfect --require charm", "--require is never-loses or optimal, not 'charm'"),
        ("perfect --sample 0", "--sample"),
        ("perfect --sample 9 --require optimal", "--sample cannot show optimal"),
        ("empty:move", "empty:move names no player"),
        ("@missing.txt", "missing.txt"),
        ("@empty.txt", "@empty.txt names no player"),
        ("@circle.txt", "@circle.txt lists itself: leave that line out"),
        ("", "Missing argument 'PLAYER'"),
    ],
    "arena": [
        ("", "Missing argument 'PLAYER'"),
        ("perfect", "two players or more"),
        ("perfect @circle.txt", "@circle.txt lists itself: leave that line out"),
        ("win perfect perfect", "each of them once"),
    ],
    "render": [
        ("-o b.jpg", "'b.jpg': the name of the picture must end in .svg or .png"),
        ("", "Missing option '-o'"),
        ("-o no/b.svg", "no file can be written there"),
        ("-o b.svg --game nim:3,21", "nim:3,21 cannot be drawn: it has no board"),
        ("-o b.svg --values --game mnk:4,4,4", "run perfectplay solve mnk:4,4,4"),
        ("-o b.svg --table nosuch.json", "nosuch.json"),
        ("-o b.svg XX", "'XX' is not a board"),
        ("-o b.svg --game-record '5 1 5'", "move 3 of the record: '5' is not a legal"),
        ("-o b.svg --game-record ''", "1 to 1,000 moves separated by spaces, not 0"),
    ],
    "strategy": [
        ("tictactoe --side third", "--side is first or second, not 'third'"),
        ("tictactoe --fewest moves", "--fewest is positions or decisions or cards, not 'moves'"),
        ("mnk:4,3,3", "there is no table for mnk:4,3,3"),
        ("tictactoe -o no/such/file.txt", "no file can be written there"),
        ("tictactoe -o table.json", "'table.json': the name of a strategy file must end in .txt"),
    ],
    "new": [
        ("''", "'' cannot name a module and a class of Python"),
        ("2x", "'2x' cannot name"),
        ("../up", "'../up' cannot name"),
        ("row.py", "'row.py' cannot name"),
        ("reihe_ä", "cannot name a module and a class of Python: write letters"),
        ("class", "'class' cannot name"),
        ("_2", "'_2' cannot name"),
        ("game", "the files use the name Game for something else"),
        ("json", "json.py would hide the Python module json; choose another name"),
        ("solver", "solver.py would hide the Python module solver"),
    ],
}


@pytest.mark.every
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * ("weak" in n)) for n in REFUSALS]
)
def test_a_wrong_line_is_refused(name: str, command: Command) -> None:
    for folder in ("bots", "empty"):
        Path(folder).mkdir()
    Path("circle.txt").write_text("random\n@circle.txt\n")
    Path("empty.txt").write_text("# none yet\n\n")
    Path("bots.txt").write_text("perfect\n")
    before = {*Path().rglob("*")}
    for words, message in REFUSALS[name]:
        assert message in command.refuses(*name.split(), *shlex.split(words)), words
        assert {*Path().rglob("*")} == before, words
