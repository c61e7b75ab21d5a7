"""Compiled rules mean what Python means: each construct gives the same, or is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Outcome
from solver.compiling.kernel import CompiledKernel
from solver.errors import NotCompiledError
from tests.compiling.bodies import Comparison, Drawing
from tests.support import soundness
from tests.support.soundness import Notakto

SAME = r"""
v = [x for x in u]; w = u[a]; return len(v)
return (~(a > 3)) % 7 - -(b > 5)
return (a > 3) + (b > 3) + ((a > 5) ^ (b > 9)) + ((a > 5) << 3) + (a > 1) // 1
return sum(i > a % 7 for i in range(9))
return (a - 30) // 7 + (b + 3) % -5
x, y = divmod(a, -4); return x + y
return 5 // b
return (a >> 70) + (b >> 2)
return near(a, 3) + placed(a, 3, (3, 4))
return 1 if [a % 2, b % 3] == (1, 1) else 0
return 1 if [a % 2, b % 3] in ((1, 1), (0, 2)) else 0
return 1 if u in LISTS else 2
return 1 if t in PAIRS else 2
return 1 if t == [1, 2] or u == (1, 2) else 0
return 1 if (1, 2) == (1, 2, 3) else 0
return 1 if s == 1 or a == 'a' or a == None else 2
return len(longer(t)) * 10 + len(t)
v = u; v = v + [7]; return len(u)
g = [[0] * 2 for _ in range(3)]; g[1][0] = 5; return g[0][0] * 10 + g[1][0]
g = [[0] * 2] * 3; g[1][0] = 5; return g[0][0] * 10 + g[1][0]
return u.count(a) + t.count(2) + (1, 2, 1).count(1)
return u[a] + t[b]
return t[-1]
return fold(u[1:]) + fold(t[-2:]) + fold(t[a % 3 : b % 5]) + fold(u[:-9])
return all(t[i] for i in range(9))
return any(t[i % 2] > 1 for i in range(a % 3))
return all(i for i in range(0)) + any(u) + all(t)
return a % 3 or b % 5
return 1 if 3 < a <= 20 != 15 else 0
x = False\nif a > 3:\n    x = a\nreturn x + 1 if x < 9 else x
x = 9; v = [x for x in range(a % 4 + 1)]; return x * 10 + len(v)
STEP = 3; return STEP + a % 5
i = 0\nwhile i < a % 5:\n    if i == 3:\n        break\n    i += 1\nreturn i
r = 0\nfor i in range(5):\n    i += a % 3\n    r += i\nreturn r
return sum(x * y for x, y in zip(u, [1, 2]))
return sum(i * x for i, x in enumerate(u))
return (a in range(40, 3, -4)) + (b in range(5)) * 2
v = None\nfor x in u:\n    if v is None or x > v:\n        v = x\nreturn 99 if v is None else v
x = rarely(a); return 5 if x is None else x
x = rarely(a); return x + 1
x = rarely(a); return 1 if not x else 2
c, d = a, b; c, d = d, c; return c - d // 2 if d > -9 and c < 9 else 3
x, y = t; return x + y
return s.count('') + s.count('a')
return spell(s * (a % 4 - 1)) + spell(s[1:])
return spell(''.join([c for c in s if c != 'a']))
return spell(''.join([s, 'c'])) + spell(''.join(list(s))) + spell(''.join(list(s)[:0]))
return 1 if s in 'abab' and s or 'ba' in s else 2
return spell(OTHER[s]) + NEXT[a % 3]
return (4, 9)[(a > 3) + 0] + len(s[1:])
return min(u) + max(t) + min(a, b) + max(a % 5, 3, b % 7)
return fold(sorted(u)) + fold(sorted(t))
return sum((a % 9, 2)) + sum(u) + sum(t)
return fold((*t, 5)) + fold([*u, *t]) + fold(t * 2) + fold([1] * -1)
return Outcome.LOSS + 5 if a > 3 else -Outcome.WIN
x = ended(a); return 1 if x == Outcome.DRAW else 2 if x != Outcome.WIN else 3
return 1 if -Outcome.WIN == Outcome.LOSS and max(Outcome.LOSS, Outcome.DRAW) == 0 else 2
return 1 if len(u) > len(grow(u, a)) else 2 if len(u) <= len(grow(u, 1)) else 3
return self.area + self.half(a) + self.kind() + self.width
return a.bit_count() + (-b).bit_count()
v = []; v.append(a > 3); v.append(7); return sum(v)
v = [a > 3]; v += u; return sum(v)
v = [a > 3]; v.append(5); return sum(v)
x: int = a % 9; x <<= 1; x = x * 2; return x // 4 - b % 3
return len(RAGGED[a % 4]) + NUMBERS[-1] % 7 + (a in NUMBERS)
"""
SAME += r"""
v = [3]; v += v; v += [x + 1 for x in v]; v += range(a % 3); return fold(v)
v = list(u); v.append(9)\nfor x in u:\n    v.append(x)\n    v[0] += x\nreturn sum(v) + len(v)
r = 0\nfor x in list(u):\n    u[0] = x + r\n    r += u[0]\nreturn r
r = 0\nfor i in range(len(u)):\n    u[i] += 1\n    r += grow(u, i)[0]\nreturn r + len(u)
v = [1, 2]; r = 0\nfor x in v:\n    u.append(x)\n    r += grow(u, r)[0]\nreturn r + fold(u)
v = [[1], [2, 3]]\nfor w in v:\n    w.append(a % 5)\nreturn fold(v[0]) + fold(v[1])
r = 0\nfor x in u:\n    if x < 0:\n        continue\n    r += x\n    pass\nreturn r
v = [a, b]; v[0], v[1] = v[1], v[0]; return 1 if v[0] == b else 2
r = 0\nfor i, x in enumerate(zip(u, t)):\n    r += i * x[0]\nreturn r
return self.made(a % 5) + (a > 3)
"""
REFUSED = r"""
for x in u:\n    u[0] = 7\nreturn fold(u)
v = u\nfor x in u:\n    v.append(1)\n    if len(v) > 9:\n        break\nreturn len(u)
for x in u:\n    passed(u, x)\n    if len(u) > 9:\n        break\nreturn len(u)
r = 0\nfor x in reversed(u):\n    r = r * 3 + x\nreturn r
for i, x in enumerate(u):\n    u[i] += 1\nreturn fold(u)
v = [3, 4]; w = [5]\nfor x in v if a else w:\n    v[1] = x\nreturn fold(v)
v = [3, 4]; w = [5]\nfor x in w or v:\n    v[1] = x\nreturn fold(v)
for x, y in zip(u, t):\n    u[0] += y\nreturn fold(u)
v = [3, 4]\nfor x in v:\n    v[1] = x\nreturn fold(v)
v = [3, 4]; w = [v, v]\nfor x in w[0]:\n    v[1] = x\nreturn fold(v)
v = [3, 4]; w = same(v)\nfor x in w:\n    v[1] = 7\nreturn fold(v)
v = [3, 4]; w = a and v\nfor x in v:\n    w[1] = 7\nreturn fold(v)
v = [3, 4]; v2, w = 1, v\nfor x in v:\n    w[1] = 7\nreturn fold(v)
v = [3, 4]\nfor w in [v]:\n    for x in v:\n        w[1] = 7\nreturn fold(v)
return sum([grow(u, x)[0] for x in u if len(u) < 9])
return sum(len(grow(u, x)) for x in u)
return any(passed(u, x) for x in u if len(u) < 9)
for u[0] in u:\n    pass\nreturn fold(u)
return len([1 for u[0] in t])
for x in (u[i] for i in range(2)):\n    u[1] = 7\nreturn fold(u)
v = u; v += [7]; return len(u)
v = [1]; v *= 2; return len(v)
return sum((x for x in u), 3)
return max((x for x in u), 3)
return fold([*(x for x in u)])
return sum(x for x, y in zip((x for x in u), u))
return even(a % 9)
return self.again(a % 5)
return sum(down(x % 3) for x in u)
return twice(a)
return halved(a)
return patched(a)
return self.traced(a)
return self.wrapped(a)
return self.partial(1)
return Odd(a)
return lookalike(u)
return u.pop()
return u.index(a)
return spell(s.translate(SWAP))
return abs(a)
return int(a)
return 1 if bool(a) else 2
return sum(u, 3)
return sum(i for i, x in enumerate(u, 1))
return sum(x for x, y in zip(u, t, strict=True))
return 1 if LISTS[0][:1] == [0] else 2
return fold(sorted(u, reverse=True))
return +a
x = ended(a); return 1 if -x is Outcome.DRAW else 2
return 1 if max(Outcome.WIN, Outcome.LOSS) is Outcome.WIN else 2
return 1 if a is b else 2
return 1 if None is None is a else 2
v = [a > 3]; v.extend(u); return sum(v)
return down(a % 9)
if a > 3:\n    raise KeyError(a)\nreturn 2
assert a > 3, s; return 1
return 1 if a % 3 is Outcome.DRAW or u is Outcome.WIN else 2
x = ended(a); return 1 if x is Outcome.DRAW else 2 if x is not Outcome.WIN else 3
return Outcome(a)
return 1 if Outcome((a > 3) - (b > 3)) is Outcome.WIN else 2
return s.startswith('a') + s.endswith('ab')
return spell(''.join(c for c in s if c != 'a'))
i = 0\nwhile i < a % 5:\n    if i == 3:\n        break\n    i += 1\nelse:\n    return 77\nreturn i
u.insert(-1, 9); return fold(u)
return len(longer(u)) * 10 + len(u)
return cached(a)
return keyed(b) + keyed(b, flip=True)
return keyed(b, 3)
return cut(a)
return near(a, step=3)
return near(*t)
return max(*u)
return spell(s.replace('ab', 'c'))
return s.index('b')
return 1 if t < (1, 2) or u >= [1] else 2
del u[a]; return fold(u)
return a.bit_length()
return spell(s[::a])
return len(u[::a])
return a & 0xFFFFFFFFFFFFFFFF
return 0x8000000000000000 if a else 1
return 1.5 if a else 1
return a / 2
return a ** 2
x = 3; return 1 if a is x else 2
x = a > 3; return 1 if x is True else 2
v = [False] * 3; v[0] = 2; return sum(v)
return u[a] if a else t
v = t if a > 3 else u; return len(v)
if a > 3:\n    x = 1\nreturn x
for i in range(a % 3):\n    pass\nreturn i
x = 0\nwhile x < 2:\n    x += y\n    y = 1\nreturn x
v = (i for i in u); return sum(v) + sum(v)
v = zip(u, u); return len(list(v)) + len(list(v))
return sum(x for x in SMALL)
return len(SMALL)
return D.get(a, 9)
return sorted(u, key=keyed)[0]
return min(u, key=lambda x: -x)
return min(u, default=3)
f = near; return f(a)
return (lambda x: x)(a)
return wrapped(a)
return caught(a)
return counted(a)
return joined(1, a)
return held(a)
return maker_of_3(a)
return bound(a)
return redefined.__wrapped__(a)
u[0:1] = [7, 8]; return len(u)
x, *y = u; return x
PAIRS.append((1, 2)); return 1
LISTS[0][0] = 5; return 1
NEXT[3] = a; return 1
self.width = a; return 1
return len(f'{a}')
return (y := a % 5) + y
match a:\n    case 0:\n        return 1\nreturn 2
try:\n    return 5 // a\nexcept ZeroDivisionError:\n    return 1
return hash(a)
return id(u) and 1
return ord(s)
return int(s)
return int()
return round(a)
return pow(2, 3)
return len(str(a))
return isinstance(a, int)
print(a); return 1
return super().kind()
return {1: 2}[a]
return 1 if s < 'b' else 2
return len(s.split())
return s.find('a', 1)
return s.startswith(('a', 'b'))
return len(b'ab')
global STEP; STEP = 2; return 1
import math; return 1
def f(x):\n    return x\nreturn f(a)
with open(s):\n    return 1
yield a
return next(iter(u))
return sum(map(near, u))
del a; return 1
return u == range(3)
return self
"""
HELPERS = """
D = {0: 5}
SWAP = str.maketrans("ab", "ba")


