"""Forged tables: well formed, with the right hash and counts that fit, but wrong in one respect.

A `Forger` takes a right table of any form. Most kinds of forgery change values and write all else
as it follows from them: rows, best moves, counts, the start, the hash. So only a proof by the rules
can notice. Files are written as docs/reference/tables.md describes them.
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
from tests.support.forged import Raw, forge, forge_json, raw_of
from tests.support.random_games import Value, expand

LONGEST = 127  # plies that a value of one byte cannot hold
BLOCK = 1024  # entries of a packed block
Values = dict[Any, Value]  # of canonical positions


class Forger:
    """A right table, its game as a graph of canonical positions, and ways to forge it."""

    def __init__(self, game: Game[Any, Any], data: bytes) -> None:
        self.data, self.is_json = data, data[:1] == b"{"
        self.is_packed = not self.is_json and b'"blocks":' in data[: 1 << 12]
        table: Any = table_of(data, game)
        self.game: Game[Any, Any] = table.game
        self.content: Any = json.loads(data) if self.is_json else raw_of(table.encode())
        self.images: dict[Any, list[Any]] = defaultdict(list)
        for p in expand(game):
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

    def forge(self, generator: random.Random) -> tuple[str, bytes]:
        """Return the name of a kind of forgery, and a table that was forged in this way."""
        kinds = [*VALUES, *HEADERS, *(JSON if self.is_json else MAPPED)]
        while True:
            kind = generator.choice(kinds)
            forged = kind(self, generator)
            if forged is not None and forged != self.plain:
                return kind.__name__, forged

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
        counts = Counter(
            {
                "canonical": len(values),
                "positions": 0,
                "terminal": 0,
                "win": 0,
                "draw": 0,
                "loss": 0,
            }
        )
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
    body = struct.pack(f"<{len(firsts)}Q{len(offsets)}Q", *firsts, *offsets) + blocks
    header: dict[str, Any] = {"__metadata__": about}
    place = 0
    for name, kind, count in (
        ("keys", "U64", len(firsts)),
        ("offsets", "U64", len(offsets)),
        ("blocks", "U8", len(blocks)),
    ):
        end = place + count * int(kind[1:]) // 8
        header[name] = {"dtype": kind, "shape": [count], "data_offsets": [place, end]}
        place = end
    text = json.dumps(header, separators=(",", ":"))
    text += " " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text.encode() + body


def planes(numbers: list[int], size: int) -> bytes:
    """Return the lowest byte of all numbers, then the next."""
    return b"".join(bytes(n >> 8 * i & 255 for n in numbers) for i in range(size))


# Values


def other_outcome(forger: Forger, generator: random.Random) -> bytes:
    """Give one entry another outcome."""
    p = generator.choice([*forger.right])
    return forger.write(forger.right | {p: wrong(forger.right[p], generator)})


def other_distance(forger: Forger, generator: random.Random) -> bytes | None:
    """Give one entry another distance, of the same parity or not."""
    decided = [p for p, (outcome, _) in forger.right.items() if outcome]
    p = generator.choice(decided)
    return forger.write(forger.right | {p: elsewhere(forger.right[p], generator)})


def two_that_agree(forger: Forger, generator: random.Random) -> bytes | None:
    """Give an entry a wrong value, and a position before it the value that follows."""
    p = generator.choice([*forger.right])
    q = generator.choice(forger.moves[p])[1] if forger.moves[p] else p
    values = forger.right | {q: wrong(forger.right[q], generator)}
    return forger.write(values | {p: forger.best(p, values)}) if p != q else None


def consistent(forger: Forger, generator: random.Random) -> bytes:
    """Give an entry a wrong value, and all others what follows if that were right."""
    p = generator.choice([*forger.right])
    change = generator.choice([wrong, elsewhere])
    return forger.write(forger.settle({p: change(forger.right[p], generator)}))


def other_end(forger: Forger, generator: random.Random) -> bytes:
    """Give an end another outcome, and all others what follows."""
    p = generator.choice([*forger.ends])
    outcome = generator.choice([o for o in (-1, 0, 1) if o != forger.right[p][0]])
    return forger.write(forger.settle({p: (outcome, 0 if outcome else None)}))


def cut_short(forger: Forger, generator: random.Random) -> bytes | None:
    """Take every win and loss beyond a number of plies for a draw, as a shallow search would."""
    most = generator.randint(0, max(distance or 0 for _, distance in forger.right.values()))
    values = {p: v if (v[1] or 0) < most else (0, None) for p, v in forger.right.items()}
    return forger.write(values) if values != forger.right else None


def won_draws(forger: Forger, generator: random.Random) -> bytes | None:
    """Take some draws for wins and losses that lead to each other."""
    drawn = [p for p, (outcome, _) in forger.right.items() if not outcome and forger.moves[p]]
    if not drawn:
        return None
    values, p, plies = dict(forger.right), generator.choice(drawn), generator.randint(6, 60)
    for n in range(generator.randint(1, 5)):
        values[p] = (-1 if n % 2 else 1), plies - n
        p = generator.choice(forger.moves[p])[1] if forger.moves[p] else p
    return forger.write(values) if values != forger.right else None


def negated(forger: Forger, generator: random.Random) -> bytes:
    """Give every entry the value of the other side."""
    return forger.write({p: (-outcome, plies) for p, (outcome, plies) in forger.right.items()})


def later_by_two(forger: Forger, generator: random.Random) -> bytes:
    """Make every distance longer by two, but for the ends or for none."""
    spared = generator.choice([forger.ends, {}])
    return forger.write(
        {
            p: (outcome, plies if plies is None or p in spared else plies + 2)
            for p, (outcome, plies) in forger.right.items()
        }
    )


def missing(forger: Forger, generator: random.Random) -> bytes | None:
    """Leave out an entry, and count without it."""
    p = generator.choice([q for q in forger.right if q != forger.start] or [forger.start])
    return forger.write({q: value for q, value in forger.right.items() if q != p})


def extra(forger: Forger, generator: random.Random) -> bytes | None:
    """Add an entry for an image that is not canonical, or for a position beyond an end."""
    game = forger.game
    others = [q for images in forger.images.values() for q in images if q not in forger.right]
    if generator.random() < 0.5:
        others = []
    for p in generator.sample([*forger.ends], min(5, len(forger.ends))):
        try:
            others += [game.play(p, m) for m in game.moves(p)]
            others += [q for m in game.moves(forger.start) if (q := game.play(p, m))]
        except Exception:  # rules may say nothing of what follows an end
            continue
    others = [q for q in others if q not in forger.right and type(q) is type(forger.start)]
    try:
        return forger.write(
            forger.right | {generator.choice(others): generator.choice([(1, 1), (0, None)])}
        )
    except (IndexError, KeyError, ValueError):
        return None


def exchanged(forger: Forger, generator: random.Random) -> bytes | None:
    """Exchange the values of two entries."""
    p, q = generator.choices([*forger.right], k=2)
    values = forger.right | {p: forger.right[q], q: forger.right[p]}
    return forger.write(values) if values != forger.right else None


def wrong(value: Value, generator: random.Random) -> Value:
    """Return a value with another outcome."""
    outcome = generator.choice([o for o in (-1, 0, 1) if o != value[0]])
    plies = generator.choice([value[1] or 0, generator.randrange(12)])
    return outcome, plies if outcome else None


def elsewhere(value: Value, generator: random.Random) -> Value:
    """Return a value with the same outcome at another distance, if it has one."""
    if value[1] is None:
        return wrong(value, generator)
    return value[0], generator.choice([d for d in range(value[1] + 4) if d != value[1]])


# Headers


def other_count(forger: Forger, generator: random.Random) -> bytes:
    """State another number of positions, or move some from one count to another."""
    names = generator.sample(["positions", "terminal", "win", "draw", "loss"], 2)
    about = forger.content if forger.is_json else forger.content.about
    changes = {names[0]: int(about[names[0]]) + 1, names[1]: int(about[names[1]]) - 1}
    if generator.random() < 0.5:
        del changes[names[1]]
    return forger.write(forger.right, **{name: max(0, n) for name, n in changes.items()})


def other_start(forger: Forger, generator: random.Random) -> bytes:
    """State another value of the start."""
    outcome, distance = generator.choice([wrong, elsewhere])(forger.right[forger.start], generator)
    return forger.write(forger.right, outcome=outcome, distance=distance)


def other_rules(forger: Forger, generator: random.Random) -> bytes:
    """State another fingerprint, or another game."""
    name = generator.choice(
        [{"rules": f"{generator.getrandbits(256):064x}"}, {"game": "notakto:9"}]
    )
    return forger.write(forger.right, **name)


# JSON tables


def json_kind(change: Callable[[list[Any], random.Random], None]) -> Kind:
    """Return a kind of forgery that changes one JSON entry with moves."""

    def kind(forger: Forger, generator: random.Random) -> bytes | None:
        content = json.loads(forger.data)
        change(generator.choice([e for e in content["entries"].values() if e[3]]), generator)
        return forge_json(content)

    kind.__name__ = change.__name__
    return kind


def other_move(entry: list[Any], generator: random.Random) -> None:
    """Give a move another value."""
    row = generator.choice(entry[3])
    value = row[1], row[2]
    row[1:3] = generator.choice([wrong, elsewhere])(value, generator)


def other_trap(entry: list[Any], generator: random.Random) -> None:
    """Give a move another trap."""
    row = generator.choice(entry[3])
    row[3] = generator.choice([t for t in (0.0, 0.25, 0.5, 1.0) if t != row[3]])


def other_best(entry: list[Any], generator: random.Random) -> None:
    """Leave out a best move, add one, or change their order."""
    codes = [row[0] for row in entry[3]]
    worse = [code for code in codes if code not in entry[2]]
    changed = [entry[2][1:], entry[2][::-1], entry[2] + worse[:1], worse[:1]]
    entry[2] = generator.choice([best for best in changed if best != entry[2]])


def exchanged_moves(entry: list[Any], generator: random.Random) -> None:
    """Exchange what two moves bring, or their places."""
    rows = entry[3]
    a, b = generator.choices(range(len(rows)), k=2)
    part = generator.choice([slice(0, 4), slice(1, 4)])
    rows[a][part], rows[b][part] = rows[b][part], rows[a][part]


def missing_move(entry: list[Any], generator: random.Random) -> None:
    """Leave out a move."""
    code = entry[3].pop(generator.randrange(len(entry[3])))[0]
    entry[2] = [best for best in entry[2] if best != code]


def extra_move(entry: list[Any], generator: random.Random) -> None:
    """Add a move."""
    row = generator.choice(entry[3])
    code = row[0] + 50 if type(row[0]) is int else row[0] + "x"
    entry[3].append([code, *row[1:]])


def other_group(forger: Forger, generator: random.Random) -> bytes:
    """State other symmetries."""
    content = json.loads(forger.data)
    content["symmetries"]["count"] += 1
    return forge_json(content)


# Mapped tables


def other_keys(forger: Forger, generator: random.Random) -> bytes | None:
    """State other keys: values in another order, another value, another shape or kind."""
    raw = forger.content
    keys = json.loads(raw.about.get("keys", "null"))
    changed: Any = generator.choice(["numbers", "texts", [None, [[0, 1]]]])
    if isinstance(keys, list) and generator.random() < 0.7:
        shape, values = keys
        place = generator.randrange(len(values))
        some = values[place]
        wider = [*some, "~"] if isinstance(some[-1], str) else [*some, (some[-1] or 0) + 1]
        other = generator.choice([some[::-1], wider, some[:-1], generator.sample(some, len(some))])
        changed = shape, [*values[:place], other, *values[place + 1 :]]
        if generator.random() < 0.2:
            changed = (shape, [*values, [0, 1]])
    text = json.dumps(changed, separators=(",", ":"))
    return forger.finish(with_field(raw, "keys", text)) if changed != keys else None


def found_symmetries(forger: Forger, generator: random.Random) -> bytes:
    """Add symmetries that lead from the start to a lone entry, as tables of version 1 had."""
    raw = forger.content
    key, bits = forger.game.key(forger.start), raw.number("bits")
    flips = [[place, [1, 0] if key >> place & 1 else [0, 1]] for place in range(bits)]
    text = json.dumps(generator.choice([[flips], []]))
    if generator.random() < 0.5:
        return forger.finish(with_field(raw, "symmetries", text))
    facts = dict.fromkeys(("positions", "canonical", "terminal", "loss"), 1)
    facts |= {"win": 0, "draw": 0, "outcome": -1, "distance": 0}
    facts |= {"bits": 1, "multiplier": 1, "width": 8}
    lone = raw.with_entries([(0, -raw.number("limit"))], **facts)
    return forger.finish(with_field(lone, "symmetries", text))


def other_limit(forger: Forger, generator: random.Random) -> bytes:
    """State another limit: distances change, and where they wrap around, a win becomes a draw."""
    raw = forger.content
    if raw.number("limit") == LONGEST:
        return forger.finish(raw._replace(about=raw.about | {"limit": str(1 << 14)}))
    return forger.write(forger.right, limit=LONGEST)


def other_layout(forger: Forger, generator: random.Random) -> bytes | None:
    """State another multiplier, or other bits."""
    raw = forger.content
    name, change = generator.choice(
        [("multiplier", 2), ("multiplier", 1 << 6), ("bits", 1), ("bits", -1), ("width", 1)]
    )
    number = raw.number(name) + change
    return forger.finish(raw._replace(about=raw.about | {name: str(number)}))


def with_field(raw: Raw, name: str, text: str) -> Raw:
    """Return a table whose header has a field before its layout."""
    about = {key: value for key, value in raw.about.items() if key != name}
    items = [*about.items()]
    items.insert(list(about).index("limit"), (name, text))
    return raw._replace(about=dict(items))


Kind = Callable[[Forger, random.Random], bytes | None]
VALUES: tuple[Kind, ...] = (
    *(other_outcome, other_distance, two_that_agree, consistent, consistent, other_end),
    *(cut_short, won_draws, negated, later_by_two, missing, extra, exchanged),
)
HEADERS: tuple[Kind, ...] = (other_count, other_start, other_rules)
JSON: tuple[Kind, ...] = (
    *map(json_kind, (other_move, other_trap, other_best)),
    *map(json_kind, (exchanged_moves, missing_move, extra_move)),
    other_group,
)
MAPPED: tuple[Kind, ...] = (other_keys, found_symmetries, other_limit, other_layout)
