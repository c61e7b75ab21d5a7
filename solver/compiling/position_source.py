"""The source of the functions that turn keys into positions and back, in compiled rules.

`unpack(key)` returns the position, and `pack(p)` the key, or -1 if there is none. For the places of
`solver.rules.packing` these are loops over the digits of the key. Positions such as ("x.o", "x"),
for example, are texts of two bits a character, whose codes are the characters' indices in ".ox":

    VALUES0 = np.array([0, 1, 2], np.int64)         # of each digit of a cell: the code
    DIGITS0 = np.array([0, 1, 2, -1], np.int64)     # of each code: the digit
    VALUES1 = np.array([1, 2], np.int64)            # the same for the side to move
    DIGITS1 = np.array([-1, 0, 1, -1], np.int64)

    @inner
    def unpack(key):
        v3 = VALUES1[key % 2]
        key //= 2
        v0 = np.uint64(0)
        for i in range(2, -1, -1):
            v0 |= np.uint64(VALUES0[key % 3]) << np.uint64(2 * i)
            key //= 3
        return (text(v0, 3), text(np.uint64(v3), 1),)

    @inner
    def pack(p):
        key = 0
        if len(as_tuple(p)) != 2:
            return -1
        codes, size = parts(p[0])
        if size != 3:
            return -1
        for i in range(0, 3):
            digit = DIGITS0[codes >> np.uint64(2 * i) & np.uint64(3)]
            if digit < 0:
                return -1
            key = key * 3 + digit
        ...  # the same for p[1], with DIGITS1
        return key
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from solver.compiling.texts import WORD
from solver.errors import NotCompiledError
from solver.rules.check_kernel import image_bits, most_images
from solver.rules.default_keys import has_known_keys
from solver.rules.game import Game
from solver.rules.kinds import is_literal
from solver.rules.packing import Numbers, Packing, Texts

WIDEST = 62  # bits of a key; with what records which images can be reached, 63
NUMBERS = """\
@inner
def unpack(key):
    return key