def ended(x):
    if x % 4:
        return Outcome.LOSS if x % 4 == 1 else Outcome.DRAW if x % 4 == 2 else Outcome.WIN


def cut(x, y=2):
    return x % 9 + y


def with_one_more(rule):
    @wraps(rule)
    def inner(x):
        return rule(x) + 1
    return inner


@with_one_more
def wrapped(x):
    return x


@lru_cache
@with_one_more
def caught(x):
    return x


class counting:
    def __init__(self, rule):
        self.rule = rule
        self.__wrapped__ = rule

    def __call__(self, x):
        return self.rule(x) + 1


@counting
def counted(x):
    return x


def passed(row, x):
    return len(grow(row, x)) > 0


def same(row):
    return row


def even(n):
    return 1 if n == 0 else odd(n - 1)


def odd(n):
    return 0 if n == 0 else even(n - 1)


def twice(x):
    return x + 1


twice.__wrapped__, twice.has_plain_results = near, True
twice = wraps(near)(lambda x: x + 2)


@wraps(near)
def halved(x, *, of=near):
    return of(x) // 2


def patched(x):
    return x + 1


patched.__code__ = patched.__code__.replace(co_consts=(None, 2))


class Odd(int):
    pass


class Lookalike:
    def __hash__(self):
        return hash(len)

    def __eq__(self, other):
        return other is len

    def __call__(self, row):
        return 7


