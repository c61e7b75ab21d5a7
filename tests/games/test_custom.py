"""Names of games and players, custom games, errors in their rules, and their tables."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from solver import (
    Game,
    TableAgent,
    TableFormatError,
    UnknownGameError,
    UnknownPlayerError,
    encode,
    load_game,
    load_player,
    open_agent,
    solve,
    verify,
)
from solver.games.custom import is_custom
from solver.rules.game import fingerprint
from solver.rules.rule_files import RuleFiles, has_changed
from tests.conftest import Command

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


FILE = "os.path.join(os.path.dirname(__file__), 'parts', 'deep.py')"
SPEC = f"importlib.util.spec_from_file_location('other', {FILE})"
LOADED = (
    f"(lambda s, m: s.loader.exec_module(m) or m)(s := {SPEC}, importlib.util.module_from_spec(s))"
)
WAYS = {  # to load what `HEAP` is: what the file begins with, and the expression
    "import": ("import parts.deep", "parts.deep.HEAP"),
    "from": ("from parts import deep", "deep.HEAP"),
    "star": ("from parts.deep import *", "HEAP"),
    "relative": ("from parts.near import HEAP", "HEAP"),
    "lazy": ("", "__import__('parts.deep', fromlist=['x']).HEAP"),
    "importlib": ("import importlib", "importlib.import_module('parts.deep').HEAP"),
    "unregistered": ("import importlib.util, os", f"{LOADED}.HEAP"),
    "at import, a number alone": (f"import importlib.util, os\nH = {LOADED}.HEAP", "H"),
    "runpy": ("import os, runpy", f"runpy.run_path({FILE})['HEAP']"),
    "loader": (
        "import importlib.machinery, os",
        f"importlib.machinery.SourceFileLoader('deep', {FILE}).load_module().HEAP",
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ImportWarning")
def test_rules_consist_of_all_that_they_load_below_their_folder(
    write: Callable[..., Path], way: str
) -> None:
    write("parts/__init__.py", "")
    write("parts/near.py", "from .deep import HEAP\n")
    deep = write("parts/deep.py", "HEAP = 4\n")
    write("site-packages/far.py", "")
    first, heap = WAYS[way]
    text = TAKE.replace("return 4\n", f"return {heap}\n")
    places = [str(deep.parents[1]), str(deep.parents[1] / "site-packages")]
    write("take.py", f"import sys\nsys.path += {places}\nimport far\n{first}\n{text}")
    game = load_game("take.py:Take")
    assert game.initial() == 4
    files = RuleFiles(game)
    stated = files.stated
    assert stated is not None
    assert {"take.py", "parts/deep.py"} <= {*stated["files"]}
    assert "site-packages/far.py" not in stated["files"]
    deep.write_text("# a comment\n\nHEAP = 4  \n")
    assert not has_changed(game, stated)
    deep.write_text("HEAP = 5\n")
    assert has_changed(game, stated)
    assert files.stated == stated, "what was loaded counts"
    deep.unlink()
    assert has_changed(game, stated)


def test_a_list_of_files_grows_as_rules_load_more(write: Callable[..., Path]) -> None:
    write("seldom.py", "")
    write("other.py", "")
    text = TAKE.replace("return None if p else", "return None if p else __import__('seldom') and")
    write("take.py", text)
    sys.path.insert(0, "")
    importlib.import_module("other")  # by another than the rules
    game = load_game("take.py:Take")
    files = RuleFiles(game)
    assert files.stated is not None
    assert files.stated["files"] == ["take.py"]
    game.primitive(0)
    files.update()
    assert files.stated["files"] == ["seldom.py", "take.py"]


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


def test_a_file_can_import_a_module_from_its_folder(write: Callable[..., Path]) -> None:
    before = sys.path[:]
    write("games/helping_hand.py", "HEAP = 4\n")
    text = TAKE.replace(
        "from solver import", "from helping_hand import HEAP\nfrom solver import", 1
    )
    write("games/take.py", text.replace("return 4\n", "return HEAP\n"))
    assert load_game("games/take.py:Take").initial() == 4
    assert sys.path == before


def test_a_game_can_define_its_name(write: Callable[..., Path]) -> None:
    write("take.py", TAKE.replace("    def initial", "    spec = 'my take'\n\n    def initial", 1))
    assert load_game("take.py:Take").spec == "my take"


CLAIMING = """from solver import Game


