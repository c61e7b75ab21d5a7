"""Bodies of rules, drawn at random, and what they return in Python and compiled.

Each body is a function of two numbers, a text, a tuple and a list, and returns a number. Bodies
mostly keep to what is compiled, and stray from it now and then: a batch of them is one game, which
is compiled once, without those that are refused.
"""

# mypy: disable-error-code="no-untyped-call,no-any-return"
# ruff: noqa: B023, E501, PLR0912, PLR0915 -- the grammar of bodies, a line each

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from solver import load_game
from solver.compiling.kernel import _load
from solver.compiling.source import module_source
from solver.errors import NotCompiledError

FEW = (0, 1, 2, 3, 5, 8, 63, 64, 255, 2**31 - 1, 2**31, 2**32 + 1, 2**61, 2**62 - 1, 2**62)
NUMBERS = (*FEW, 2**63 - 1, *(-n for n in FEW[1:]), -(2**63 - 1), 7, 12, -7, -4, 4, 6)
TEXTS = ("", "a", "b", "ab", "ba", "abc", "aabb", "cab", "abab")
ROWS = ((), (0,), (1, 2), (2, 1, 0), (1, 1, 2, 3), (3, 0, 0, 5, -2), (True, False, True))
PER_BODY = 48  # sets of arguments
WIDE = 2**31 - 1

HEAD = f"""
from functools import cache, lru_cache, partial, wraps
from solver import Game, Outcome

WIDE = {WIDE}
NUMBERS = {NUMBERS}
TEXTS = {TEXTS}
ROWS = {[list(map(int, row)) for row in ROWS]}
PAIRS = [(0, 1), (1, 0), (2, 2), (-1, 3)]
LISTS = [[0, 1], [1, 0], [2, 2]]
RAGGED = [[1], [0, 2], [1, 3, 4], []]
MIXED = (1, True, 0)
SMALL = {{8, 1, 16, 3}}
NEXT = {{0: 5, 1: 7, 2: -3, True: 9}}
OTHER = {{"a": "b", "b": "a", "c": "c"}}
SWAP = str.maketrans("ab", "ba")
STEP = 1


def fold(values):
    found = 7
    for value in values:
        found = (found * 31 + value % 1009) % WIDE
    return found


def spell(text):
    found = 3
    for c in text:
        found = found * 5 + "abc".find(c) + 2
        found %= WIDE
    return found


def near(x, step=STEP):
    return x % 1000 + step


STEP = 5


def keyed(x, *, size=3, flip=False):
    return size - x % 100 if flip else x % 100 + size


def placed(x, y=2, /, z=(1, 2)):
    return x % 10 * 100 + y % 10 * 10 + z[1]


@cache
def cached(x):
    return x % 7 + 1


def rarely(x):
    if x % 3:
        return x % 5


def down(n):
    return 0 if n <= 0 else 1 + down(n - 2)


def grow(row, x):
    row.append(x)
    return row


def longer(row):
    row += (7, 8)
    return row


def swapped(x, y):
    return y, x


class Base:
    width = 4
    flags = (True, False, True)

    @property
    def area(self):
        return self.width * 3

    @staticmethod
    def half(x):
        return x // 2

    def scaled(self, x):
        return x % 50 * self.width

    def kind(self):
        return 1


class Rules(Base, Game):
    symmetries = ()
    lines = ((0, 1), (1, 2), (2, 0))

    def kind(self):
        return 2

    def initial(self):
        return 0

    def moves(self, p):
        return [0, 1]

    def primitive(self, p):
        return None

    def play(self, p, m):
        if m == 0:
            return p + 1
        return WIDE + 1 + self.body(p // {PER_BODY}, p % {PER_BODY}) % WIDE

    def arguments(self, i):
        a, b = NUMBERS[i * 7 % {len(NUMBERS)}], NUMBERS[i * 5 % {len(NUMBERS)}]
        row = ROWS[i % {len(ROWS)}]
        return a, b, TEXTS[i % {len(TEXTS)}], tuple(row), list(row)
"""


