"""Bodies of rules, drawn at random, and what they return in Python and compiled.

Each body is a function of two numbers, a text, a tuple and a list, and returns a number. Bodies
mostly keep to what is compiled, and stray from it now and then: a batch of them is one game, which
is compiled once, without those that are refused.
"""

# mypy: disable-error-code="no-untyped-call,no-any-return"
# ruff: noqa: B023

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

from solver import load_game
from solver.compiling.module import load
from solver.compiling.source import module_source
from solver.errors import NotCompiledError

FEW = (0, 1, 2, 3, 5, 8, 63, 64, 255, 2**31 - 1, 2**31, 2**32 + 1, 2**61, 2**62 - 1, 2**62)
NUMBERS = (*FEW, 2**63 - 1, *(-n for n in FEW[1:]), -(2**63 - 1), 7, 12, -7, -4, 4, 6)
TEXTS = ("", "a", "b", "ab", "ba", "abc", "aabb", "cab", "abab")
ROWS = ((), (0,), (1, 2), (2, 1, 0), (1, 1, 2, 3), (3, 0, 0, 5, -2), (True, False, True))
PER_BODY = 48  # sets of arguments
WIDE = 2**31 - 1

HEAD = f"""
from functools import cache, lru_cache, partial, partialmethod, wraps
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
PLACE = {{"a": 0, "b": 1, "c": 2}}
STEP = 5


def fold(values):
    found = 7
    for value in values:
        found = (found * 31 + value % 1009) % WIDE
    return found


def spell(text):
    found = 3
    for c in text:
        found = found * 5 + PLACE[c] + 2
        found %= WIDE
    return found


def near(x, step):
    return x % 1000 + step


def keyed(x, *, size=3, flip=False):
    return size - x % 100 if flip else x % 100 + size


def placed(x, y, /, z):
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


class traced:
    def __init__(self, rule):
        self.rule = rule

    def __get__(self, game, kind):
        return lambda x: self.rule(game, x) + 1


def pushed(row, x):
    return len(grow(row, x))


def same(row):
    return row


class Base:
    width = 4
    flags = (True, False, True)

    @property
    def area(self):
        return self.width * 3

    @staticmethod
    def half(x):
        return x // 2

    @classmethod
    def made(cls, x):
        return cls.half(x) + cls.width

    def again(self, x):
        return self.again(x - 1) if x > 0 else 0

    def wrapped(self, x):
        return x

    wrapped = wraps(wrapped)(lambda self, x: x + 1)
    partial = partialmethod(half, 3)

    @traced
    def traced(self, x):
        return x

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


# An expression of each kind: n number, b bool, s text, l list, t tuple. In a line <n> is another of
# a kind, <m> a simpler number, <v> a list or a tuple, <q> what a loop runs over, <N> a variable;
# {} has choices, two blanks apart.
GRAMMAR = {
    "n": """
