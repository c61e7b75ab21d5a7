"""Custom games: loading them, errors in their rules, and their tables."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solver import (
    Game,
    Outcome,
    TableAgent,
    TableFormatError,
    UnknownGameError,
    encode,
    load_game,
    solve,
    verify,
)
from solver.games.custom import is_custom
from solver.rules.game import fingerprint
from tests.conftest import ROOT, Command

TAKE = '''\
from solver import Game, IllegalPositionError, Outcome, Symmetry
from solver.rules.game import IDENTITY


class Take(Game):
    """Take 1 or 2 from a heap of 4; whoever takes the last one wins."""

    def initial(self):
        return 4

    def moves(self, p):
        return [m for m in (1, 2) if m <= p]

    def play(self, p, m):
        return p - m

    def primitive(self, p):
        return None if p else Outcome.LOSS

    def tier(self, p):
        return 4 - p
'''
SQUARE = '''\
from solver import Game, Outcome, Symmetry
from solver.rules.game import IDENTITY


class Square(Game):
    """Mark one of two cells in turn; the game is a draw. The cells can be exchanged."""

    symmetries = (IDENTITY, Symmetry(lambda p: p[::-1], lambda m: 1 - m, None))

    def initial(self):
        return (0, 0)

    def moves(self, p):
        return [i for i in (0, 1) if not p[i]]

    def play(self, p, m):
        return tuple(1 if i == m else p[i] for i in (0, 1))

    def primitive(self, p):
        return Outcome.DRAW if all(p) else None

    def tier(self, p):
        return sum(p)

    def key(self, p):
        return p[0] * 2 + p[1]

    def position(self, key):
        return (key // 2, key % 2)
'''


@pytest.fixture(autouse=True)
def restore_modules(tmp_path: Path) -> Iterator[None]:
    """Remove the modules that a test has loaded from its folder, and restore sys.path."""
    path = sys.path[:]
    yield
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]
    importlib.invalidate_caches()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that writes a file of rules to the working directory."""
    monkeypatch.chdir(tmp_path)

    def to(name: str, text: str = TAKE) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        importlib.invalidate_caches()
        return path

    return to


def forget_module(name: str) -> None:
    sys.modules.pop(name, None)


# Loading


def test_a_file_and_a_module_name_load_the_same_game(write: Callable[..., Path]) -> None:
    path = write("take.py")
    ways = ["take.py:Take", "./take.py:Take", f"{path}:Take", "python:take:Take"]
    seen = set()
    for way in ways:
        game = load_game(way)
        assert isinstance(game, Game)
        assert game.initial() == 4
        seen.add((game.spec, fingerprint(game)))
        again = load_game(way)
        assert type(again) is type(game), "a file is executed once"
        forget_module("take")
    assert [spec for spec, _ in seen] == ["take:Take"]


def test_a_file_in_another_folder(write: Callable[..., Path]) -> None:
    write("games/more/take.py")
    assert load_game("games/more/take.py:Take").spec == "take:Take"
    assert load_game(f"games{os.sep}more/../more/take.py:Take").spec == "take:Take"


def test_a_file_can_import_a_module_from_its_folder(write: Callable[..., Path]) -> None:
    before = sys.path[:]
    write("games/helping_hand.py", "HEAP = 4\n")
    text = TAKE.replace(
        "from solver import", "from helping_hand import HEAP\nfrom solver import", 1
    )
    write("games/take.py", text.replace("return 4\n", "return HEAP\n"))
    assert load_game("games/take.py:Take").initial() == 4
    assert sys.path == before


def test_a_module_of_a_package(write: Callable[..., Path]) -> None:
    write("mine/__init__.py", "")
    write("mine/take.py")
    game = load_game("mine.take:Take")
    assert game.spec == "mine.take:Take"
    assert load_game(game.spec).spec == game.spec


def test_one_of_several_classes(write: Callable[..., Path]) -> None:
    more = "\n\nclass Other(Take):\n    def initial(self):\n        return 3\n"
    write("take.py", TAKE + more)
    assert load_game("take.py:Other").spec == "take:Other"
    assert load_game("take.py:Take").initial() == 4
    assert load_game("take.py:Other").initial() == 3