class Drawing:
    """Draws one body."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.names: dict[str, list[str]] = {
            "int": ["a", "b"], "text": ["s"], "tuple": ["t"], "list": ["u"], "bool": [],
        }  # fmt: skip
        self.lines: list[str] = []
        self.count = 0

    def one(self, *options: Any) -> Any:
        return self.r.choice(options)

    def new(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def number(self, depth: int = 2) -> str:
        """Return an expression for a number."""
        r = self.r.random()
        if depth <= 0 or r < 0.2:
            literal = self.r.choice([*range(-3, 12), 2**31, 2**62, -(2**62), 2**63 - 1])
            some = self.names["int"]
            return str(literal) if self.r.random() < 0.4 or not some else self.r.choice(some)
        n, m = (lambda: self.number(depth - 1)), (lambda: self.number(depth - 2))
        b, s, v = (lambda: self.truth(depth - 1)), (lambda: self.text(depth - 1)), self.values
        options: list[Callable[[], str]] = [
            lambda: f"({n()} {self.one(*'+-*&|^', '//', '%', '+', '-')} {n()})",
            lambda: f"({n()} {self.one(*'+-*', '//', '%')} {self.one(1, 2, 3, -1, -2, 7, -4)})",
            lambda: (
                f"({n()} {self.one('<<', '>>')} {self.one(0, 1, 3, 31, 62, 70, '(b & 7)', '(a % 99 - 2)')})"
            ),
            lambda: f"({self.one('-', '~', '+')}{n()})",
            lambda: (
                f"({self.one('-', '~', '+', '')}{b()})"
                if self.r.random() < 0.5
                else f"({b()} {self.one(*'+-*&|^', '<<', '//', '%')} {b()})"
            ),
            lambda: f"({n()} if {b()} else {self.one(n, b)()})",
            lambda: f"({n()} {self.one('and', 'or')} {n()})",
            lambda: f"abs({self.one(n, b)()})",
            lambda: f"{self.one('min', 'max')}({n()}, {n()}{self.one('', ', 3', ', ' + b())})",
            lambda: f"{self.one('min', 'max', 'sum', 'len')}({v(depth - 1)})",
            lambda: f"sum({b()} for i in range({m()} % 5))",
            lambda: (
                f"sum({self.one('i', 'i * i', 'i > 1', 'a % 5 * i')} for i in {v(depth - 1)}{self.one('', ' if i % 2')})"
            ),
            lambda: f"sum({v(depth - 1)}, {m()})",
            lambda: f"int({self.one(n, b)()})",
            lambda: f"divmod({n()}, {self.one(3, -4, m())})[{self.one(0, 1, -1)}]",
            lambda: f"{v(depth - 1)}[{self.one(0, -1, 1, -2, m())}]",
            lambda: f"{v(depth - 1)}.{self.one('count', 'index')}({self.one(0, 1, 2, m())})",
            lambda: f"len({s()})",
            lambda: f"{s()}.{self.one('count', 'find', 'index')}({s()})",
            lambda: f"spell({s()})",
            lambda: f"fold({v(depth - 1)})",
            lambda: f"({n()}).bit_count()",
            lambda: f"near({n()}{self.one('', ', 2', ', step=3')})",
            lambda: f"keyed({n()})",
            lambda: f"placed({n()}{self.one('', ', 5', ', 5, (3, 4)', ', z=(5, 6)')})",
            lambda: (
                f"{self.one('cached', 'self.half', 'self.scaled', 'down')}({n()} % {self.one(9, 5)})"
            ),
            lambda: self.one(
                "self.width", "self.area", "self.kind()", "STEP", "MIXED[1]", "NUMBERS[-2]"
            ),
            lambda: (
                f"{self.one('PAIRS', 'LISTS', 'self.lines')}[{m()} % 3][{self.one(0, 1, -1, m())}]"
            ),
            lambda: f"RAGGED[{m()} % 4][{self.one(0, 1, -1)}]",
            lambda: f"NEXT[{m()} % {self.one(2, 3)}]",
            lambda: f"swapped({m()}, {n()})[{self.one(0, 1)}]",
            lambda: f"({n()}, {n()})[{self.one(0, 1, -1, m() + ' % 2')}]",
            lambda: f"(0 if rarely(a) is None else {n()})",
        ]
        return self.r.choice(options)()

    def truth(self, depth: int = 2) -> str:
        """Return an expression for a bool."""
        some = self.names["bool"]
        if depth <= 0 or (some and self.r.random() < 0.15):
            return self.r.choice([*some, "True", "False", "a > 3", "b <= a", "a % 2 == 1"])
        n, m, b = (
            (lambda: self.number(depth - 1)),
            (lambda: self.number(depth - 2)),
            (lambda: self.truth(depth - 1)),
        )
        s, v = (lambda: self.text(depth - 1)), (lambda: self.values(depth - 1))
        options: list[Callable[[], str]] = [
            lambda: f"({n()} {self.one('<', '<=', '>', '>=', '==', '!=')} {n()})",
            lambda: (
                f"({m()} {self.one('<', '<=', '!=')} {self.r.choice(self.names['int'])} {self.one('<', '>=', '==')} {n()})"
            ),
            lambda: f"({b()} {self.one('and', 'or', '==', '!=', '&', '|', '^')} {b()})",
            lambda: f"(not {self.one(n, b, s, v)()})",
            lambda: f"bool({self.one(n, b, s, v)()})",
            lambda: (
                f"({n()} {self.one('in', 'not in')} {self.one(v(), 'SMALL', 'NEXT', 'range(' + m() + ')', 'range(9, -20, -3)', '(1, 2)', '[3, 4, ' + m() + ']', 'NUMBERS')})"
            ),
            lambda: f"({s()} {self.one('==', '!=', 'in', 'not in')} {s()})",
            lambda: f"({v()} {self.one('==', '!=')} {v()})",
            lambda: (
                f"({self.one('(a % 2, b % 2)', '[a % 2, 1]', 't', 'u', '(True, 0)')} {self.one('in', '==')} {self.one('PAIRS', 'LISTS', 'self.lines', '((0, 1), (1, 1))', '[[0, 1], [1, 1]]')})"
            ),
            lambda: (
                f"{self.one('any', 'all')}({self.one('i > 1', 'i', 'not i', 'i == a % 3', 't[i % 9]', 't[i]')} for i in {self.one('range(5)', v())}{self.one('', ' if i != 2')})"
            ),
            lambda: f"{self.one('any', 'all')}({v()})",
            lambda: f"{s()}.{self.one('startswith', 'endswith')}({s()})",
            lambda: (
                f"({self.one('t', 'u', 's', 'a')} == {self.one('()', '[]', '0', repr('a'), 'None', '(1, 2)', '[1, 2]')})"
            ),
        ]
        return self.r.choice(options)()

    def text(self, depth: int = 2) -> str:
        """Return an expression for a text."""
        if depth <= 0 or self.r.random() < 0.2:
            return self.r.choice([*self.names["text"], "''", "'a'", "'ab'", "'cb'"])
        n, s, b = (
            (lambda: self.number(depth - 2)),
            (lambda: self.text(depth - 1)),
            (lambda: self.truth(depth - 1)),
        )
        options: list[Callable[[], str]] = [
            lambda: f"({s()} + {s()})",
            lambda: f"({s()} * {self.one(0, 1, 2, -1, '(a % 3 - 1)')})",
            lambda: f"({self.one(2, '(a % 3 - 1)')} * {s()})",
            lambda: f"{s()}[{self.one(0, -1, 1, n())}]",
            lambda: (
                f"{s()}[{self.one('', 1, -2, n())}:{self.one('', 2, -1, n())}{self.one('', ':-1', ':2', ':' + n())}]"
            ),
            lambda: f"({s()} if {b()} else {s()})",
            lambda: f"{s()}.translate(SWAP)",
            lambda: (
                f"''.join({self.one('c', 'OTHER[c]', 'c * 2', repr('a'))} for c in {s()}{self.one('', ' if c != ' + repr('b'))})"
            ),
            lambda: f"''.join({self.one('list', 'tuple')}({s()}))",
            lambda: f"OTHER[{s()}]",
            lambda: f"({s()} {self.one('and', 'or')} {s()})",
        ]
        return self.r.choice(options)()

    def values(self, depth: int = 2) -> str:
        """Return an expression for a list, a tuple or a range of numbers."""
        makers = self.listed, self.tupled, self.listed, self.tupled
        return self.one(*makers, *[self.ranged] * (self.r.random() < 0.03))(depth)

    def run_over(self, depth: int = 2) -> str:
        """Return an expression for what a loop can run over."""
        return self.one(self.listed, self.tupled, self.ranged)(depth)

    def ranged(self, depth: int) -> str:
        n = self.number(0)
        return self.one(f"range({n} % 6)", f"range(5, {n} % 9 - 4, -2)", f"range(-3, {n} % 5)")

    def listed(self, depth: int = 2) -> str:
        """Return an expression for a list."""
        if depth <= 0 or self.r.random() < 0.25:
            return self.r.choice([*self.names["list"], "[1, 2]", "LISTS[0]", "[a % 7, b % 5, 1]"])
        n, b, v, q = (
            (lambda: self.number(depth - 1)),
            (lambda: self.truth(depth - 1)),
            self.listed,
            self.run_over,
        )
        options: list[Callable[[], str]] = [
            lambda: f"[{n()}, {self.one(n, b)()}]",
            lambda: f"[{b()}, {b()}]",
            lambda: (
                f"[{self.one('i', 'i + 1', 'i > 1', 'i * a % 9')} for i in {q(depth - 1)}{self.one('', ' if i > 0', ' if i % 2 if i')}]"
            ),
            lambda: (
                f"[{self.one('i + j', 'j')} for i in range(3) for j in range(i){self.one('', ' if j != i % 2')}]"
            ),
            lambda: f"list({q(depth - 1)})",
            lambda: f"sorted({q(depth - 1)}{self.one('', ', reverse=True')})",
            lambda: f"({v(depth - 1)} + {v(depth - 1)})",
            lambda: f"({v(depth - 1)} * {self.one(0, 2, -1, '(a % 3)')})",
            lambda: (
                f"{v(depth - 1)}[{self.one('', 1, -2, 'a % 3')}:{self.one('', 2, -1)}{self.one('', '', ':-1', ':2')}]"
            ),
            lambda: f"[*{q(depth - 1)}, {n()}]",
            lambda: (
                f"[{self.one('i * x', 'x', 'i')} for i, x in {self.one('enumerate', 'enumerate')}({q(depth - 1)}{self.one('', ', 3', ', start=-1')})]"
            ),
            lambda: (
                f"[x - y for x, y in zip({q(depth - 1)}, {q(depth - 1)}{self.one('', '', ', strict=True')})]"
            ),
            lambda: f"list(reversed({q(depth - 1)}))",
            lambda: f"grow({v(depth - 1)}, {n()})",
            lambda: f"longer({v(depth - 1)})",
            lambda: f"({v(depth - 1)} if {b()} else {v(depth - 1)})",
        ]
        return self.r.choice(options)()

    def tupled(self, depth: int = 2) -> str:
        """Return an expression for a tuple."""
        if depth <= 0 or self.r.random() < 0.25:
            return self.r.choice(
                [*self.names["tuple"], "(1, 2)", "PAIRS[1]", "(a % 7, b % 5)", "MIXED"]
            )
        n, b, v, q = (
            (lambda: self.number(depth - 1)),
            (lambda: self.truth(depth - 1)),
            self.tupled,
            self.run_over,
        )
        options: list[Callable[[], str]] = [
            lambda: f"({n()}, {n()})",
            lambda: f"tuple({q(depth - 1)})",
            lambda: f"tuple({self.one('i', 'i + 1', 'i > 1')} for i in {q(depth - 1)})",
            lambda: f"({v(depth - 1)} + {v(depth - 1)})",
            lambda: f"({v(depth - 1)} * {self.one(0, 2, -1)})",
            lambda: (
                f"t[{self.one('', 1, -2)}:{self.one('', 2, -1)}{self.one('', '', ':-1', ':2')}]"
            ),
            lambda: f"(*{q(depth - 1)}, {n()})",
            lambda: f"longer({v(depth - 1)})",
            lambda: f"(t if {b()} else {v(depth - 1)})",
        ]
        return self.r.choice(options)()

    def block(self, depth: int, indent: str, loop: bool = False) -> None:
        """Add some statements."""
        kept = {kind: list(names) for kind, names in self.names.items()}
        for _ in range(self.r.randint(1, 3)):
            self.statement(depth, indent, loop)
        if indent != "    " and self.r.random() < 0.97:  # else names may not be set
            self.names = kept

    def statement(self, depth: int, indent: str, loop: bool) -> None:
        """Add a statement."""
        add = lambda line: self.lines.append(indent + line)  # noqa: E731
        r = self.r.random()
        some = [name for name in self.names["int"] if name not in "ab"]
        if r < 0.42:
            kind = self.one("int", "int", "bool", "text", "list", "tuple")
            makers = {
                "int": self.number,
                "bool": self.truth,
                "text": self.text,
                "list": self.listed,
                "tuple": self.tupled,
            }
            value, name = makers[kind](), self.new()
            if self.names[kind] and self.r.random() < 0.3:
                name = self.r.choice(self.names[kind])
            add(f"{name} = {value}")
            if name not in self.names[kind]:
                self.names[kind].append(name)
        elif r < 0.52:
            name = self.r.choice(self.names["int"])
            add(f"{name} {self.one(*'+-*&|^%', '//')}= {self.number(1)}")
        elif r < 0.54:
            add(
                f"{self.r.choice(self.names['int'])} {self.one('>>', '<<')}= {self.one(1, 2, 40, 63, 'a % 80 - 1')}"
            )
        elif r < 0.66:
            name = self.r.choice(self.names["list"])
            add(self.one(
                f"{name}.append({self.number(1)})", f"{name}.append({self.truth(1)})",
                f"{name}[{self.one(0, -1, self.number(0))}] = {self.number(1)}",
                f"{name}[{self.one(0, -1)}] = {self.truth(1)}",
                f"{name}[{self.one(0, -1, 'a % 3')}] {self.one(*'+-*')}= {self.number(1)}",
                f"{name} += {self.values(1)}", f"{name}.extend({self.values(1)})",
                f"{name}.insert({self.one(0, -1, 9, 'a')}, {self.number(0)})",
                f"{name}.remove({self.number(0)})", f"{name}.sort()", f"{name}.reverse()",
                f"{name}.pop({self.one('', 0, -1, 'a')})", f"{name}.pop({self.one(0, -1, 'a')})",
                f"{name} = {name} + {self.listed(1)}", f"{name} *= 2", f"{name} = {name}[:]",
                f"{name}.clear()", f"{name} = {name}.copy()",
            ))  # fmt: skip
        elif r < 0.70:
            first, second = self.new(), self.new()
            add(
                f"{first}, {second} = {self.one(self.number(1) + ', ' + self.number(1), 'divmod(a, 7)', 'b, a', 'swapped(a, b)', self.values(1), 't')}"
            )
            self.names["int"] += [first, second]
        elif r < 0.73:
            name = self.new()
            add(f"{name} = {self.r.choice(self.names['list'])}")  # an alias
            self.names["list"].append(name)
        elif r < 0.75:
            name = self.new()
            add(f"{name} = rarely({self.number(1)})")
            add(f"if {self.one(name + ' is None', name + ' == None', 'not ' + name)}:")
            add(f"    {name} = {self.one(4, 0, -1)}")
            self.names["int"].append(name)
        elif r < 0.76 and loop:
            add(f"if {self.truth(1)}:")
            add(f"    {self.one('break', 'continue')}")
        elif r < 0.77:
            add(f"assert {self.truth(1)}{self.one('', ', a', ', ' + repr('x'))}")
        elif r < 0.78:
            add(f"if {self.truth(1)}:")
            add(
                f"    {self.one('raise ValueError', 'raise KeyError(a)', 'return ' + self.number(1), 'return ' + self.truth(1))}"
            )
        elif depth > 0 and r < 0.88:
            add(f"if {self.truth(2)}:")
            self.block(depth - 1, indent + "    ", loop)
            if self.r.random() < 0.6:
                add(self.one("else:", f"elif {self.truth(1)}:"))
                self.block(depth - 1, indent + "    ", loop)
        elif depth > 0 and r < 0.96:
            name = self.new()
            add(
                f"for {name} in {self.one('range(3)', 'range(a % 4)', 'list(' + self.values(1) + ')', 'tuple(' + self.values(1) + ')')}:"
            )
            self.names["int"].append(name)
            self.block(depth - 1, indent + "    ", True)
            if self.r.random() < 0.2:
                add("else:")
                self.block(depth - 1, indent + "    ", loop)
            if self.r.random() < 0.9:
                self.names["int"].remove(name) if name in self.names["int"] else None
        elif depth > 0:
            name = self.new()
            add(f"{name} = {self.number(1)} % 5")
            add(f"while {name} > 0{self.one('', ' and ' + self.truth(1))}:")
            add(f"    {name} -= 1")
            self.block(depth - 1, indent + "    ", True)
            self.names["int"].append(name)
        elif some:
            add(f"{self.r.choice(some)} = {self.number(2)}")
        else:
            add("pass")

    def body(self, name: str) -> str:
        """Return the text of a method."""
        for _ in range(self.r.choice([1, 1, 1, 2, 2, 3, 5])):
            self.statement(self.r.choice([1, 1, 2]), "    ", False)
        parts = [
            f"({self.r.choice(self.names[kind])})" for kind in ("int", "list", "tuple", "text")
        ]
        ends = f"{parts[0]} % WIDE + fold({parts[1]}) * 3 + fold({parts[2]}) + spell({parts[3]})"
        values = f"fold({self.r.choice(self.names['list'])}) + fold({self.r.choice(self.names['tuple'])})"
        some = self.r.choice(self.names["int"])
        simple = some, some, values, f"spell({self.r.choice(self.names['text'])})"
        self.lines.append(f"    return {self.one(*simple, ends, self.number(2), self.truth(2))}")
        lines = "\n".join(f"    {line}" for line in self.lines)
        return f"    def {name}(self, a, b, s, t, u):\n{lines}\n"


def written(bodies: dict[int, str], helpers: str = "") -> str:
    """Return the text of a game with these bodies."""
    cases = [
        f"        if k == {k}:\n            return int(self.f{k}(a, b, s, t, u))\n" for k in bodies
    ]
    chosen = "\n    def body(self, k, i):\n        a, b, s, t, u = self.arguments(i)\n"
    return "\n".join(
        [
            HEAD.replace("\n\nclass Base", f"{helpers}\n\nclass Base"),
            *bodies.values(),
            f"{chosen}{''.join(cases)}        return 0\n",
        ]
    )


def loaded(path: Path, text: str) -> Any:
    """Return the game in a file with this text."""
    path.write_text(text)
    sys.modules.pop(path.stem, None)  # another test has loaded its own
    return load_game(f"{path}:Rules")


class Comparison:
    """A batch of bodies, each of which is refused, or gives what Python gives, or an error."""

    def __init__(self, folder: Path, bodies: dict[int, str], helpers: str = "") -> None:
        self.bodies, self.folder, self.helpers = dict(bodies), folder, helpers
        self.refused: dict[int, str] = {}
        self.wrong: list[str] = []
        self.equal = self.errors = 0
        game, code = self._translated()
        self._compile(code)
        for k, body in self.bodies.items():
            for i in range(PER_BODY):
                right = outcome(lambda: game.body(k, i))
                got = outcome(lambda: int(self.run(k, i)))
                self.equal += right == got
                self.errors += right != got
                if got not in (right, "OverflowError") and not isinstance(right, str):
                    self.wrong.append(f"{body}\nat {i}: {right} in Python, {got} compiled")
                    break
                if isinstance(right, str) and not isinstance(got, str):
                    self.wrong.append(f"{body}\nat {i}: {right} in Python, {got} compiled")
                    break

    def _translated(self) -> tuple[Any, Any]:
        """Return the game and the module of its compiled rules, without what is refused at once."""
        while True:
            path = self.folder / f"bodies_{len(self.refused)}.py"
            text = written(self.bodies, self.helpers)
            game = loaded(path, text)
            try:
                return game, _load(module_source(game, numba.__version__)[0])
            except NotCompiledError as error:
                line = int(error.place.rpartition(":")[2])
                before = re.findall(r"    def f(\d+)\(", "\n".join(text.splitlines()[:line]))
                helper = error.reason.split()[0].split(".")[0]
                k = (
                    int(before[-1])
                    if before
                    else next(k for k in self.bodies if helper in self.bodies[k])
                )
                self.refused[k] = str(error)
                del self.bodies[k]

    def _compile(self, code: Any) -> None:
        """Compile each body, or note why it is refused."""
        names = {name.rpartition("_")[0]: name for name in vars(code)}
        arguments = vars(code)[names["arguments"]]
        arguments.compile((numba.int64,))
        kinds = tuple(arguments.nopython_signatures[0].return_type)
        lines = []
        for k in [*self.bodies]:
            try:
                compiled = vars(code)[names[f"f{k}"]]
                compiled.compile(kinds)
            except Exception as error:
                self.refused[k] = str(error) or repr(error)
                del self.bodies[k]
            else:
                call = f"{names[f'f{k}']}(*given)"
                never = compiled.nopython_signatures[0].return_type == numba.types.none
                lines += [
                    f"    if k == {k}:",
                    f"        {call if never else f'return whole({call})'}",
                ]
        driver = ["def run(k, i):", f"    given = {names['arguments']}(i)", *lines, "    return 0"]
        exec("\n".join(driver), vars(code))
        self.run = numba.njit(code.run)


def outcome(compute: Callable[[], int]) -> int | str:
    """Return a result, or the name of an exception."""
    try:
        return compute()
    except Exception as error:
        return type(error).__name__
