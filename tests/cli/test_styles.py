"""Games in the styles in which people write them are taken; slips are named in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from zlib import crc32

import pytest

from solver import Game, GameLawError, TableFormatError, UnknownGameError, load_game, solve
from tests.conftest import ROOT, Command, python

FILE = ROOT / "tests" / "bots" / "styles.py"
TAKEN = ["Marks", "IntEnums", "StrEnums", "Bools", "Arrays", "Generators", "Numbers", "Negated"]
TAKEN += ["Named", "Rows", "USUAL"]
SLIPS = {
    "Enums": "not a Plain: write IntEnum or its value",
    "Data": "not a Cells: write a NamedTuple or a tuple",
    "Frozen": "not a frozenset: write tuple(sorted(...))",
    "Sets": "a set has no order, so write sorted(...)",
    "Mixed": "write int(...), or tolist() of an array",
    "NoDraw": "the game is not over at",
    "InSelf": "keeps nothing in self",
    "Counted": "Counted",
    "Awaited": "play is written with async def: leave async out",
    "Chance": "play gives one result for a position and the move",
    "Hashed": "its rules depend on the order of a set",
    "NotAMethod": "initial is a method: write def initial(self, ...)",
    "EndsInAClass": "not an Outcome or None",
    "NoGroup": "symmetries are what symmetry_group returns",
    "KeyAlone": "define both or neither",
    "SharedBoard": "whatever was played before: it uses no chance, and keeps nothing in self",
    "Glued": "parse is the inverse of text",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.thinned(11, 4)
def test_a_style_is_taken_in_every_command(
    name: str, command: Command, request: pytest.FixtureRequest
) -> None:
    """The table has the values of tic-tac-toe, is proved, and answers."""
    if name != "Arrays":
        request.getfixturevalue("uncompiled")
    spec, path = f"{FILE}:{name}", "t.json"
    assert command("check", spec) == 0, command.err
    assert command("solve", spec, "-o", path) == 0, command.err
    assert "5,478 positions" in command.out
    assert "2,836 wins, 1,068 draws, 1,574 losses" in command.out
    assert command("verify", path, "--game", spec) == 0, command.err
    asked = ("best", "line", "explain", "play --x perfect --o perfect", "arena perfect win")
    for words in asked if name in ("Marks", "Named", "USUAL") else asked[:1]:
        assert command(*words.split(), "--game", spec, "--table", path) == 0, command.err


def test_positions_keep_their_types() -> None:
    """Rules get named tuples and enum members back from texts and tables."""
    for name in ("Named", "IntEnums", "Arrays", "OwnNumbers"):
        game = load_game(f"{FILE}:{name}")
        p = game.play(game.initial(), 2)
        for q in (game.parse(game.text(p)), game.position(game.key(p))):
            assert (q, repr(q)) == (p, repr(p))


LATE = {
    "LateNone": "returned None, but positions are of type tuple",
    "LateText": "returned '(24, 0)', but positions are of type tuple",
    "LateInner": "not the tuple (24, [0])",
    "LateFloat": "24.0 is of another type than its place has at the start",
    "LateBool": " is of another type than its place has at the start: write int(...)",
    "LateNoMoves": "not None: return a list, empty if there is no move",
    "LateSet": "not {1, 2, 3, 4}: a set has no order, so write sorted(...)",
    "LateLists": "not the list [4]: write a tuple",
    "LateEnd": "primitive((24, 0)) is 'draw', not an Outcome or None",
    "LateLabels": "moves are listed once and have different codes and labels",
    "LateKey": "gives (24, 1): two positions have this key",
    "NoStart": "initial returns None: return the starting position",
    "OnceMade": "initial gives the same position after each game",
}


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", [name for name in SLIPS | LATE if name != "Hashed"])
def test_a_slip_is_named(name: str) -> None:
    with pytest.raises((GameLawError, UnknownGameError), match=re.escape((SLIPS | LATE)[name])):
        solve(load_game(f"{FILE}:{name}"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["NoDraw", "InSelf", "LateNoMoves", "Hashed", "LateBool"])
@pytest.mark.thinned(2)
def test_a_slip_is_named_wherever_rules_are_asked_and_nothing_is_stored(
    name: str, command: Command, request: pytest.FixtureRequest
) -> None:
    spec, said = f"{FILE}:{name}", (SLIPS | LATE)[name]
    if name != "LateBool":  # `check` explores by compiled rules what random games do not reach
        request.getfixturevalue("uncompiled")
        assert said in command.refuses("check", spec, status=1)
    assert (said if name in LATE else name) in command.refuses("solve", spec, "-o", "t.json")
    assert not Path("t.json").exists()
    if name in SLIPS:
        assert name == "Hashed" or name in command.refuses("estimate", spec)
    if name not in ("Hashed", "LateBool"):
        games = ("--games", "50") if name in SLIPS else ()
        command.refuses("arena", "random", "random", *games, "--game", spec)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(
    ("slip", "said"), [("return p[0]", "raised TypeError"), ("quit()", "end the program")]
)
def test_an_error_in_a_file_that_the_rules_import_names_that_file(
    slip: str, said: str, command: Command
) -> None:
    """And so does the end of the program, which was reported as success."""
    base = own(slip).partition(".")[0]
    Path(f"more_{base}.py").write_text(f"from {base} import Own\nclass More(Own): pass\n")
    for name in ("check", "solve", "estimate"):
        message = command.refuses(name, f"more_{base}.py:More")
        assert f"{base}.py, line 10, {said}" in message


SAID = {
    "Misspelt": ["lable is no method of Game: did you mean label?", "no random game ends"],
    "SeenByX": ["random games are over, the side to move has lost", "the outcome that of the side"],
    "Side": [" won 0 and", "def turn(self, p): return self.seats[p[9] == 2]"],
    "Arrays --symmetries": ["8 symmetries found"],  # marks of NumPy had no places
    "Bools --symmetries": ["8 symmetries found"],  # None beside marks was a traceback
    "Late --symmetries": ["no symmetry was found except the identity"],
    "Passes": ["something is None and not always: write a number for it"],  # numba was quoted
}


@pytest.mark.parametrize(
    "words", [pytest.param(w, marks=[pytest.mark.slow] * (w != "Passes")) for w in SAID]
)
@pytest.mark.thinned(3)
def test_check_says_what_it_notices(
    words: str, command: Command, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if words != "Passes":
        request.getfixturevalue("uncompiled")
    else:
        monkeypatch.setattr("solver.cli.games.LARGE", 5)
    assert command("check", *f"{FILE}:{words}".split()) == 0, command.err
    assert [said for said in SAID[words] if said not in command.out] == []
    assert words != "SeenByX" or " won 0 and" not in command.out


COUNTING = """
from solver import Game, Outcome