def test_a_game_can_define_its_name(write: Callable[..., Path]) -> None:
    write("take.py", TAKE.replace("    def initial", "    spec = 'my take'\n\n    def initial", 1))
    assert load_game("take.py:Take").spec == "my take"


@pytest.mark.parametrize(
    ("text", "spec", "reason"),
    [
        (None, "take.py:Take", "the game take.py:Take cannot be loaded: FileNotFoundError"),
        (None, "python:take:Take", "the game python:take:Take cannot be loaded: ModuleNotFoundE"),
        (TAKE, "take:Take", "there is no game 'take:Take'; .* or python:MODULE:CLASS for a custom"),
        (None, "python:", "there is no game 'python:'; the games are"),
        (None, "nowhere.take:Take", "the game nowhere.take:Take cannot be loaded: ModuleNotFound"),
        (None, "take/take:Take", "there is no game 'take/take:Take'; the games are"),
        (None, "json.py:Take", "rename json.py: there is already a Python module named json"),
        (None, "a:", "there is no game 'a:'; the games are"),
        (None, ":Take", "there is no game ':Take'; the games are"),
        (
            None,
            "take",
            "there is no game 'take'; the games are .* or FILE.py:CLASS or python:MODULE:CLASS for",
        ),
        (None, "take.py", "the game take.py cannot be loaded: FileNotFoundError"),
        (TAKE, "take.py", r"take.py is not a class; did you mean take.py:Take\?"),
        (TAKE, "take.py:", r"take.py is not a class; did you mean take.py:Take\?"),
        (
            TAKE + "\nclass Other(Take):\n    pass\n",
            "take.py:Nim",
            r"no subclass of Game named 'Nim'; did you mean take.py:Take or take.py:Other\?",
        ),
        (TAKE, "python:take:Nim", r"Game named 'Nim'; did you mean python:take:Take\?"),
        (TAKE, "take.py:take:Take", "there is no game 'take.py:take:Take'"),
        (TAKE, "take.py:Outcome", "take.py has no subclass of Game named 'Outcome'"),
        (
            TAKE + "\ntake = Take()\n",
            "take.py:take",
            "take.py has no subclass of Game named 'take'",
        ),
        (TAKE, "take.py:Game", "take.py: Game does not define initial, moves, play, primitive"),
        ("class Take:\n    pass\n", "take.py:Take", "has no subclass of Game named 'Take'$"),
        (
            TAKE.replace("    def play(self, p, m):\n        return p - m\n", ""),
            "take.py:Take",
            "^take.py: Take does not define play$",
        ),
        (
            TAKE.replace(
                "    def initial", "    def __init__(self, heap):\n        pass\n\n    def initial"
            ),
            "take.py:Take",
            "cannot be loaded: TypeError: .*missing 1 required positional argument: 'heap'",
        ),
        ("1 / 0\n", "take.py:Take", "the game take.py:Take cannot be loaded: ZeroDivisionError"),
        ("1 / 0\n", "python:take:Take", "python:take:Take cannot be loaded: ZeroDivisionError"),
        ("def\n", "take.py:Take", "cannot be loaded: SyntaxError"),
        ("import no_such_library\n", "take.py:Take", "cannot be loaded: ModuleNotFoundError: No"),
        ("raise SystemExit(3)\n", "take.py:Take", "cannot be loaded: SystemExit: 3"),
        (b"\xff\xfe\0".decode("latin-1"), "take.py:Take", "cannot be loaded: SyntaxError"),
    ],
)
def test_loading_reports_what_is_wrong(
    text: str | None, spec: str, reason: str, write: Callable[..., Path]
) -> None:
    if text is not None:
        write("take.py", text)
    with pytest.raises(UnknownGameError, match=reason):
        load_game(spec)
    imported = (is_custom(spec) or spec == "take.py") and text is not None and "class Take" in text
    assert ("take" in sys.modules) == imported


@pytest.mark.parametrize(
    "words", [("check",), ("solve", "-o", "t.json"), ("best", "--game")], ids=lambda w: w[0]
)
def test_commands_report_what_is_wrong_with_a_file(
    words: tuple[str, ...], write: Callable[..., Path], command: Command
) -> None:
    write("take.py", "1 / 0\n")
    name, *options = words
    spec = "take.py:Take"
    said = (
        command.refuses(name, *options, spec)
        if name == "best"
        else command.refuses(name, spec, *options)
    )
    assert "the game take.py:Take cannot be loaded: ZeroDivisionError" in said
    assert not Path("t.json").exists()