class Kind(type):
    __class__ = property(lambda cls: Game)


class Take(metaclass=Kind):
    pass
"""
UNLOADABLE: list[tuple[str | None, str, str]] = [
    (None, "take.py:Take", "there is no file take.py"),
    (None, "python:take:Take", "the game python:take:Take cannot be loaded: ModuleNotFoundE"),
    (TAKE, "take:Take", "there is no game 'take:Take'; .* or python:MODULE:CLASS for a custom"),
    (None, "nowhere.take:Take", "the game nowhere.take:Take cannot be loaded: ModuleNotFound"),
    (None, "json.py:Take", "rename json.py: there is already a Python module named json"),
    (None, ":Take", "there is no game ':Take'; the games are"),
    (TAKE, "take.py", r"take.py is not a class; did you mean take.py:Take\?"),
    (TAKE, "python:take:Nim", r"Game named 'Nim'; did you mean python:take:Take\?"),
    (TAKE, "take.py:take:Take", "there is no game 'take.py:take:Take'"),
    (TAKE, "take.py:Game", "take.py: Game does not define initial, moves, play, primitive"),
    ("class Take:\n    pass\n", "take.py:Take", r"write class Take\(Game\)$"),
    (CLAIMING, "take.py:Take", r"write class Take\(Game\)"),
    (TAKE.replace("def play", "def plays"), "take.py:Take", "^take.py: Take does not define play$"),
    (
        TAKE.replace("def initial(", "def __init__(self, heap):\n        pass\n\n    def initial("),
        "take.py:Take",
        "Take needs arguments: give each a default",
    ),
    ("def\n", "take.py:Take", "cannot be loaded: SyntaxError"),
    (
        "from perfectplay import Game\n",
        "take.py:Take",
        "No module named 'perfectplay'; write from solver import",
    ),
    ("raise SystemExit(3)\n", "take.py:Take", "cannot be loaded: SystemExit: 3"),
    (
        "raise ModuleNotFoundError(name='numpy')\n",
        "take.py:Take",
        "importing numpy needs the extra 'fast': run python -m pip install numba numpy",
    ),
    (
        TAKE.replace("    def initial", "    spec = 5\n\n    def initial", 1),
        "take.py:Take",
        "its spec is 5; it must be a text",
    ),
    (  # a proof of it would say: of tictactoe
        TAKE.replace("    def initial", "    spec = 'tictactoe'\n\n    def initial", 1),
        "take.py:Take",
        'has the name of another game, tictactoe: write spec = "take:Take" in its class',
    ),
    (  # a proof of it would take the kernel of Connect 4 for its rules
        "from solver import load_game\n\ngame = load_game('connect4:4x4')\n"
        "game.primitive = lambda p: None  # in place of a class Take\n",
        "take.py:game",
        "has the name of another game, connect4:4x4: change the rules in a subclass",
    ),
]


@pytest.mark.parametrize(("text", "spec", "reason"), UNLOADABLE)
def test_loading_reports_what_is_wrong(
    text: str | None, spec: str, reason: str, write: Callable[..., Path]
) -> None:
    if text is not None:
        write("take.py", text)
    with pytest.raises(UnknownGameError, match=reason):
        load_game(spec)
    imported = (is_custom(spec) or spec == "take.py") and text is not None and "class Take" in text
    assert ("take" in sys.modules) == imported


# Names that are not quite those of games and players, and what they import: nothing


@pytest.mark.parametrize(
    ("spec", "right"),
    [
        ("conect4:4x4", "did you mean connect4:4x4?"),
        ("conect4", "did you mean connect4:7x6?"),
        ("hexapwan:9", "did you mean hexapawn:WxH"),
        ("tic-tac-toe", "did you mean tictactoe?"),
        ("NIM:3,4,5", "did you mean nim:3,4,5?"),
        ("go", "the games are tictactoe, mnk, "),
        ("go", "openspiel:NAME, or FILE.py:CLASS or python:MODULE:CLASS for a custom game"),
    ],
)
def test_a_misspelled_game_gets_a_suggestion(command: Command, spec: str, right: str) -> None:
    assert f"there is no game {spec!r}; " in command.refuses("best", "--game", spec)
    assert right in command.err
    with pytest.raises(UnknownGameError):
        load_game(spec)


@pytest.mark.parametrize("name", ["trap:Take", "trap:", "python:", "conect4:4x4", "a/trap:Take"])
def test_a_name_without_a_dot_imports_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("trap", "conect4"):
        (tmp_path / f"{module}.py").write_text("raise AssertionError('imported')")
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    with pytest.raises(UnknownGameError, match="there is no game"):
        load_game(name)
    with pytest.raises(UnknownPlayerError, match="there is no player"):
        load_player(name, TableAgent())
    assert not {"trap", "conect4"} & (set(sys.modules) - before)


def test_a_misspelled_player_gets_a_suggestion(command: Command) -> None:
    message = command.refuses("grade", "minmax")
    assert "there is no player 'minmax'; did you mean minimax? the players are: human, " in message
    assert "did you mean nstep?" in command.refuses("grade", "nsteps:3")
    assert "did you mean" not in command.refuses("grade", "zzz:3")


EVIL = (
    "from pathlib import Path\n\nfrom solver.games.nim import Nim\n\n"
    "Path('it-ran').touch()\n\n\n"
    "class Evil(Nim):\n"
    "    def __init__(self):\n"
    "        super().__init__(1, 2)\n\n"
    "    spec = {spec!r}\n"
)


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("spec", ["evil:Evil", "./evil.py:Evil", "nim.py:Evil", "os:system"])
@pytest.mark.thinned(3)
def test_a_table_never_executes_code(
    spec: str, mapped: bool, write: Callable[..., Path], command: Command
) -> None:
    """A table can come from anyone, so only the built-in rules that it names are loaded."""
    write("evil.py", EVIL.format(spec=spec))
    rules = load_game("evil.py:Evil")
    assert rules.spec == spec
    if mapped:
        path = Path("t.safetensors")
        assert command("solve", "evil.py:Evil", "-o", str(path)) == 0
    else:
        path = Path("t.json")
        path.write_bytes(encode(solve(rules)))
    Path("it-ran").unlink()
    forget_module("evil")
    modules = set(sys.modules)
    with pytest.raises(TableFormatError, match=f"of a custom game, '{spec}': name its rules"):
        open_agent(table=path)
    with pytest.raises(TableFormatError, match="of a custom game"):
        verify(path.read_bytes())
    assert {name for name in set(sys.modules) - modules if not name.startswith("solver.")} == set()
    assert "of a custom game" in command.refuses("info", str(path))
    assert "of a custom game" in command.refuses("verify", str(path), status=1)
    command.refuses("export", str(path), "-o", "out.csv")
    command.refuses("best", "--table", str(path))
    assert not Path("it-ran").exists()
    assert "evil" not in sys.modules
    assert open_agent(rules, path).best_move("1,2") == (2, 1)


ERRORS = ["ZeroDivisionError", "KeyError", "AssertionError", "StopIteration", "RecursionError"]
ERRORS += ["ValueError", "OSError"]


@pytest.mark.parametrize("spec", ["take.py:Take", "python:take:Take"])
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.thinned(3)
def test_an_error_of_the_rules_is_reported_in_one_line(
    error: str, spec: str, write: Callable[..., Path], command: Command
) -> None:
    raised = f"        if p == 1: raise {error}('out of cheese')\n"
    head, method, rest = TAKE.partition("    def moves(self, p):\n")
    path = write("take.py", head + method + raised + rest)
    line = (head + method).count("\n") + 1
    for words in (["check", spec], ["solve", spec, "-o", "t.json"]):
        message = command.refuses(*words)
        assert message.startswith(f"perfectplay: the rules in {path}, line {line}, raised ")
        assert error in message
        if error != "StopIteration":  # a generator turns it into a RuntimeError
            assert "out of cheese" in message
    assert not Path("t.json").exists()
