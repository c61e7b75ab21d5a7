"""The kinds of random games: each draws the constants of rules, and what a user may declare.

The texts of the rules are in `random_rules`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any, NamedTuple

from tests.support import random_rules as rules

OUTCOMES = ("Outcome.WIN", "Outcome.DRAW", "Outcome.LOSS")


class Draft(NamedTuple):
    """What makes up a game's source."""

    text: str
    constants: dict[str, Any]
    extra: str = ""
    """More methods, indented."""
    special: str | None = None
    """The outcome of one rare position."""
    lawful: bool = True

    @property
    def source(self) -> str:
        lines = [f"{name} = {value!r}" for name, value in self.constants.items()]
        return rules.HEAD + "\n".join(lines) + "\n" + self.text + self.extra


def _lines(generator: random.Random, cells: int) -> list[tuple[int, ...]]:
    """Return the sets of cells that end the game when one side has all of one."""
    sizes = generator.choice([(2, 3), (3,), (3, 4), (4,)])
    every = [line for size in sizes for line in combinations(range(cells), size)]
    return sorted(generator.sample(every, generator.randint(1, min(9, len(every)))))


def _closed(
    lines: Iterable[tuple[int, ...]], group: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Return all images of lines."""
    return sorted({tuple(sorted(one.index(c) for c in line)) for line in lines for one in group})


def _group(generator: random.Random, cells: int) -> list[tuple[int, ...]]:
    """Return a group of permutations of cells in a ring, the identity first."""
    turns = [tuple((i + by) % cells for i in range(cells)) for by in range(cells)]
    flips = [tuple((by - i) % cells for i in range(cells)) for by in range(cells)]
    return generator.choice([turns, turns[:1] + flips[-1:], turns + flips])


def _ends(generator: random.Random) -> dict[str, str]:
    """Return what a full line and a full board are worth to the side to move."""
    line = generator.choice(["Outcome.LOSS", "Outcome.LOSS", "Outcome.WIN", "Outcome.DRAW"])
    return {"LINE": line, "FULL": generator.choice(OUTCOMES)}


def _placing(generator: random.Random, cells: int | None = None) -> dict[str, Any]:
    cells = cells or generator.choice([4, 5, 5, 6, 6, 6, 7])
    order = generator.sample(range(cells), cells)
    return {"N": cells, "ORDER": order, "LINES": _lines(generator, cells)}


def _filled(text: str, ends: dict[str, str]) -> str:
    for name, value in ends.items():
        text = text.replace(f"return {name}\n", f"return {value}\n")
    return text


def bits(generator: random.Random) -> Draft:
    """Stones on a board, as two bitboards in a number."""
    known = _placing(generator)
    known["LINES"] = [sum(1 << c for c in line) for line in known["LINES"]]
    return Draft(_filled(rules.BITS, _ends(generator)), known)


def text(generator: random.Random) -> Draft:
    """Stones on a board, as a text."""
    known = _placing(generator) | {"MARKS": generator.choice([".XO", ".ab", ".é𝕏"])}
    return Draft(_filled(rules.TEXT, _ends(generator)), known)


def cells_tuple(generator: random.Random) -> Draft:
    """Stones on a board, as a tuple of numbers, bools, Nones or characters."""
    marks = generator.choice([(0, 1, 2), (None, False, True), (None, "x", "o"), (-5, 7, 900)])
    known = _placing(generator) | {"MARKS": marks}
    return Draft(_filled(rules.TUPLE, _ends(generator)), known)


def nested(generator: random.Random) -> Draft:
    """Stones on a board, as a tuple of a tuple, a text and a bool."""
    return Draft(_filled(rules.NESTED, _ends(generator)), _placing(generator))


def symmetric(generator: random.Random) -> Draft:
    """A ring whose turns and reflections are declared as functions; the position is a number."""
    known = _placing(generator)
    group = _group(generator, known["N"])
    known["GROUP"] = group
    known["LINES"] = [sum(1 << c for c in line) for line in _closed(known["LINES"], group)]
    return Draft(_filled(rules.BITS, _ends(generator)), known, rules.BIT_SYMMETRIES)


def symmetric_text(generator: random.Random) -> Draft:
    """The same; the position is a text."""
    known = _placing(generator) | {"MARKS": ".XO"}
    group = known["GROUP"] = _group(generator, known["N"])
    known["LINES"] = _closed(known["LINES"], group)
    return Draft(_filled(rules.TEXT, _ends(generator)), known, rules.TEXT_SYMMETRIES)


def almost_symmetric(generator: random.Random) -> Draft:
    """A ring that would be symmetric but for one rare position; nothing is declared."""
    draft = generator.choice([symmetric, symmetric_text])(generator)
    return draft._replace(extra="", special=generator.choice(OUTCOMES))


def wrongly_symmetric(generator: random.Random) -> Draft:
    """The same, but the symmetries are declared: a law is broken."""
    draft = generator.choice([symmetric, symmetric_text])(generator)
    return draft._replace(special=generator.choice(OUTCOMES), lawful=False)


def tokens(generator: random.Random) -> Draft:
    """Tokens walk on a graph for as long as they like, take each other or reach a goal."""
    nodes, each = generator.choice([(5, 2), (6, 2), (7, 2), (9, 1), (12, 1)])
    edges = {
        (a, b)
        for a, b in combinations(range(nodes), 2)
        if b == a + 1 or generator.random() < 1 / nodes
    }
    directed = generator.random() < 0.3
    pairs = edges | (set() if directed and generator.random() < 0.5 else {(b, a) for a, b in edges})
    places = generator.sample(range(nodes), 2 * each)
    known = {
        "EDGES": [sorted(b for a, b in pairs if a == node) for node in range(nodes)],
        "GOALS": generator.sample(range(nodes), 2),
        "START": (0, tuple(sorted(places[:each])), tuple(sorted(places[each:]))),
        "TAKES": generator.random() < 0.6,
        "NODES": nodes,
    }
    stuck = {"STUCK": generator.choice(["Outcome.LOSS", "Outcome.DRAW", "None"])}
    return Draft(_filled(rules.TOKENS, stuck), known)


def passing(generator: random.Random) -> Draft:
    """A row in which stones between two others change sides; passes, some of them forced."""
    known = {
        "N": generator.choice([4, 5, 6]),
        "FREE": generator.random() < 0.5,
        "SIGN": generator.choice([1, -1]),
        "TOUCH": generator.random() < 0.5,
    }
    return Draft(rules.PASSING, known)


def heaps(generator: random.Random) -> Draft:
    """Heaps of counters: many ways to the same position, in tuples that may change their length."""
    count = generator.choice([2, 3, 3, 4])
    most = {2: 40, 3: 14, 4: 7}[count]
    known = {
        "START": tuple(generator.randint(2, most) for _ in range(count)),
        "TAKES": sorted(generator.sample(range(1, 7), generator.randint(2, 4))),
        "SORTED": generator.random() < 0.5,
        "SHRINK": generator.random() < 0.5,
        "SPLIT": generator.random() < 0.3,
        "DRAWN": generator.choice([(), (), (3, 5), (7,)]),
    }
    return Draft(_filled(rules.HEAPS, {"STUCK": generator.choice(OUTCOMES)}), known)


def equal_heaps(generator: random.Random) -> Draft:
    """Heaps of one size, which may change places: the symmetries are declared."""
    known: dict[str, Any] = dict.fromkeys(("SORTED", "SHRINK", "SPLIT"), False)
    known |= {"START": (generator.randint(4, 12),) * 3, "TAKES": [1, 2, generator.randint(3, 5)]}
    known["DRAWN"] = generator.choice([(), (5,)])
    stuck = {"STUCK": generator.choice(OUTCOMES)}
    return Draft(_filled(rules.HEAPS, stuck), known, rules.HEAP_SYMMETRIES)


def graph(generator: random.Random) -> Draft:
    """Numbers that lead to numbers without any pattern, round in circles or upwards."""
    known = {
        "SIZE": generator.choice([60, 300, 1000, 4000]),
        "A": generator.randrange(3, 10**6, 2),
        "B": generator.randrange(3, 10**6, 2),
        "WIDE": generator.choice([1, 2, 3, 4]),
        "ENDS": generator.choice([5, 9, 30]),
        "CYCLES": generator.random() < 0.6,
        "STEP": generator.choice([3, 11, 40]),
        "LIFT": generator.choice([0, 0, 1 << 33, 1 << 50, -7000]),
    }
    return Draft(rules.GRAPH, known)


def own_keys(generator: random.Random) -> Draft:
    """The same, with keys of the game's own, up to 64 bits wide."""
    draft = graph(generator)
    width = generator.choice([13, 20, 40, 63, 64])
    known = {"LIFT": 0, "WIDTH": width, "FACTOR": generator.randrange(3, 1 << 12, 2)}
    return draft._replace(constants=draft.constants | known, extra=rules.OWN_KEYS)


def late_values(generator: random.Random) -> Draft:
    """A counter, and marks of which one appears near the end only, or in rare positions."""
    known = {
        "LENGTH": generator.randint(10, 30),
        "STEPS": sorted(generator.sample(range(1, 6), generator.randint(2, 3))),
        "WIDTH": generator.choice([2, 3, 5]),
        "LATE": generator.randint(1, 3),
        "MARK": generator.choice([1, 9, 1 << 40, -3, "z", None, 2]),
        "RARE": generator.choice([3, 17, 59]),
        "A": generator.randrange(3, 10**6, 2),
    }
    return Draft(_filled(rules.LATE, {"END": generator.choice(OUTCOMES)}), known)


def tiers(generator: random.Random) -> Draft:
    """A declared tier: plain, far apart, constant or negative."""
    kind, tier = generator.choice([(bits, rules.BIT_TIER), (heaps, rules.HEAP_TIER)])
    draft = kind(generator)
    scale = generator.choice([1, 1, 10**6, 1 << 40, 0])
    known = {"SCALE": scale, "BASE": generator.randint(-50, 9), "SPLIT": False, "SHRINK": False}
    return draft._replace(constants=draft.constants | known, extra=tier)


def long(generator: random.Random) -> Draft:
    """A game that lasts about as long as a score of one byte can hold, or longer."""
    known = {"LENGTH": generator.choice([125, 126, 127, 128, 129, 140, 300])}
    known |= {"A": generator.randrange(3, 999, 2), "ENDS": generator.choice([5, 50, 1000])}
    return Draft(rules.LONG, known)


STYLES: dict[str, Callable[[random.Random], Draft]] = {
    style.__name__: style
    for style in (
        *(bits, text, cells_tuple, nested, tokens, passing, heaps, graph),
        *(symmetric, symmetric_text, equal_heaps, almost_symmetric, wrongly_symmetric),
        *(own_keys, late_values, tiers, long),
    )
}