def test_a_file_named_like_a_loaded_module(write: Callable[..., Path]) -> None:
    known = sys.modules["json"]
    write("json.py")
    with pytest.raises(
        UnknownGameError, match="rename json.py: there is already a Python module named json"
    ):
        load_game("json.py:Take")
    assert sys.modules["json"] is known
    assert json.loads("1") == 1


def test_two_files_of_one_name(write: Callable[..., Path]) -> None:
    write("one/take.py")
    write("two/take.py", TAKE.replace("return 4\n", "return 3\n"))
    assert load_game("one/take.py:Take").initial() == 4
    with pytest.raises(
        UnknownGameError, match="rename two/take.py: there is already a Python module named take"
    ):
        load_game("two/take.py:Take")


def test_a_file_can_be_loaded_after_an_error_is_fixed(write: Callable[..., Path]) -> None:
    write("take.py", "1 / 0\n")
    with pytest.raises(UnknownGameError, match="ZeroDivisionError"):
        load_game("take.py:Take")
    write("take.py")
    assert load_game("take.py:Take").initial() == 4


def test_a_module_does_not_shadow_a_built_in_family(write: Callable[..., Path]) -> None:
    """`nim:Take` is a built-in name with a wrong size, not a class of a module."""
    write("nim.py")
    with pytest.raises(UnknownGameError, match="nim is written nim:A,B,C"):
        load_game("nim:Take")
    assert load_game("nim.py:Take").initial() == 4


# Tables


@pytest.mark.parametrize("table", ["t.json", "t.safetensors"])
@pytest.mark.thinned(2)
def test_a_table_of_a_custom_game(table: str, write: Callable[..., Path], command: Command) -> None:
    write("games/take.py")
    mine = ("--game", "games/take.py:Take")
    assert command("solve", "games/take.py:Take", "-o", table) == 0
    assert command.out.startswith(
        "take:Take: the first player wins in 3 plies with perfect play\n5 positions"
    )
    assert command.json("verify", table, *mine)["proved"] is True
    assert command.json("info", table, *mine)["game"] == "take:Take"
    facts = command.json("check", "games/take.py:Take")
    assert (facts["game"], facts["kept"], facts["positions"]) == ("take:Take", True, 5)
    forget_module("take")
    best = command.json("best", "4", "--table", table, *mine)
    assert (best["outcome"], best["distance"], best["best"]) == ("win", 3, [1])
    assert [m["label"] for m in best["moves"]] == ["1", "2"]
    assert command.json("best", "--table", table, *mine) == best
    line = command.json("line", "4", "--table", table, *mine)["line"]
    assert [step["move"] for step in line] in ([1, 1, 2], [1, 2, 1])
    assert command("explain", "4", "--table", table, *mine) == 0
    assert command("best", "3", "--table", table, *mine) == 0
    assert "Best move: " in command.out
    assert "is not a position of take:Take" in command.refuses("best", "x", "--table", table, *mine)


def test_the_default_path_of_a_table(write: Callable[..., Path], command: Command) -> None:
    write("take.py")
    message = command.refuses("best", "--game", "take.py:Take")
    assert "there is no table for take:Take yet: run perfectplay solve take.py:Take" in message
    place = command.json("solve", "take.py:Take")["path"]
    assert Path(place).name == "take-Take.json"
    assert command.json("best", "--game", "take.py:Take")["move"] == 1
    assert command.json("best", "--game", "python:take:Take")["move"] == 1


@pytest.mark.parametrize(
    ("suffix", "other_game"),
    [
        (".json", "this is a table of 'take:Take', not of 'notakto'"),
        (".safetensors", "the table's game is 'take:Take', but by the rules of notakto it is"),
    ],
)
def test_a_table_of_other_rules_is_rejected(
    suffix: str, other_game: str, write: Callable[..., Path], command: Command
) -> None:
    write("take.py")
    assert command("solve", "take.py:Take", "-o", "t" + suffix) == 0
    forget_module("take")
    write("take.py", TAKE.replace("Outcome.LOSS", "Outcome.WIN  # misere"))
    mine = ("--game", "take.py:Take")
    for refused in (
        command.refuses("best", "--table", "t" + suffix, *mine),
        command.refuses("info", "t" + suffix, *mine),
        command.refuses("verify", "t" + suffix, *mine, status=1),
    ):
        assert "the table was made for other rules" in refused
    assert other_game in command.refuses("info", "t" + suffix, "--game", "notakto")


