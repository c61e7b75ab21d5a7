"""Rules that are not compiled: the reason names the user's line, and plain Python takes over."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from solver import Game, load_game, solve
from solver.compiling.kernel import CompiledKernel
from solver.errors import NotCompiledError
from solver.kernels import find_kernel

HEAD = """\
import math
import random
from solver import Outcome
from tests.support import user_games

TABLE = {1: "one", 2: 2.5}
NAMES = {"a": "b"}


def helper(left):
    return left


class Heap(user_games.Heap):
    def initial(self):
        return 9

    def play(self, left, taken):
        return left - taken

"""
FIRST = HEAD.count("\n") + 1


def game_from(folder: Path, rules: str) -> Game[Any, Any]:
    path = folder / "heap_rules.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in rules.splitlines()))
    sys.modules.pop(path.stem, None)  # another test has loaded its own
    return load_game(f"{path}:Heap")


PLAY, MOVES = "def play(self, left, m):", "def moves(self, left):"


@pytest.mark.parametrize(
    ("method", "body", "reason"),
    [
        (PLAY, "return left - m + math.gcd(3, 4) - 1", "it calls math.gcd"),
        (PLAY, "return left - m if left < 99 else len(f'{m}')", "it uses an f-string"),
        (PLAY, "return left - {1: 1, 2: 2}[m]", "a dict that is made"),
        (PLAY, "return left - m if left < 99 else left / 2", "it uses /"),
        (PLAY, "self.last = m; return left - m", "it changes self.last"),
        (PLAY, "return left - m + random.randrange(1)", "it calls random."),
        (PLAY, "return len(open('x').read()) if left < 0 else left - m", "it calls open"),
        (PLAY, "return left - m if left < 99.5 else 0", "99.5 is a float"),
        (PLAY, "TABLE[m]; return left - m", "TABLE is a float"),
        (PLAY, "return left - m + len(NAMES) - 1", "NAMES is a dict"),
        (MOVES, "return ['all'] if left < 0 else [1]", "it returns texts and numbers"),
        (PLAY, "return (lambda x: x)(left - m)", "it uses lambda"),
        (PLAY, "return unknown(left) if left < 0 else left - m", "unknown is not defined"),
        (PLAY, "return self.unknown(left) if left < 0 else left - m", "self has no unknown"),
    ],
)
def test_the_reason_names_the_line(tmp_path: Path, method: str, body: str, reason: str) -> None:
    game = game_from(tmp_path, f"{method}\n    {body}")
    with pytest.raises(NotCompiledError) as caught:
        CompiledKernel(game)
    assert caught.value.location == f"{tmp_path / 'heap_rules.py'}:{FIRST + 1}"
    assert reason in str(caught.value)


def test_every_reason_is_told(tmp_path: Path) -> None:
    """The parts of a yield, and the rules beside positions that do not fit, are looked at, too."""
    rules = "def moves(self, left): yield from {1}"
    rules += "\ndef key(self, p): return p\ndef position(self, key): return key"
    remark = find_kernel(game_from(tmp_path, rules), in_full=True)[1]
    for reason in ("its keys itself", "it uses yield: return a list", "it uses a set that is"):
        assert reason in remark
    assert remark.count("\n") == 2


def test_rules_that_are_not_compiled_are_solved_in_plain_python(tmp_path: Path) -> None:
    rules = "def play(self, left, m):\n    return int(f'{left - m}')"
    game = game_from(tmp_path, rules)
    kernel, remark = find_kernel(game)
    assert kernel is None
    assert remark.startswith("the rules of heap_rules:Heap are not compiled, which is slow: ")
    assert solve(game).counts["positions"] == 10


OWN = """def initial(self):
    return Left(9)
def play(self, left, taken):
    return left - taken
"""
LEFT = """

class Left(int):
    def __sub__(self, taken):
        return Left(int(self) - taken - (self == 123456))


class Heap"""


def test_positions_with_operators_of_their_own_are_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.HEAD", HEAD.replace("\n\nclass Heap", LEFT))
    kernel, remark = find_kernel(game_from(tmp_path, OWN))
    assert kernel is None
    assert "its positions are not of Python's own types alone" in remark


def test_names_that_python_reads_in_another_way(tmp_path: Path) -> None:
    """Within a class `__odd` is `_Heap__odd`; and a module may have builtins of its own."""
    with pytest.raises(NotCompiledError, match="it uses __odd: write a name without"):
        CompiledKernel(
            game_from(
                tmp_path, "def play(self, left, m):\n    return left - m if left < 99 else __odd"
            )
        )
    game_from(tmp_path, "def play(self, left, m):\n    return max(left - m, 0)")
    scope = vars(sys.modules["heap_rules"])
    scope["__builtins__"] = {**vars(builtins), "max": min}
    exec(Path(scope["__file__"]).read_text(), scope)
    with pytest.raises(NotCompiledError, match="has builtins of its own"):
        CompiledKernel(scope["Heap"]())


class Three(int):
    def __repr__(self) -> str:
        return "3"


def test_constants_with_one_repr_are_two(tmp_path: Path) -> None:
    """The second was taken for the first, which had been looked at."""
    game = game_from(
        tmp_path, "def play(self, left, m):\n    return left - m + 0 * (A.T[m] + B.T[m])"
    )
    scope = vars(sys.modules["heap_rules"])
    scope["A"] = type("A", (), {"T": (0, 1, 3)})
    scope["B"] = type("B", (), {"T": (0, 1, Three(50))})
    with pytest.raises(NotCompiledError, match="T is a Three"):
        CompiledKernel(game)


def test_a_game_typed_interactively_has_no_source() -> None:
    namespace: dict[str, Any] = {}
    exec(HEAD, namespace)
    kernel, remark = find_kernel(namespace["Heap"]())
    assert kernel is None
    assert "has no source" in remark


LONG = """
def initial(self):
    return "." * LENGTH + "x"
def moves(self, p):
    return [1, 2]
def play(self, p, m):
    free = p.count(".")
    return "." * (free - m) + "o" * (LENGTH - free + m) + p[-1]
def primitive(self, p):
    return Outcome.LOSS if p.count(".") < 2 else None
"""


@pytest.mark.parametrize("length", [32, 31])
@pytest.mark.thinned(2)
@pytest.mark.slow
def test_a_text_must_fit_into_a_word(length: int, tmp_path: Path) -> None:
    game = game_from(tmp_path, LONG.replace("LENGTH", str(length)))
    kernel, remark = find_kernel(game)
    if length == 31:
        assert kernel is not None, remark
    else:
        assert kernel is None
        assert "a text of 33 characters, more than 32: a tuple of characters is compiled" in remark
