"""Rules that are not compiled: the reason names the user's line, and plain Python takes over."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from solver import Game, solve
from solver.compiling.find import find_kernel
from solver.compiling.kernel import CompiledKernel
from solver.errors import NotCompiledError
from solver.rules.check_kernel import check_kernel

HEAD = """\
import math
import random
from solver import Game, Outcome

TABLE = {1: "one", 2: 2.5}
NAMES = {"a": "b"}


def helper(left):
    return left


class Heap(Game):
    start = 9

    def initial(self):
        return self.start

    def moves(self, left):
        return [m for m in (1, 2) if m <= left]

    def play(self, left, taken):
        return left - taken

    def primitive(self, left):
        return Outcome.LOSS if left == 0 else None

"""
FIRST = HEAD.count("\n") + 1


def game_from(folder: Path, rules: str) -> Game[Any, Any]:
    path = folder / "heap_rules.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in rules.splitlines()))
    spec = importlib.util.spec_from_file_location("heap_rules", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["heap_rules"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game[Any, Any] = module.Heap()
    return game


@pytest.mark.parametrize(
    ("rules", "line", "reason"),
    [
        (
            "def play(self, left, m):\n    return left - m + math.gcd(3, 4) - 1",
            2,
            "it calls math.gcd",
        ),
        ("def play(self, left, m):\n    return int(f'{left - m}')", 2, "it uses an f-string"),
        ("def play(self, left, m):\n    return left - {1: 1, 2: 2}[m]", 2, "a dict that is made"),
        ("def play(self, left, m):\n    return int((left - m) / 1)", 2, "it uses /"),
        (
            "def play(self, left, m):\n    self.last = m\n    return left - m",
            2,
            "it changes self.last",
        ),
        (
            "def play(self, left, m):\n    return left - m + random.randrange(1)",
            2,
            "it calls random.",
        ),
        (
            "def play(self, left, m):\n    return len(open('x').read()) if left < 0 else left - m",
            2,
            "it calls open",
        ),
        ("def play(self, left, m):\n    return left - m + int(1.5) - 1", 2, "1.5 is a float"),
        ("def play(self, left, m):\n    TABLE[m]\n    return left - m", 2, "TABLE is a float"),
        ("def play(self, left, m):\n    return left - m + len(NAMES) - 1", 2, "NAMES is a dict"),
        (
            "def moves(self, left):\n    return ['all'] if left < 0 else [1]",
            2,
            "numba says: Cannot unify",
        ),
        ("def play(self, left, m):\n    return (lambda x: x)(left - m)", 2, "it uses lambda"),
        (
            "def play(self, left, m):\n    return unknown(left) if left < 0 else left - m",
            2,
            "unknown is not defined",
        ),
        (
            "def play(self, left, m):\n    return self.unknown(left) if left < 0 else left - m",
            2,
            "self has no unknown",
        ),
    ],
)
def test_the_reason_names_the_line(tmp_path: Path, rules: str, line: int, reason: str) -> None:
    game = game_from(tmp_path, rules)
    with pytest.raises(NotCompiledError) as caught:
        CompiledKernel(game)
    assert caught.value.place == f"{tmp_path / 'heap_rules.py'}:{FIRST + line - 1}"
    assert reason in str(caught.value)


def test_rules_that_are_not_compiled_are_solved_in_plain_python(tmp_path: Path) -> None:
    rules = "def play(self, left, m):\n    return int(f'{left - m}')"
    game = game_from(tmp_path, rules)
    kernel, remark = find_kernel(game)
    assert kernel is None
    assert remark.startswith("the rules of heap_rules:Heap are not compiled, which is slow: ")
    assert solve(game).counts["positions"] == 10


@pytest.mark.parametrize(
    "rules",
    [
        "def play(self, left, m):\n    return left - m + len([*range(m), 1]) - m - 1",
        "def play(self, left, m):\n    left -= m\n    return max(0, left)",
        "def play(self, left, m):\n    return sum([1 for _ in range(left)]) - m",
        "def play(self, left, m):\n    return left - m if all(x >= 0 for x in range(m)) else 0",
        "def play(self, left, m):\n    a, b = divmod(left, 5)\n    return a * 5 + b - m",
        "def play(self, left, m):\n    return left - [0, 1, 2][m]",
        "def play(self, left, m):\n    for i, name in enumerate('ab'):\n        if name == 'b':\n"
        "            return left - m\n    return 0",
        "def play(self, left, m):\n    return left - m + 'abcb'.count('b') + 'abc'.find('d') - 1",
        "def play(self, left, m):\n    return left - m + ('b' == NAMES['a']) - ('x' in 'xyz')",
        "def play(self, left, m):\n    return helper(left) - m",
        "def play(self, left, m):\n"
        "    return left - m + (left >> 64 + left) + (-left >> 70) + (left > 0)",
        "def play(self, left, m):\n    text = 'ab' * 2 + 'c'\n"
        "    return left - m + len(text[1:4:2]) - text.count('ab')",
        "def play(self, left, m):\n"
        "    return left - m + 'abc'.startswith('ab') - 'abc'.endswith('c')",
        "def play(self, left, m):\n    x: int = m\n    x <<= 1\n    x *= 2\n"
        "    return left - x // 4",
        "@staticmethod\ndef less(left, m):\n    return left - m\n\n"
        "def play(self, left, m):\n    return self.less(left, m)",
    ],
)
@pytest.mark.thinned(10, 2)
@pytest.mark.slow
def test_what_compiles_gives_what_python_gives(tmp_path: Path, rules: str) -> None:
    game = game_from(tmp_path, rules)
    assert check_kernel(game, CompiledKernel(game)) == 10


@pytest.mark.parametrize(
    "rules",
    [
        "def play(self, left, m):\n    return (left << 70 >> 70) - m",
        "def play(self, left, m):\n    big = left + 4000000000000000000\n"
        "    return left * big // big - m",
    ],
)
@pytest.mark.thinned(2)
def test_what_would_overflow_or_reach_beyond_an_end_is_no_wrong_answer(
    tmp_path: Path, rules: str
) -> None:
    """Python is asked where compiled rules fail."""
    game = game_from(tmp_path, rules)
    kernel = CompiledKernel(game)
    assert check_kernel(game, kernel) == 10
    assert kernel.asked > 0


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


@pytest.mark.parametrize("length", [31, 32])
@pytest.mark.slow
def test_a_text_must_fit_into_a_word(length: int, tmp_path: Path) -> None:
    """Kernels used to contradict the rules of games with longer texts, which were then refused."""
    game = game_from(tmp_path, LONG.replace("LENGTH", str(length)))
    kernel, remark = find_kernel(game)
    if length == 31:
        assert kernel is not None, remark
    else:
        assert kernel is None
        assert "a text of 33 characters, more than 32: a tuple of characters is compiled" in remark