class Own(Game):
    def initial(self): return 7
    def moves(self, p): return [n for n in (1, 2) if n <= p]
    def primitive(self, p): return None if p else Outcome.LOSS
    def play(self, p, m):
        {line}
        return p - m
"""


def own(line: str) -> str:
    """Write a game with a line in `play`, in a file of a name of its own; return its spec."""
    return written(COUNTING.format(line=line))


def written(text: str) -> str:
    name = f"counting_{crc32(text.encode())}"
    Path(f"{name}.py").write_text(text)
    return f"{name}.py:Own"


ENUM = "from enum import IntEnum\nclass Mine(IntEnum): LOSE = 0; LOSS = -1\n"
PLAIN = ENUM + COUNTING.format(line="pass")
MOVES, LIST = "    def moves(self, p): return ", "[n for n in (1, 2) if n <= p]"
PASSES = {  # a pass is None
    **{"return 7": "return (6, False)", "if p ": "if p[0] ", "[n": "[None] if p[1] else [n"},
    **{"<= p]": "<= p[0]]", "p - m": "(p[0], False) if m is None else (p[0] - m, m == 1)"},
}


@pytest.mark.parametrize(
    "changed",
    [
        {MOVES: "    @staticmethod\n    def moves(p): yield from "},
        {
            "class Own(Game)": "class Rules",
            "return p - m": "return p - m\nclass Own(Rules, Game): pass",
        },
        {"None if p ": "None if self.moves(p=p) "},
        {ENUM: "import argparse; argparse.ArgumentParser().parse_args()\n"},
        {"Outcome.LOSS": "Mine.LOSS"},
        PASSES,
        {"return 7": "return (Mine.LOSE,) * 7", "<= p]": "<= len(p)]", "p - m": "p[m:]"},
    ],
)
def test_rules_in_other_words_have_the_same_line(changed: dict[str, str], command: Command) -> None:
    """Static, inherited and keyword calls failed; `line` stopped at a pass and said "a draw"."""
    text = PLAIN
    for before, after in changed.items():
        assert before in text
        text = text.replace(before, after)
    spec = written(text)
    assert command("solve", spec, "-o", "t.json") == 0, command.err
    assert command("line", "--game", spec, "--table", "t.json") == 0, command.err
    assert command.out.endswith("The game is over: X has won.\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("(self): return 7", "(): return 7", "initial takes other arguments: write initial(self)"),
        ("Outcome.LOSS", "Mine.LOSE", "of a class of its own: write from solver import Outcome"),
        (MOVES, f"    def canonical(self, p): return p % 4\n{MOVES}", "declare symmetries"),
        (LIST, "iter(int, 1)", "moves gives more than 65,536 moves"),
        ("p - m", "p / m", "positions are of type int: write // for /"),
        (LIST, "[True]", "not True: write 0 and 1"),
        ("(self): return 7", "(self): return object()", "equal positions are ==: make object a"),
    ],
)
def test_what_to_write_is_said(before: str, after: str, said: str, command: Command) -> None:
    assert before in PLAIN
    assert said in command.refuses("check", written(PLAIN.replace(before, after)), status=1)


@pytest.mark.usefixtures("uncompiled")
def test_what_rules_print_is_not_among_the_answers(command: Command) -> None:
    spec = own("print('at', p)")
    assert command("solve", spec, "-o", "t.json") == 0, command.err
    assert command("best", "--game", spec, "--table", "t.json", "--json") == 0
    assert json.loads(command.out)["outcome"] == "win"
    assert "at 7" in command.err


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("raise EOFError", 2, ", line 10, read from standard input, which has ended"),
        ("raise KeyboardInterrupt", 130, "interrupted in the rules in "),
    ],
)
def test_rules_that_wait_are_named(line: str, status: int, said: str, command: Command) -> None:
    assert command("check", own(line)) == status
    assert said in command.err


@pytest.mark.slow
def test_no_position_and_no_side_are_named_as_such(command: Command) -> None:
    game = ("--game", f"{FILE}:Named", "--table", "t.json")
    assert command("solve", f"{FILE}:Named", "-o", game[3]) == 0, command.err
    assert "the rules do not fit" not in command.refuses("best", "(1, 2, 3, 4, 5)", *game)
    assert "the turn is 'Q'; it must be X or O" in command.refuses("best", "--turn", "Q", *game)


@pytest.mark.slow
def test_a_table_that_its_own_rules_refuse_is_not_left(command: Command) -> None:
    """As where the rules depend on chance in rare positions."""

    def refuse(*_: object) -> None:
        raise TableFormatError("the table was made for other rules")

    command.monkeypatch.setattr("solver.cli.solve.open_table", refuse)
    path = Path("t.json")
    assert "other rules" in command.refuses("solve", f"{FILE}:Marks", "-o", str(path))
    assert not path.exists()


@pytest.mark.slow
def test_two_instances_are_two_games() -> None:
    usual, more = (load_game(f"{FILE}:{name}") for name in ("USUAL", "MORE"))
    assert (usual.spec, more.spec) == ("styles:USUAL", "styles:MORE")
    assert solve(usual).counts != solve(more).counts


def test_a_game_is_loaded_by_its_name() -> None:
    for name in (Game, 3, None):
        with pytest.raises(TypeError, match="load_game takes the name of a game, such as"):
            load_game(name)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
@pytest.mark.thinned(2)
def test_the_order_of_a_set_is_noticed_whatever_the_order_in_this_process(seed: str) -> None:
    ended = python("-m", "solver", "check", f"{FILE}:Hashed", PYTHONHASHSEED=seed)
    assert (ended.returncode, SLIPS["Hashed"] in ended.stderr) == (1, True)