EVIL = (
    "from pathlib import Path\n\nfrom solver.games.nim import Nim\n\n"
    "Path('it-ran').touch()\n\n\n"
    "class Evil(Nim):\n"
    "    def __init__(self):\n"
    "        super().__init__(1, 2)\n\n"
    "    spec = {spec!r}\n"
)


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize(
    "spec", ["evil:Evil", "evil.py:Evil", "./evil.py:Evil", "nim.py:Evil", "os:system", "evil"]
)
def test_a_table_never_executes_code(
    spec: str, mapped: bool, write: Callable[..., Path], command: Command
) -> None:
    """A table can come from anyone, so only the built-in rules that it names are loaded."""
    write("evil.py", EVIL.format(spec=spec))
    rules = load_game("evil.py:Evil")
    assert rules.spec == spec
    Path("it-ran").unlink()
    if mapped:
        path = Path("t.safetensors")
        assert command("solve", "evil.py:Evil", "-o", str(path)) == 0
    else:
        path = Path("t.json")
        path.write_bytes(encode(solve(rules)))
    forget_module("evil")
    modules = set(sys.modules)
    with pytest.raises(TableFormatError, match=f"of a custom game, '{spec}': name its rules"):
        TableAgent.open(path)
    with pytest.raises(TableFormatError, match="of a custom game"):
        verify(path.read_bytes())
    assert {name for name in set(sys.modules) - modules if not name.startswith("solver.")} == set()
    assert "of a custom game" in command.refuses("info", str(path))
    assert "of a custom game" in command.refuses("verify", str(path), status=1)
    command.refuses("export", str(path), "-o", "out.csv")
    command.refuses("best", "--table", str(path))
    assert not Path("it-ran").exists()
    assert "evil" not in sys.modules
    assert TableAgent.open(path, rules).best_move("1,2") == (2, 1)


# Laws


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def with_method(text: str, method: str) -> str:
    return text + "\n" + "\n".join("    " + line for line in method.splitlines()) + "\n"


