"""Kinds of forgery, each of which makes a wrong table that looks right, and a campaign of them."""

from __future__ import annotations

import json
import math
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from examples.checkers import verify_alone
from solver import Game, TableFormatError, TableProofError, load_game, verify
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.open import open_table
from tests.support.brute import Value
from tests.support.forged import Raw, forge_json
from tests.support.forger import LONGEST, Forger, Kind
from tests.support.mutations import LAYOUT

FORMS = ("json", "safetensors")
NAMES = ("hexapawn:3x3", "ponghauki")  # with few positions; the first has no draws
SMALL, MEDIUM, LARGE = 150, 30, 5  # tables of each form in the thorough run
FAMILIES = {
    **dict.fromkeys(("ponghauki", "nim:3,4,5", "hexapawn:3x3", "notakto", "clobber:4x2"), SMALL),
    **dict.fromkeys(("domineering:4x3", "breakthrough:2x4", "connect4:3x3,3"), SMALL),
    **dict.fromkeys(("tictactoe", "mnk:3,3,3,misere", "morris", "achi"), MEDIUM),
    **dict.fromkeys(("mutorere", "dodgem:3x3", "kingspawns:k.../..../P.../...K"), MEDIUM),
    "wild": LARGE,
}


def attack(name: str, count: int, generator: random.Random) -> Iterator[str]:
    """Forge so many tables of a game in each form; yield what was proved, or failed otherwise."""
    game = load_game(name)
    for form, data in tables_of(name, game).items():
        forger = Forger(game, data)
        for _ in range(count):
            kind, forged = forge(forger, generator)
            found = [refused(verify, forged, game, TableFormatError, TableProofError)]
            if form != "packed":
                alone = verify_alone.prove, verify_alone.WrongTableError
                found.append(refused(alone[0], forged, game, alone[1]))
            yield from (f"{name}, {form}, {kind}: {fault}" for fault in found if fault)


def tables_of(name: str, game: Game[Any, Any]) -> dict[str, bytes]:
    """Return the right table of a game in each form that can hold it."""
    found = {}
    with TemporaryDirectory() as folder, suppress(TooWideError):
        for form in FORMS:
            found[form] = Path(solved(name, game, f"{folder}/x.{form}")).read_bytes()
        from solver.tables.export import export

        export(open_table(f"{folder}/x.{form}", game), f"{folder}/packed.safetensors")
        found["packed"] = Path(folder, "packed.safetensors").read_bytes()
    return found


class TooWideError(Exception):
    """The game has keys of more than 64 bits, which only a JSON table can hold."""


def solved(name: str, game: Game[Any, Any], path: str) -> str:
    """Solve a game to a file; raises TooWideError."""
    try:
        return solve_file(game, path, SolveOptions(name=name))
    except ValueError as error:
        if "more than 64 bits" in str(error):
            raise TooWideError from None
        raise


def refused(
    proof: Callable[..., Any], data: bytes, game: Game[Any, Any], *errors: type[Exception]
) -> str:
    """Return what is wrong if a proof does not refuse a table with one of these errors."""
    try:
        proof(data, game)
        return f"{proof.__module__} proved it"
    except errors:
        return ""
    except Exception:
        return traceback.format_exc()


def forge(forger: Forger, generator: random.Random) -> tuple[str, bytes]:
    """Return the name of a kind of forgery, and a table that was forged in this way."""
    kinds = [*VALUES, *HEADERS, *(JSON if forger.is_json else MAPPED)]
    while True:
        kind = generator.choice(kinds)
        forged = kind(forger, generator)
        if forged is not None and forged != forger.plain:
            return kind.__name__, forged


def other_outcome(forger: Forger, generator: random.Random) -> bytes:
    """Give one entry another outcome."""
    p = generator.choice([*forger.right])
    return forger.write(forger.right | {p: wrong(forger.right[p], generator)})


def other_distance(forger: Forger, generator: random.Random) -> bytes | None:
    """Give one entry another distance, of the same parity or not."""
    decided = [p for p, (outcome, _) in forger.right.items() if outcome]
    if not decided:
        return None
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
    others = [q for images in forger.images.values() for q in images]
    if generator.random() < 0.5:
        end, moves = generator.choice([*forger.ends]), game.moves(game.initial())
        with suppress(Exception):  # the rules need not say what follows an end
            others = [game.play(end, m) for m in moves]
    others = [q for q in others if q not in forger.right and type(q) is type(forger.start)]
    if not others:
        return None
    value = generator.choice([(1, 1), (-1, 0), (0, None)])
    with suppress(KeyError, ValueError):  # it has no key
        return forger.write(forger.right | {generator.choice(others): value})
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


def nudged_trap(entry: list[Any], generator: random.Random) -> None:
    """Change a trap by as little as a file can show."""
    row = generator.choice(entry[3])
    row[3] = math.nextafter(row[3], 2)


def boolean_for_number(entry: list[Any], generator: random.Random) -> None:
    """Write true for 1, which are equal in Python but not in the file."""
    entry[2] = [True if m == 1 else m for m in entry[2]]


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
        others = [some[::-1], some[:-1], generator.sample(some, len(some))]
        if place:  # at the first place no key changes if it may have more values
            others.append(wider)
        other = generator.choice(others)
        changed = [shape, [*values[:place], other, *values[place + 1 :]]]
        if generator.random() < 0.2:
            changed = [shape, [*values, [0, 1]]]
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


def other_limit(forger: Forger, generator: random.Random) -> bytes | None:
    """State another limit: distances change, and where they wrap around, a win becomes a draw."""
    raw = forger.content
    if not any(outcome for outcome, _ in forger.right.values()):
        return None
    if raw.number("limit") == LONGEST:
        return forger.finish(raw._replace(about=raw.about | {"limit": str(1 << 14)}))
    return forger.write(forger.right, limit=LONGEST)


def other_layout(forger: Forger, generator: random.Random) -> bytes | None:
    """State another multiplier, or fewer bits."""
    raw = forger.content
    name, change = generator.choice([("multiplier", 2), ("bits", -1)])
    if raw.number("bits") < 3:
        return None
    return forger.finish(raw._replace(about=raw.about | {name: str(raw.number(name) + change)}))


def with_field(raw: Raw, name: str, text: str) -> Raw:
    """Return a table whose header has a field before its layout."""
    about = {key: value for key, value in raw.about.items() if key != name}
    items = [*about.items()]
    items.insert(list(about).index("limit"), (name, text))
    return raw._replace(about=dict(items))


VALUES: tuple[Kind, ...] = (
    *(other_outcome, other_distance, two_that_agree, consistent, consistent, other_end),
    *(cut_short, won_draws, negated, later_by_two, missing, extra, exchanged),
)
HEADERS: tuple[Kind, ...] = (other_count, other_start, other_rules)
JSON: tuple[Kind, ...] = (
    *map(json_kind, (other_move, other_trap, other_best)),
    *map(json_kind, (nudged_trap, boolean_for_number)),
    *map(json_kind, (exchanged_moves, missing_move, extra_move)),
    other_group,
)
MAPPED: tuple[Kind, ...] = (other_keys, found_symmetries, other_limit, other_layout, *LAYOUT)