(<n> {+  -  *  &  |  ^  //  %  +  -} <n>)
(<n> {+  -  *  //  %} {1  2  3  -1  -2  7  -4})
(<n> {<<  >>} {0  1  3  31  62  70  (b & 7)  (a % 99 - 2)})
({-  ~}<n>)
({-  ~  }<b>)
(<b> {+  -  *  &  |  ^  <<  //  %} <b>)
(<n> if <b> else {<n>  <b>})
(<n> {and  or} <n>)
{min  max}(<n>, <n>{  , 3  , <b>})
{min  max  sum  len}(<v>)
sum(<b> for i in range(<m> % 5))
sum({i  i * i  i > 1  a % 5 * i} for i in <v>{   if i % 2})
divmod(<n>, {3  -4  <m>})[{0  1  -1}]
<v>[{0  -1  1  -2  <m>}]
<v>.count({0  1  2  <m>})
len(<s>)
<s>.count(<s>)
{spell(<s>)  fold(<v>)}
(<n>).bit_count()
near(<n>, 2)
pushed(<l>, <n>)
placed(<n>, 5, (3, <m>))
{self.half  self.scaled  self.made}(<n> % {9  5})
{self.width  self.area  self.kind()  STEP  MIXED[1]  NUMBERS[-2]}
{PAIRS  LISTS  self.lines}[<m> % 3][{0  1  -1  <m>}]
RAGGED[<m> % 4][{0  1  -1}]
NEXT[<m> % {2  3}]
swapped(<m>, <n>)[{0  1}]
(<n>, <n>)[{0  1  -1  <m> % 2}]
(0 if rarely(a) is {None  not None} else <n>)
""",
    "b": """
(<n> {<  <=  >  >=  ==  !=} <n>)
(<m> {<  <=  !=} <N> {<  >=  ==} <n>)
(<b> {and  or  ==  !=  &  |  ^} <b>)
(not {<n>  <b>  <s>  <v>})
(<n> {in  not in} {<v>  SMALL  NEXT  range(<m>)  range(9, -20, -3)  (1, 2)  [3, 4, <m>]  NUMBERS})
(<s> {==  !=  in  not in} <s>)
(<v> {==  !=} <v>)
({(a % 2, b % 2)  [a % 2, 1]  t  u  (True, 0)} {in  ==} {PAIRS  LISTS  self.lines  [[0, 1]]})
{any  all}({i > 1  i  not i  i == a % 3  t[i % 9]  t[i]} for i in {range(5)  <v>}{   if i != 2})
{any  all}(<v>)
({t  u  s  a} == {()  []  0  'a'  None  (1, 2)  [1, 2]})
""",
    "s": """
(<s> {+  and  or} <s>)
(<s> * {0  1  2  -1  (a % 3 - 1)})
({2  (a % 3 - 1)} * <s>)
<s>[{0  -1  1  <n>}]
<s>[{  1  -2  <n>}:{  2  -1  <n>}]
(<s> if <b> else <s>)
''.join([{c  OTHER[c]  c * 2  'a'} for c in <s>{   if c != 'b'}])
''.join({list  tuple}(<s>))
OTHER[<s>]
""",
    "l": """
[<n>, {<n>  <b>}]
[<b>, <b>]
[{i  i + 1  i > 1  i * a % 9} for i in <q>{   if i > 0   if i % 2 if i}]
[{i + j  j} for i in range(3) for j in range(i){   if j != i % 2}]
list(<q>)
sorted(<q>)
(<l> + <l>)
(<l> * {0  2  -1  (a % 3)})
<l>[{  1  -2  a % 3}:{  2  -1}]
[*<q>, <n>]
[{i * x  x  i} for i, x in enumerate(<q>)]
[x - y for x, y in zip(<q>, <q>)]
grow(<l>, <n>)
same(<l>)
(<l> if <b> else <l>)
""",
    "t": """
(<n>, <n>)
tuple(<q>)
tuple({i  i + 1  i > 1} for i in <q>)
(<t> + <t>)
(<t> * {0  2  -1})
t[{  1  -2}:{  2  -1}]
(*<q>, <n>)
longer(<t>)
(t if <b> else <t>)
""",
}
LEAVES = {
    "n": [*map(str, (*range(-3, 12), 2**31, 2**62, -(2**62), 2**63 - 1))],
    "b": ["True", "False", "a > 3", "b <= a", "a % 2 == 1"],
    "s": ["''", "'a'", "'ab'", "'cb'"],
    "l": ["[1, 2]", "LISTS[0]", "[a % 7, b % 5, 1]"],
    "t": ["(1, 2)", "PAIRS[1]", "(a % 7, b % 5)", "MIXED"],
    "q": ["range(<N> % 6)", "range(5, <N> % 9 - 4, -2)", "range(-3, <N> % 5)"],
}
MIXED = {"m": "n", "v": "ltltltltltltltltq", "q": "ltq"}
# Statements, by how often; $n is a new variable.
STATEMENTS = {
    11: ["{$n  $n: int} = <n>"],
    6: ["$b = <b>", "$s = <s>", "$l = <l>", "$t = <t>", "<N> = <n>"],
    2: [
        *("<S> = <s>", "<L> = <l>", "<T> = <t>"),
        "$n = rarely(<n>)\nif {$n is None  not $n}:\n    $n = 4",
    ],
    10: ["<N> {+  -  &  |  ^  %  //}= <n>"],
    1: [
        *("<N> {>>  <<}= {1  2  40  63  a % 80 - 1}", "if <b>:\n    return <b>"),
        *("<L>.append({<n>  <b>})", "<L>[{0  -1  <n>}] = <n>", "<L>[{0  -1}] = <b>", "<L> += <v>"),
        *("<L>[{0  -1  a % 3}] {+  -}= <n>", "grow(<L>, <n>)"),
        *("$l = {list  same}(<L>)", "$l = <L>[:]", "<T> += <t>", "<S> += <s>"),
    ],
    4: ["$n, $n2 = {<n>, <n>  divmod(a, 7)  b, a  swapped(a, b)  <v>  t}", "$l = <L>"],
}  # fmt: skip
PLAIN, WEIGHTS = zip(*[(s, n) for n, some in STATEMENTS.items() for s in some], strict=True)
BLOCKS = ["if <b>:", "for $n in {range(3)  range(a % 4)  list(<v>)  tuple(<v>)}:", "while $n > 0:"]
BLOCKS += ["for $n in {<L>  same(<L>)  <v>}:"]
BLOCKS += ["for $n, $n2 in {enumerate(<L>)  zip(<L>, <v>)}:"]


class Drawing:
    """Draws one body."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.names = {"n": ["a", "b"], "s": ["s"], "t": ["t"], "l": ["u"], "b": list[str]()}
        self.lines: list[str] = []
        self.count = 0

    def drawn(self, kind: str, depth: int) -> str:
        """Return an expression of a kind."""
        if kind.isupper():
            return self.r.choice(self.names[kind.lower()])
        if kind in MIXED and (inner := self.r.choice(MIXED[kind])) != "q":
            return self.drawn(inner, depth - (kind == "m"))
        if kind in MIXED:
            return self.filled(self.r.choice(LEAVES["q"]), 0)
        if depth > 0 and self.r.random() > 0.2:
            return self.filled(self.r.choice(GRAMMAR[kind].strip().splitlines()), depth - 1)
        known = self.names[kind] if self.r.random() < 0.6 else []
        return self.r.choice(known or LEAVES[kind])

    def filled(self, template: str, depth: int) -> str:
        """Return a line of the grammar with its choices made."""
        chosen = re.sub(r"\{(.*?)\}", lambda m: self.r.choice(m[1].split("  ")), template)
        text = re.sub("<([a-zA-Z])>", lambda m: self.drawn(m[1], depth), chosen)
        for new in dict.fromkeys(re.findall(r"\$\w+", text)):
            self.count += 1
            self.names[new[1]].append(f"v{self.count}")
            text = re.sub(re.escape(new) + r"\b", f"v{self.count}", text)
        return text

    def add(self, text: str, indent: str) -> None:
        self.lines += [indent + line for line in text.splitlines()]

    def block(self, depth: int, indent: str, loop: bool) -> None:
        """Add some statements."""
        kept = {kind: list(names) for kind, names in self.names.items()}
        for _ in range(self.r.randint(1, 3)):
            self.statement(depth, indent, loop)
        if loop and self.r.random() < 0.1:
            self.add(self.filled("if <b>:\n    {break  continue  pass}", 1), indent)
        if self.r.random() < 0.97:  # else names may not be set
            self.names = kept

    def statement(self, depth: int, indent: str, loop: bool) -> None:
        """Add a statement."""
        if depth == 0 or self.r.random() < 0.78:
            self.add(self.filled(self.r.choices(PLAIN, WEIGHTS)[0], self.r.choice((1, 2))), indent)
            return
        head = self.r.choice(BLOCKS)
        known = {kind: list(names) for kind, names in self.names.items()}
        if head.startswith("while"):
            self.add(self.filled("$n = <n> % 5", 1), indent)
            name = self.names["n"].pop()  # so that no other statement sets it
            self.add(f"while {name} > 0:\n    {name} -= 1", indent)
        else:
            self.add(self.filled(head, 1), indent)
        self.block(depth - 1, indent + "    ", loop or head != BLOCKS[0])
        if head.startswith("for") and self.r.random() < 0.9:
            self.names = known
        if head.startswith("if") and self.r.random() < 0.5:
            self.add("else:", indent)
            self.block(depth - 1, indent + "    ", loop)

    def body(self, name: str) -> str:
        """Return the text of a method."""
        for _ in range(self.r.choice([1, 1, 1, 2, 2, 3, 5])):
            self.statement(self.r.choice([1, 1, 2]), "", False)
        folded = "fold(<L>) + fold(<T>)"
        ends = "<N>", folded, "spell(<S>)", f"<N> % WIDE + {folded} * 3 + spell(<S>)", "<n>", "<b>"
        self.add(f"return {self.filled(self.r.choice(ends), 2)}", "")
        lines = "\n".join(f"        {line}" for line in self.lines)
        return f"    def {name}(self, a, b, s, t, u):\n{lines}\n"


def written(bodies: dict[int, str], helpers: str = "") -> str:
    """Return the text of a game with these bodies."""
    cases = [f"        if k == {k}:\n            return self.f{k}(a, b, s, t, u)\n" for k in bodies]
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
        self.equal = self.errors = self.files = 0
        game, code = self._translated()
        self._compile(code)
        for k, body in self.bodies.items():
            for i in range(PER_BODY):
                right = outcome(lambda: int(game.body(k, i)))
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
        for k, body in [*self.bodies.items()]:
            try:
                self._source({k: body})
            except NotCompiledError as error:
                self.refused[k] = str(error)
                del self.bodies[k]
        game, text = self._source(self.bodies)
        return game, load(text, list)

    def _source(self, bodies: dict[int, str]) -> tuple[Any, str]:
        self.files += 1  # two texts of one length in a file at one instant look the same
        path = self.folder / f"bodies_{self.files}.py"
        game = loaded(path, written(bodies, self.helpers))
        return game, module_source(game, numba.__version__)[0]

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