BROKEN = {
    "no moves": (
        changed(TAKE, ("if m <= p]", "if m < p]")),
        "take:Take: the game is not over at 1, but there is no move",
    ),
    "no outcome": (
        changed(TAKE, ("Outcome.LOSS", "-1")),
        r"take:Take: primitive\(0\) is -1, not an Outcome or None",
    ),
    "lower tier": (
        changed(TAKE, ("return 4 - p", "return p")),
        "take:Take breaks a law at [1-4]: no move lowers the tier, but the move [12] does",
    ),
    "the same key": (
        with_method(TAKE, "def key(self, p):\n    return p // 4"),
        "take:Take breaks a law at [0-3]: key is injective, but [0-3] has the same key",
    ),
    "position is not the inverse of key": (
        with_method(
            TAKE, "def key(self, p):\n    return p\ndef position(self, key):\n    return 4"
        ),
        "take:Take breaks a law at [0-3]: position is the inverse of key",
    ),
    "parse is not the inverse of text": (
        with_method(TAKE, "def parse(self, text, turn=None):\n    return 4"),
        "take:Take breaks a law at [0-3]: parse is the inverse of text, but not for '[0-3]'",
    ),
    "parse rejects text": (
        with_method(TAKE, "def text(self, p, turn=None):\n    return f'heap {p}'"),
        "take:Take breaks a law at 4: .*parse is the inverse of text, but rejects 'heap 4'",
    ),
    "a move twice": (
        changed(TAKE, ("for m in (1, 2)", "for m in (1, 2, 1)")),
        "take:Take breaks a law at [1-4]: moves are listed once and have different codes",
    ),
    "equal codes": (
        with_method(TAKE, "def code(self, m):\n    return 0"),
        "take:Take breaks a law at [2-4]: moves are listed once and have different codes",
    ),
    "moves are not pure": (
        changed(
            TAKE,
            ("return [m for", "self.asked = 1 - getattr(self, 'asked', 0)\n        return [m for"),
            ("if m <= p]", "if m <= p][: 1 + (p < 2) + self.asked]"),
        ),
        "take:Take breaks a law at [2-4]: moves is pure: two calls return the same moves",
    ),
    "play changes the position": (
        "from solver import Game, Outcome\n\n\n"
        "class Heap:\n"
        "    def __init__(self, size):\n        self.size = size\n\n"
        "    def __eq__(self, other):\n        return self.size == other.size\n\n"
        "    def __hash__(self):\n        return 0\n\n"
        "    def __repr__(self):\n        return str(self.size)\n\n\n"
        "class Take(Game):\n"
        "    def initial(self):\n        return Heap(4)\n\n"
        "    def moves(self, p):\n        return [m for m in (1, 2) if m <= p.size]\n\n"
        "    def play(self, p, m):\n        p.size -= m\n        return p\n\n"
        "    def primitive(self, p):\n        return None if p.size else Outcome.LOSS\n\n"
        "    def parse(self, text, turn=None):\n        return Heap(int(text))\n",
        "take:Take breaks a law at [0-3]: play is pure: it modifies no position",
    ),
    "no identity": (
        changed(
            SQUARE, ("(IDENTITY, Symmetry(lambda p: p[::-1]", "(Symmetry(lambda p: (1, 1)")
        ).replace("None))", "None),)"),
        r"square:Square breaks a law at \(0, 0\): the identity is among the symmetries",
    ),
    "primitive of an image": (
        changed(SQUARE, ("all(p)", "p[0]")),
        r"square:Square breaks a law at \([01], [01]\): primitive is .* under symmetry 2",
    ),
    "tier of an image": (
        changed(SQUARE, ("return sum(p)", "return p[0] + 2 * p[1]")),
        r"square:Square breaks a law at \([01], [01]\): tier is the same for the image",
    ),
    "canonical of an image": (
        with_method(SQUARE, "def canonical(self, p):\n    return p"),
        r"square:Square breaks a law at \([01], [01]\): canonical is the same for the image",
    ),
    "canonical is not idempotent": (
        with_method(
            SQUARE,
            "def canonical(self, p):\n    return {(0, 0): (1, 1), (1, 1): (0, 0)}.get(p, (0, 1))",
        ),
        r"square:Square breaks a law at \([01], [01]\): canonical is idempotent",
    ),
    "symmetry of moves": (
        changed(SQUARE, ("1 - m", "2 - m")),
        r"square:Square breaks a law at \([01], [01]\): symmetry 2 maps the legal move [01] to ",
    ),
    "symmetry and play": (
        changed(SQUARE, ("1 - m", "m")),
        r"square:Square breaks a law at \(0, 0\): symmetry 2 commutes with play, but not for the",
    ),
    "positions are not hashable": (
        changed(SQUARE, ("return (0, 0)", "return [0, 0]"), ("return tuple(", "return list(")),
        r"square:Square breaks a law at \[0, 0\]: a position is .*, not the list \[0, 0\]",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_check_names_the_broken_law_and_the_position(
    case: str, write: Callable[..., Path], command: Command
) -> None:
    text, law = BROKEN[case]
    name = "square" if "class Square" in text else "take"
    write(f"{name}.py", text)
    spec = f"{name}.py:{name.capitalize()}"
    assert re.search(law, command.refuses("check", spec, status=1)), command.err
    assert command("check", spec, "--json") == 1
    found = json.loads(command.out)
    assert (found["kept"], found["game"]) == (False, f"{name}:{name.capitalize()}")
    assert re.search(law, found["error"])


@pytest.mark.parametrize(("text", "spec"), [(TAKE, "take.py:Take"), (SQUARE, "square.py:Square")])
def test_the_games_broken_above_obey_the_laws_otherwise(
    text: str, spec: str, write: Callable[..., Path], command: Command
) -> None:
    write(spec.partition(":")[0], text)
    assert command("check", spec) == 0
    assert "the rules obey every law in" in command.out
    assert "kernel" not in command.out
    table = solve(load_game(spec))
    assert verify(encode(table), load_game(spec)).positions == table.counts["positions"]


def test_a_game_that_breaks_a_law_is_not_solved(
    write: Callable[..., Path], command: Command
) -> None:
    text, law = BROKEN["lower tier"]
    write("take.py", text)
    assert re.search(law, command.refuses("solve", "take.py:Take", "-o", "t.json"))
    assert not Path("t.json").exists()


# Rules that raise


ERRORS = ["ZeroDivisionError", "KeyError", "IndexError", "TypeError", "AssertionError"]
ERRORS += ["RuntimeError", "StopIteration", "RecursionError", "ValueError", "OSError"]


def raising(error: str, method: str = "moves") -> str:
    """Return rules whose method raises an error at position 1 or, if `initial`, at once."""
    head = f"    def {method}(self"
    before, _, after = TAKE.partition(head)
    signature, _, rest = after.partition("\n")
    where = "" if method == "initial" else "if p == 1: "
    return f"{before}{head}{signature}\n        {where}raise {error}('out of cheese')\n{rest}"


@pytest.mark.parametrize("spec", ["take.py:Take", "python:take:Take"])
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_of_the_rules_is_reported_in_one_line(
    error: str, spec: str, write: Callable[..., Path], command: Command
) -> None:
    path = write("take.py", raising(error))
    line = path.read_text().splitlines().index(f"        if p == 1: raise {error}('out of cheese')")
    expected = f"perfectplay: the rules in {path}, line {line + 1}, raised "
    for words in (["check", spec], ["solve", spec, "-o", "t.json"]):
        message = command.refuses(*words)
        assert message.startswith(expected)
        assert error in message
        if error != "StopIteration":  # a generator turns it into a RuntimeError
            assert "out of cheese" in message
    assert not Path("t.json").exists()


@pytest.mark.parametrize("method", ["initial", "moves", "play", "primitive", "tier"])
def test_errors_of_any_method_are_reported(
    method: str, write: Callable[..., Path], command: Command
) -> None:
    path = write("take.py", raising("ZeroDivisionError", method))
    message = command.refuses("check", "take.py:Take")
    assert f"the rules in {path}, line " in message
    assert "raised ZeroDivisionError: out of cheese" in message


@pytest.mark.parametrize(
    "words", [["--game", "take.py:Take"], ["--game=take.py:Take"], ["--game", "python:take:Take"]]
)
def test_an_error_of_the_rules_is_reported_when_a_table_is_used(
    words: list[str], write: Callable[..., Path], command: Command
) -> None:
    write("take.py")
    assert command("solve", "take.py:Take", "-o", "t.json") == 0
    forget_module("take")
    path = write("take.py", with_method(TAKE, "def turn(self, p):\n    return p / 0"))
    for name in ("best", "line", "explain"):
        message = command.refuses(name, "4", "--table", "t.json", *words)
        assert f"the rules in {path}, line " in message
        assert "raised ZeroDivisionError: division by zero" in message


def test_an_illegal_position_error_of_the_rules_is_passed_on(
    write: Callable[..., Path], command: Command
) -> None:
    refuses = "def parse(self, text, turn=None):\n    if text in ('0', '1', '2', '3', '4'):\n"
    refuses += "        return int(text)\n    raise IllegalPositionError('a heap is 0 to 4')"
    write("take.py", with_method(TAKE, refuses))
    assert command("solve", "take.py:Take", "-o", "t.json") == 0
    message = command.refuses("best", "5", "--table", "t.json", "--game", "take.py:Take")
    assert message == "perfectplay: a heap is 0 to 4\n"


@pytest.mark.slow
def test_a_process_prints_no_traceback_for_an_error_of_the_rules(
    write: Callable[..., Path],
) -> None:
    path = write("take.py", raising("KeyError"))
    run = subprocess.run(
        [sys.executable, "-m", "solver", "check", "take.py:Take"],
        cwd=path.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"perfectplay: the rules in {path}, line ")
    assert run.stderr.count("\n") == 1


def test_values_of_a_custom_game(write: Callable[..., Path]) -> None:
    write("take.py")
    agent = TableAgent(solve(load_game("take.py:Take")))
    values = [(agent.outcome(n), agent.distance(n)) for n in range(5)]
    win, loss = Outcome.WIN, Outcome.LOSS
    assert values == [(loss, 0), (win, 1), (win, 1), (loss, 2), (win, 3)]
    games: list[Any] = agent.line(4)
    assert sum(games) == 4