@inner
def pack(p):
    return whole(p) if 0 <= whole(p) < {limit} else -1"""


class Leaf(NamedTuple):
    """A part of a position that is stored as one: a text, a list of values, or one value."""

    path: str
    kind: str
    """text, list or value."""
    first: int
    """Its first place."""
    size: int


def characters(game: Game[Any, Any]) -> frozenset[str]:
    """Return the characters in positions."""
    if not isinstance(game.keys, Packing):
        return frozenset()
    return frozenset(v for values in game.keys.values for v in values if isinstance(v, str))


def key_bits(game: Game[Any, Any]) -> int:
    """Return how many bits keys may have; raises NotCompiledError if they may have more."""
    if not has_known_keys(game):
        raise NotCompiledError("it defines its keys itself")
    if not is_literal(game.initial()):  # its operators may be its own
        raise NotCompiledError("its positions are not of Python's own types alone")
    if len(game.symmetries) > most_images(game):
        raise NotCompiledError(f"it has more than {most_images(game)} symmetries")
    bits = min(WIDEST, 63 - image_bits(game))
    if isinstance(game.keys, Numbers):
        return 32 if game.keys.is_narrow else bits
    if isinstance(game.keys, Texts):
        raise NotCompiledError("its positions have no fixed places")
    width = (game.keys.size - 1).bit_length()
    if width > bits:
        raise NotCompiledError(f"its keys have {width} bits, more than {bits}")
    return width


def definitions(game: Game[Any, Any], alphabet: str, width: int) -> list[str]:
    """Return the definitions of `unpack` and `pack`; raises NotCompiledError."""
    bits = key_bits(game)
    if not isinstance(game.keys, Packing):
        return [NUMBERS.format(limit=1 << bits)]
    return _Places(game.keys, alphabet, width).written()


class _Places:
    """The definitions for one packing."""

    def __init__(self, keys: Packing, alphabet: str, width: int) -> None:
        self.keys, self.alphabet, self.width = keys, alphabet, width
        self.leaves: list[Leaf] = []
        self.tuples: list[tuple[str, int]] = []  # and their sizes
        self.count = 0
        self.position = self._read("p", keys.shape)
        self.tables = list(dict.fromkeys(keys.values))

    def written(self) -> list[str]:
        lines = []
        for k, values in enumerate(self.tables):
            numbers = self._numbers(values)
            lines.append(f"VALUES{k} = np.array({numbers}, np.int64)")
            if isinstance(values[0], str):
                codes = range(1 << self.width)
                digits = [numbers.index(code) if code in numbers else -1 for code in codes]
                lines.append(f"DIGITS{k} = np.array({digits}, np.int64)")
        return [*lines, self._unpack(), self._pack()]

    def _numbers(self, values: tuple[Any, ...]) -> list[int]:
        """Return the values of a place as numbers, texts as codes."""
        kinds = {str if isinstance(v, str) else int if isinstance(v, int) else None for v in values}
        if kinds == {str}:
            return [self.alphabet.index(v) for v in values]
        if kinds == {int}:
            return [*map(int, values)]
        raise NotCompiledError(f"a place of its positions holds {', '.join(map(repr, values))}")

    def _read(self, path: str, shape: Any) -> str:
        """Note the leaves of a shape; return the expression that makes the position of them."""
        if shape in {(), 0}:
            raise NotCompiledError("a part of its positions is empty")
        first = self.count
        flat = isinstance(shape, tuple) and {*shape} == {None} and self._alike(len(shape))
        if isinstance(shape, tuple):
            self.tuples.append((path, len(shape)))
        if isinstance(shape, tuple) and not flat:
            items = [self._read(f"{path}[{i}]", inner) for i, inner in enumerate(shape)]
            return f"({', '.join(items)},)"
        size = 1 if shape is None else shape if isinstance(shape, int) else len(shape)
        kind = "value" if shape is None else "list" if flat else "text"
        if kind == "text" and size > (most := WORD // self.width):
            raise NotCompiledError(
                f"its positions have a text of {size} characters, more than {most}: a tuple of"
                " characters is compiled"
            )
        self.count += size
        self.leaves.append(Leaf(path, kind, first, size))
        name = f"v{first}"
        if kind == "text":
            return f"text({name}, {size})"
        values = self.keys.values[first]
        if kind == "value" and isinstance(values[0], str):
            return f"text(np.uint64({name}), 1)"
        if kind == "list":
            return f"frozen({name})"
        return f"{name} != 0" if kind == "value" and {*map(type, values)} == {bool} else name

    def _alike(self, size: int) -> bool:
        """Return whether the next places all hold numbers, all bools or all texts."""
        lists = self.keys.values[self.count : self.count + size]
        return len({type(value) for values in lists for value in values}) == 1

    def _runs(self, leaf: Leaf) -> list[tuple[int, int, int]]:
        """Return the first and last index and the table of places with the same values."""
        places = range(leaf.first, leaf.first + leaf.size)
        runs = []
        for k, run in groupby(places, key=lambda i: self.tables.index(self.keys.values[i])):
            indices = [place - leaf.first for place in run]
            runs.append((indices[0], indices[-1], k))
        return runs

    def _unpack(self) -> str:
        lines = ["@inner", "def unpack(key):"]
        for leaf in reversed(self.leaves):
            name, is_text = f"v{leaf.first}", isinstance(self.keys.values[leaf.first][0], str)
            if leaf.kind == "list":
                zero = "text(np.uint64(0), 1)" if is_text else "0"
                lines.append(f"    {name} = [{zero}] * {leaf.size}")
            elif leaf.kind == "text":
                lines.append(f"    {name} = np.uint64(0)")
            for start, stop, k in reversed(self._runs(leaf)):
                radix = len(self.tables[k])
                value = f"VALUES{k}[key % {radix}]"
                if leaf.kind == "value":
                    lines += [f"    {name} = {value}", f"    key //= {radix}"]
                    continue
                lines.append(f"    for i in range({stop}, {start - 1}, -1):")
                if leaf.kind == "text":
                    shift = f"np.uint64({self.width} * i)"
                    lines.append(f"        {name} |= np.uint64({value}) << {shift}")
                else:
                    value = f"text(np.uint64({value}), 1)" if is_text else value
                    lines.append(f"        {name}[i] = {value}")
                lines.append(f"        key //= {radix}")
        return "\n".join([*lines, f"    return {self.position}"])

    def _pack(self) -> str:
        lines = ["@inner", "def pack(p):", "    key = 0"]
        for path, size in self.tuples:
            lines += [f"    if len(as_tuple({path})) != {size}:", "        return -1"]
        for leaf in self.leaves:
            is_text = isinstance(self.keys.values[leaf.first][0], str)
            if leaf.kind == "text" or (leaf.kind == "value" and is_text):
                lines += [
                    f"    codes, size = parts({leaf.path})",
                    f"    if size != {leaf.size}:",
                    "        return -1",
                ]
            for start, stop, k in self._runs(leaf):
                if leaf.kind == "list":
                    item = f"{leaf.path}[i]"
                    number = f"parts({item})[0]" if is_text else item
                elif is_text:
                    mask = (1 << self.width) - 1
                    number = f"codes >> np.uint64({self.width} * i) & np.uint64({mask})"
                else:
                    number = leaf.path
                digit = f"DIGITS{k}[{number}]" if is_text else f"digit_of({number}, VALUES{k})"
                lines += [
                    f"    for i in range({start}, {stop + 1}):",
                    f"        digit = {digit}",
                    "        if digit < 0:",
                    "            return -1",
                    f"        key = key * {len(self.tables[k])} + digit",
                ]
        return "\n".join([*lines, "    return key"])
