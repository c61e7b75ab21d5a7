"""Writes tables that are well formed, with the right hash and counts that fit, but wrong.

A `Forger` takes a right table of any form; `forge` has the kinds of forgery. Most of them change
values and write all else as it follows from these: rows, best moves, counts, the start, the hash.
Only a proof by the rules can notice. Files are written as docs/reference/tables.md describes them.
"""

from __future__ import annotations

import heapq
import json
import random
import struct
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from solver import Game, Outcome
from solver.tables.open import table_of
from tests.support.brute import Value
from tests.support.forged import Raw, forge, forge_json, raw_of, with_columns
from tests.support.random_games import reached

LONGEST = 127  # plies that a value of one byte cannot hold
BLOCK = 1024  # entries of a packed block
Values = dict[Any, Value]  # of canonical positions
Kind = Callable[["Forger", random.Random], bytes | None]  # of forgery


class Forger:
    """A right table, its game as a graph of canonical positions, and ways to forge it."""

    def __init__(self, game: Game[Any, Any], data: bytes) -> None:
        self.data, self.is_json = data, data[:1] == b"{"
        self.is_packed = not self.is_json and b'"blocks":' in data[: 1 << 12]
        table: Any = table_of(data, game)
        self.game: Game[Any, Any] = table.game
        self.content: Any = json.loads(data) if self.is_json else raw_of(table.encode())
        self.images: dict[Any, list[Any]] = defaultdict(list)
        for p in reached(game):
            self.images[game.canonical(p)].append(p)
        self.moves: dict[Any, list[tuple[Any, Any]]] = {}
        for p in self.images:
            self.moves[p] = [
                (game.code(m), game.canonical(game.play(p, m)))
                for m in (game.moves(p) if game.primitive(p) is None else ())
            ]
        self.ends = {
            p: (int(over), 0 if over else None)
            for p in self.images
            if (over := game.primitive(p)) is not None
        }
        self.right = self.settle({})
        self.start = game.canonical(game.initial())
        self.plain = self.write(self.right)
        assert self.is_packed or self.plain == data, "the table is not laid out as documented"

    def settle(self, fixed: Values) -> Values:
        """Return the values of all positions if some had these, by retrograde analysis."""
        values = self.ends | fixed
        before: dict[Any, list[Any]] = defaultdict(list)
        for p, moves in self.moves.items():
            for _, q in moves:
                before[q].append(p)
        left = {p: len(moves) for p, moves in self.moves.items()}
        number = {p: n for n, p in enumerate(self.moves)}  # positions need not be comparable
        waiting = [(d, number[p], p) for p, (_, d) in values.items() if d is not None]
        heapq.heapify(waiting)
        while waiting:
            plies, _, q = heapq.heappop(waiting)
            for p in before[q]:
                left[p] -= values[q][0] > 0
                if p not in values and (values[q][0] < 0 or not left[p]):
                    values[p] = (1 if values[q][0] < 0 else -1), plies + 1
                    heapq.heappush(waiting, (plies + 1, number[p], p))
        return {p: values.get(p, (0, None)) for p in self.moves}

    def best(self, p: Any, values: Values) -> Value:
        """Return the value of a position that follows from these values of its children."""
        return max((later(values[q]) for _, q in self.moves[p]), key=preference)

    def write(self, values: Values, **about: Any) -> bytes:
        """Return the table with these values and all that follows from them, but for `about`."""
        counts = Counter(dict.fromkeys(("positions", "terminal", "win", "draw", "loss"), 0))
        counts["canonical"] = len(values)
        for p, (outcome, _) in values.items():
            count = len(self.images[p]) or 1
            counts[str(Outcome(outcome))] += count
            counts["positions"] += count
            counts["terminal"] += count * (p in self.ends)
        outcome, distance = values.get(self.start, self.right[self.start])
        facts = {**counts, "outcome": outcome, "distance": distance, **about}
        if self.is_json:
            entries = {self.game.text(p): self.entry(p, values) for p in values}
            return forge_json({**self.content, **facts, "entries": dict(sorted(entries.items()))})
        limit = int(facts.get("limit", self.content.about["limit"]))
        pairs = [(self.game.key(p), stored(value, limit)) for p, value in values.items()]
        return self.finish(self.content.with_entries(pairs, **facts))

    def entry(self, p: Any, values: Values) -> list[Any]:
        """Return a JSON entry that follows from these values."""
        rows = []
        for code, q in self.moves.get(p, ()):
            child = values.get(q, (0, None))
            worse = [-values.get(r, (0, None))[0] < child[0] for _, r in self.moves[q]]
            rows.append([code, *later(child), sum(worse) / len(worse) if worse else 0.0])
        best = [code for code, *value, _ in rows if tuple(value) == values[p]]
        return [*values[p], best, rows]

    def finish(self, raw: Raw) -> bytes:
        """Return the file of a mapped table, packed if this one is."""
        return packed(raw) if self.is_packed else forge(raw)


def later(value: Value) -> Value:
    """Return the value of a move to a position with this value."""
    return -value[0], None if value[1] is None else value[1] + 1


def preference(value: Value) -> tuple[int, int]:
    """Return what is larger for the better value."""
    return value[0], -value[0] * (value[1] or 0)


def stored(value: Value, limit: int) -> int:
    """Return the number in a mapped table; where it does not fit into a byte, it wraps around."""
    number = value[0] * (limit - (value[1] or 0))
    return (number + 128) % 256 - 128 if limit == LONGEST else number


def packed(raw: Raw) -> bytes:
    """Return the packed form of a table with these contents."""
    mapped = forge(raw)
    about = raw_of(mapped).about
    width = raw.number("width")
    mixed = [
        bucket << width | remainder
        for bucket in range(len(raw.offsets) - 1)
        for remainder in raw.remainders[raw.offsets[bucket] : raw.offsets[bucket + 1]]
    ]
    size = 1 if about["limit"] == str(LONGEST) else 2
    firsts, offsets, blocks = [], [0], b""
    for start in range(0, len(mixed), BLOCK):
        keys, values = mixed[start : start + BLOCK], raw.values[start : start + BLOCK]
        gaps = [b - a for a, b in pairwise(keys)]
        most = next(n for n in (1, 2, 4, 8) if max(gaps, default=0) < 1 << 8 * n)
        content = bytes([most]) + planes(gaps, most) + planes([v % 256**size for v in values], size)
        squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = squeezer.compress(content) + squeezer.flush()
        blocks += struct.pack("<I", zlib.crc32(data)) + data
        firsts.append(keys[0])
        offsets.append(len(blocks))
    columns = {"keys": ("U64", firsts), "offsets": ("U64", offsets), "blocks": ("U8", blocks)}
    return with_columns(about, columns)


def planes(numbers: list[int], size: int) -> bytes:
    """Return the lowest byte of all numbers, then the next."""
    return b"".join(bytes(n >> 8 * i & 255 for n in numbers) for i in range(size))