lookalike = Lookalike()
u = (1, 2)


def joined(*u):
    return sum(u)


def held(x, found=[]):
    return x + len(found)


def maker(k):
    def inner(x):
        return x + k
    return inner


maker_of_3 = maker(3)
bound = partial(keyed, size=2)


def redefined(x):
    return x


redefined = with_one_more(redefined)
"""


def bodies(text: str) -> dict[int, str]:
    """Return a body of each line, whose statements are apart by ; or by a written line break."""
    found = {}
    for k, line in enumerate(filter(None, text.splitlines()), 1):
        statements = line.replace("; ", "\n").replace("\\n", "\n").splitlines()
        inner = "".join(f"        {statement}\n" for statement in statements)
        found[k] = f"    def f{k}(self, a, b, s, t, u):\n{inner}"
    return found


@pytest.mark.large
def test_constructs_that_are_compiled_give_what_python_gives(tmp_path: Path) -> None:
    found = Comparison(tmp_path, bodies(SAME), HELPERS)
    assert found.wrong == []
    assert [*found.refused.values()] == []
    assert found.errors < found.equal / 10  # an error of large numbers


@pytest.mark.large
def test_constructs_that_numba_changes_are_refused(tmp_path: Path) -> None:
    found = Comparison(tmp_path, bodies(REFUSED), HELPERS)
    assert [*found.bodies.values()] == []


@pytest.mark.parametrize(
    ("start", "end"),
    [
        (7, 9),
        pytest.param(9, 21, marks=[pytest.mark.large, pytest.mark.every]),
        pytest.param(1, 5001, marks=[pytest.mark.campaign, pytest.mark.every]),
    ],
)
@pytest.mark.slow
def test_bodies_drawn_at_random_give_what_python_gives(
    tmp_path: Path, start: int, end: int
) -> None:
    """Most are compiled: with all of them refused, nothing would be compared."""
    refused = 0
    for first in range(start, end, 100):
        numbers = range(first, min(first + 100, end))
        drawn = {k: Drawing(k).body(f"f{k}") for k in numbers}
        found = Comparison(tmp_path, drawn)
        assert found.wrong == []
        refused += len(found.refused)
    assert refused <= (end - start) / 2


class Listed(soundness.Steps):
    """A list at the end of a rare line of play."""

    def play(self, p: Any, m: int) -> Any:
        return [p[0] + 1, 1] if p[0] == -1 else (p[0] + 1, 0)


class Number(Notakto):
    """A number for an outcome."""

    def primitive(self, p: Any) -> Any:
        return 1 if p == -1 else Outcome.LOSS if p == (1 << 16) - 1 else None


class Large(soundness.Marks):
    """A number of 64 bits in a rare position."""

    symmetries = ()

    def primitive(self, p: Any) -> Any:
        if p == 0x0DA5 and (1 << 62 + p % 2) > p:
            return Outcome.WIN
        return Outcome.LOSS if p == (1 << 14) - 1 else None


@pytest.mark.parametrize("kind", [soundness.Total, soundness.Decorated, Listed, Number])
@pytest.mark.slow
def test_a_rule_that_would_change_in_a_rare_position_is_refused(kind: Any) -> None:
    with pytest.raises(NotCompiledError):
        CompiledKernel(kind())


@pytest.mark.parametrize(("kind", "key"), [(soundness.Wrap, 0x0DA8), (Large, 0x0DA5)])
@pytest.mark.thinned(2)
@pytest.mark.slow
def test_python_expands_a_rare_position_with_a_number_of_more_than_64_bits(
    kind: Any, key: int
) -> None:
    kernel = CompiledKernel(kind())
    assert kernel.successors(np.array([0]))[0][0] == 2  # the game goes on
    assert kernel.asked == 0
    assert kernel.successors(np.array([0, key]))[0].tolist() == [2, 1]
    assert kernel.asked == 1
