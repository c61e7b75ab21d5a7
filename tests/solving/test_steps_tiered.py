"""Solving and proving on arrays where positions repeat, against plain Python and naive searches.

The kernels of the games here ask the rules in Python for each key: slow, but they show what the
solver and the proof make of kernels and symmetries, whatever the game.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solver.proof.contents
import solver.proof.verify
import solver.tables.mapped_table
from solver import (
    Game,
    KernelError,
    MemoryLimitError,
    Outcome,
    check_game,
    load_game,
    rearrange,
    solve,
    symmetry_group,
    verify,
)
from solver.errors import TableProofError
from solver.proof import kernel_walk
from solver.rules.game import Numbered, Symmetry
from solver.rules.kernel import Kernel, TieredKernel
from solver.solving.memory import PLENTY
from solver.solving.slot_files import Slot
from solver.solving.steps_tiered import TieredSteps, _images_after
from solver.tables.mapped_table import MappedTable
from solver.value import NARROW, OPEN, distance, outcome, score
from tests.conftest import Command, python
from tests.support import graphs
from tests.support.brute import Value, solve_by_force
from tests.support.forged import REFUSED, forge, raw_of
from tests.support.mutations import all_values
from tests.support.proving import as_score, forged, prove_by, with_kernel
from tests.support.small_games import Chain

Element = tuple[int, ...]  # of a group: a permutation

LARGE = "kingspawns:k.../..p./.P../...K"  # 13,070

pytestmark = pytest.mark.usefixtures("few")


class AskingKernel(TieredKernel):
    """Asks the rules for each key."""

    bits = 40

    def __init__(self, game: Game[Any, Any], width: int) -> None:
        self.game, self.width = game, width

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        game = self.game
        outcomes = np.full(len(keys), OPEN, np.int8)
        children = np.full((len(keys), self.width), -1, np.int64)
        for row, p in enumerate(self._positions(keys)):
            over = game.primitive(p)
            if over is not None:
                outcomes[row] = over
                continue
            after = [game.key(game.play(p, m)) for m in game.moves(p)]
            children[row, : len(after)] = after
        return outcomes, children

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where several symmetries lead to the canonical key, any of them is right."""
        canonical, ways = np.full(len(keys), -1, np.int64), np.zeros(len(keys), np.int8)
        for row, key in enumerate(keys.tolist()):
            if key >= 0:
                images = self._images(self.game.position(key))
                canonical[row] = min(images)
                found = [way for way, image in enumerate(images) if image == min(images)]
                ways[row] = found[key % len(found)]
        return canonical, ways

    def tiers(self, keys: np.ndarray) -> np.ndarray:
        return np.array([self.game.tier(p) for p in self._positions(keys)], np.int64)

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        images = [set(self._images(p)) for p in self._positions(keys)]
        pairs = zip(images, keys.tolist(), strict=True)
        return np.array([len(some) if key == min(some) else 0 for some, key in pairs], np.int8)

    def _positions(self, keys: np.ndarray) -> Iterator[Any]:
        return map(self.game.position, keys.tolist())

    def _images(self, p: Any) -> list[int]:
        return [self.game.key(s.position(p)) for s in self.game.symmetries]


class Drawn(graphs.Graph):
    """A graph drawn by hand, with a kernel."""

    def kernel(self) -> Kernel:
        return AskingKernel(self, max(map(len, self.edges.values())))


class Line(Chain):
    """From each number to the one below; who is to move at 0 has lost."""

    def kernel(self) -> Kernel:
        return AskingKernel(self, len(self.moves(self.initial())))


GENERATORS: dict[str, list[Element]] = {
    "none": [(0,)],
    "Z2": [(1, 0)],
    "Z3": [(1, 2, 0)],
    "Z4": [(1, 2, 3, 0)],
    "Z2xZ2": [(1, 0, 2, 3), (0, 1, 3, 2)],
    "S3": [(1, 0, 2), (1, 2, 0)],
    "D4": [(1, 2, 3, 0), (0, 3, 2, 1)],
}


def generated(generators: Iterable[Element]) -> list[Element]:
    """Return the group of permutations that these generate."""
    found: dict[Element, None] = dict.fromkeys(generators)
    while fresh := {tuple(a[i] for i in b) for a in found for b in found} - found.keys():
        found |= dict.fromkeys(sorted(fresh))
    return list(found)


class Turned(Numbered[int]):
    """A random graph on which a group acts: circles, loops, leaps over tiers, two equal moves.

    A position is a colouring of the points that the group permutes, on one of five levels; some are
    their own images, and they have random numbers. A move is written as four times the number where
    it leads, plus up to 3.
    """

    def __init__(self, name: str, seed: int, symmetric: bool = False) -> None:
        """Begin at a position that is its own image, or at one that is not."""
        generator = random.Random(f"{name} {seed}")
        group = generated(GENERATORS[name])
        if seed % 2:
            generator.shuffle(group)  # the identity may stand anywhere
        size = len(group[0])
        colourings = [*product(range((6, 6, 3, 3, 3)[size]), repeat=size)]
        all_places = [*product(range(5), colourings)]
        numbers = generator.sample(range(2 ** generator.choice((9, 12, 37))), len(all_places))
        numbered = dict(zip(all_places, numbers, strict=True))
        self.maps = [
            {p: numbered[level, tuple(c[i] for i in g)] for (level, c), p in numbered.items()}
            for g in group
        ]
        heights = generator.choice([(0, 1, 2, 3, 4), (3, 5, 6, 9, 14), (1, 1, 2, 2, 2)])
        self.tiers = {p: heights[level] for (level, _), p in numbered.items()}
        same = numbered[all_places[0]]  # its image under every symmetry
        other = max(numbers, key=lambda p: (self.tiers[p] == heights[0], len(self.images(p)), p))
        self.first = same if symmetric else other
        self.ends: dict[int, Outcome] = {}
        self.edges: dict[int, list[int]] = {}
        for p in numbers:
            if p in self.edges:
                continue
            later = [q for q in numbers if self.tiers[q] >= self.tiers[p]]
            near = [q for q in later if self.tiers[q] == self.tiers[p]]
            is_over = p not in (same, other) and generator.random() < 0.3
            count = 0 if is_over else generator.choice((1, 1, 2, 2, 3))
            targets = [generator.choice(generator.choice((later, near))) for _ in range(count)]
            if p == same:  # one comes from there to where no images are the same
                targets = [other]
            over = generator.choice([*Outcome, Outcome.LOSS, Outcome.LOSS])
            for turn in self.maps:  # whatever leaves p as it is keeps the moves of p
                known = self.edges.setdefault(turn[p], [])
                known += {4 * turn[q] + i for i, q in enumerate(targets)} - {*known}
                if not targets:
                    self.ends[turn[p]] = over
        self.symmetries = [Symmetry(turn.__getitem__, _moving(turn), None) for turn in self.maps]

    def images(self, p: int) -> set[int]:
        return {turn[p] for turn in self.maps}

    def initial(self) -> int:
        return self.first

    def moves(self, p: int) -> list[int]:
        return self.edges[p]

    def play(self, p: int, m: int) -> int:
        return m // 4

    def primitive(self, p: int) -> Outcome | None:
        return self.ends.get(p)

    def tier(self, p: int) -> int:
        return self.tiers[p]

    def kernel(self) -> Kernel:
        return AskingKernel(self, max(map(len, self.edges.values())))


def _moving(turn: dict[int, int]) -> Callable[[int], int]:
    return lambda m: 4 * turn[m // 4] + m % 4


def scores_of(game: Game[Any, Any]) -> dict[Any, int]:
    """Return the scores of the canonical positions, found naively."""
    return {
        min((s.position(p) for s in game.symmetries), key=game.key): as_score(worth)
        for p, worth in solve_by_force(game).items()
    }


def solved(game: Game[Any, Any], workers: int = 1) -> bytes:
    table = solve(game, workers=workers)
    assert isinstance(table, MappedTable)
    return table.encode()


def solved_plainly(game: Game[Any, Any]) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.solving.solve.find_kernel", lambda *_: (None, "no kernel"))
        return solved(game)


@pytest.fixture(params=["kernel", "plain"])
def proving(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    return prove_by(request.param, monkeypatch)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut tiers into pieces of a few positions."""
    monkeypatch.setattr("solver.solving.steps_tiered.PIECE", 3)
    monkeypatch.setattr("solver.proof.kernel_walk.PIECE", 3)


RANDOM = [(name, seed) for name in GENERATORS for seed in range(8)]


@cache
def turned(name: str, seed: int) -> Turned:
    """Return a game of more than a few positions, worth this and that."""
    for n in range(seed, 10**6, 100):
        game = Turned(name, n, symmetric=seed % 4 > 1)
        worths = set(solve_by_force(game).values())
        if len(scores_of(game)) > 11 and len({sign for sign, _ in worths}) == 3 < len(worths) - 2:
            return game
    raise AssertionError


def assert_counted(game: Game[Any, Any], says: dict[str, Any], worths: dict[Any, Value]) -> None:
    """Compare counts with those of a search without symmetry."""
    signs = Counter(sign for sign, _ in worths.values())
    assert says["positions"] == len(worths)
    assert says["canonical"] == len(scores_of(game))
    assert says["terminal"] == sum(game.primitive(p) is not None for p in worths)
    assert [says[name] for name in ("win", "draw", "loss")] == [signs[n] for n in (1, 0, -1)]
    assert (says["outcome"], says["distance"]) == worths[game.initial()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seed"), RANDOM)
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.thinned(28, 7)
def test_random_games_are_solved_as_by_naive_search(name: str, seed: int) -> None:
    """By kernel and in plain Python, and each way is proved."""
    game = turned(name, seed)
    check_game(game)
    data = solved(game)
    assert solved_plainly(game) == data
    table, worths = MappedTable(data, game), solve_by_force(game)
    assert dict(table.positions()) == scores_of(game)
    assert_counted(game, table.describe(), worths)
    proof = verify(data, game)
    assert_counted(game, proof._asdict(), worths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver.proof.verify, "_stand_in", with_kernel)
        assert verify(data, game)._replace(by=proof.by) == proof


CASES = pytest.mark.parametrize("case", graphs.ALL, ids=lambda case: str(case[0].edges))
Case = tuple[graphs.Graph, dict[str, Value]]


def drawn(graph: graphs.Graph) -> Drawn:
    return Drawn(graph.start, graph.edges, graph.ends)


@CASES
@pytest.mark.thinned(3)
@pytest.mark.no_cover
def test_graphs_have_their_values_and_no_others_pass(proving: str, case: Case) -> None:
    game, worths = drawn(case[0]), case[1]
    data, right = solved(game), {p: as_score(worth) for p, worth in worths.items()}
    assert dict(MappedTable(data, game).positions()) == right
    assert solved_plainly(game) == data
    assert verify(data, game).positions == len(right)
    for node, held in worths.items():
        for worth in all_values(10):
            if worth != held:
                with pytest.raises(REFUSED):
                    verify(forged(game, {**right, node: as_score(worth)}), game)


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.large)])
@pytest.mark.no_cover
def test_a_circle_of_claims_does_not_support_itself(proving: str, step: int) -> None:
    """Two that could only repeat claim that one wins, in n and n + 1: there is no ground below.

    So with a loop, and with a circle beside which there is an end.
    """
    circle = Drawn("a", {"a": "b", "b": "a"}, {})
    beside = Drawn("a", {"a": "bz", "b": "az"}, {"z": graphs.WIN})
    loop = Drawn("a", {"a": "a"}, {})
    end = {"z": score(graphs.WIN)}
    for sign in (-1, 1):
        for plies in sorted({*range(0, NARROW - 1, step), NARROW - 2}):
            both = [score(outcome(sign), plies), score(outcome(-sign), plies + 1)]
            for a, b in (both, both[::-1]):
                for game, scores in ((circle, {}), (beside, end)):
                    with pytest.raises(REFUSED):
                        verify(forged(game, {"a": a, "b": b, **scores}), game)
            with pytest.raises(REFUSED):
                verify(forged(loop, {"a": both[0]}), loop)


@pytest.mark.slow
def test_a_forced_win_through_a_circle_is_no_draw(proving: str) -> None:
    """All of a circle, and whatever leans on it, claimed as draws; or some of it."""
    graph, worths = graphs.LONG_WAY_ROUND
    game, right = drawn(graph), {p: as_score(w) for p, w in worths.items()}
    open_nodes = [node for node in worths if node != "z"]
    for chosen in range(1, 1 << len(open_nodes)):
        draws = {node: 0 for i, node in enumerate(open_nodes) if chosen >> i & 1}
        with pytest.raises(REFUSED):
            verify(forged(game, {**right, **draws}), game)


def line_scores(length: int, last: int) -> dict[int, int]:
    """Return the scores of a line, from `last` plies on as draws."""
    return {
        p: score(Outcome.WIN if p % 2 else Outcome.LOSS, p) if p < last else 0
        for p in range(length + 1)
    }


@pytest.mark.parametrize("last", [1, 126, 127, 128, 129])
def test_no_win_is_too_far_away_to_be_noticed(proving: str, last: int) -> None:
    """Where the values of a table have one byte, a win in 126 says nothing of one in 127.

    A table that calls all that is further a draw was proved once, with a kernel.
    """
    game = Line(200)
    with pytest.raises(REFUSED):
        verify(forged(game, line_scores(200, last)), game)


@pytest.mark.large
def test_a_game_can_be_too_long() -> None:
    """In a process of its own: arrays were written beyond their end once."""
    code = (
        "import solver.solving.in_memory as m, solver.solving.solve as s\n"
        "from solver.value import LIMIT\n"
        "from tests.solving.test_steps_tiered import Line\n"
        "m.FEW = m.SMALL = 0\ns.check_game = lambda *_, **__: 0\n"
        "try: s.solve(Line(LIMIT + 1))\n"
        "except ValueError as error: print(error)\n"
    )
    assert "can take 16,383 plies or more with perfect play" in python("-c", code).stdout


@pytest.mark.parametrize(("name", "seed"), [("Z2", 4), ("none", 0), ("Z2xZ2", 5), ("S3", 4)])
@pytest.mark.thinned(4, 7)
@pytest.mark.slow
def test_no_other_value_of_a_random_game_passes(proving: str, name: str, seed: int) -> None:
    """Each entry alone, and then the same change of all entries of a tier or of one value."""
    game = turned(name, seed)
    right = scores_of(game)
    assert verify(forged(game, right), game).canonical == len(right) > 5
    others = [*map(as_score, all_values(8))]
    wrong = [{**right, p: other} for p, held in right.items() for other in others if other != held]
    for tier in {game.tier(p) for p in right}:
        within = [p for p in right if game.tier(p) == tier]
        for shift in (-4, -2, -1, 1, 2, 4):
            wrong.append({**right, **{p: shifted(right[p], shift) for p in within}})
        wrong.append({**right, **{p: -right[p] for p in within}})
    for value in set(right.values()):
        wrong.append({p: 0 if s == value else s for p, s in right.items()})
        wrong.append({p: -s if s == value else s for p, s in right.items()})
    for scores in wrong:
        if scores != right:
            with pytest.raises(REFUSED):
                verify(forged(game, scores), game)


def shifted(held: int, plies: int) -> int:
    """Return a score so many plies further away, if it can be."""
    found = distance(held)
    return held if found is None else score(outcome(held), max(0, found + plies))


@pytest.mark.parametrize(("name", "seed"), [("Z2", 0), ("Z4", 1), ("D4", 0), ("S3", 1)])
@pytest.mark.thinned(4, 3)
@pytest.mark.slow
def test_no_entry_more_or_less_of_a_random_game_passes(proving: str, name: str, seed: int) -> None:
    """Not even an image of a position, nor one that no game leads to with its right value."""
    game = turned(name, seed)
    raw = raw_of(forged(game, scores_of(game)))
    entries = raw.entries()
    known = {key for key, _ in entries}
    assert verify(forge(raw), game).canonical == len(known)
    tables = [raw.with_entries(entries[:n] + entries[n + 1 :]) for n in range(len(entries))]
    tables += [
        raw.with_entries([*entries, (key, value)])
        for key in game.edges
        for value in (0, 126)
        if key not in known and key >> raw.number("bits") == 0
    ]
    assert len(tables) > 2 * len(entries)
    changes = (-2, -1, 0, 1, len(game.symmetries))
    for number, table in enumerate(tables):
        more = changes[number % len(changes)]
        counts = {n: str(raw.number(n) + more) for n in ("positions", "draw")}
        with pytest.raises(REFUSED):
            verify(forge(table._replace(about=table.about | counts)), game)


def test_the_proof_of_a_table_with_more_entries_stays_within_its_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It wrote beyond the end of one; compiled loops do not notice, but the same in Python does."""
    monkeypatch.setattr(solver.proof.verify, "_stand_in", with_kernel)
    for name in ("_visit", "_compare", "_group", "_disorder"):
        monkeypatch.setattr(kernel_walk, name, getattr(kernel_walk, name).py_func)
    game = turned("Z2", 0)
    raw = raw_of(forged(game, scores_of(game)))
    known = {key for key, _ in raw.entries()}
    more = [key for key in game.edges if key not in known and key >> raw.number("bits") == 0]
    assert len(more) > 3
    for key in more:
        with pytest.raises(TableProofError):
            verify(forge(raw.with_entries([*raw.entries(), (key, 0)])), game)


def test_too_little_memory_on_the_way_ends_the_solve() -> None:
    game = load_game(LARGE)
    kernel = game.kernel()
    assert isinstance(kernel, TieredKernel)
    with pytest.raises(MemoryLimitError, match=r"at least [\d,]+ positions, which cannot"):
        TieredSteps(game, kernel).grow(TieredSteps(game, kernel).start()[1], True, 1)
    steps = TieredSteps(game, kernel)
    tier, later, moves = steps.grow(steps.start()[1], True, PLENTY)
    draws = [partial(with_draws, found) for found in later.values()]
    assert len(steps.resolve(tier, stored(moves), draws, PLENTY)) == len(tier)
    with pytest.raises(MemoryLimitError, match="which cannot be split"):
        steps.resolve(tier, stored(moves), draws, 10)


def stored(moves: tuple[np.ndarray, ...]) -> tuple[list[Slot], memoryview]:
    """Return moves as they are read from their file."""
    slots = [Slot(i, len(array)) for i, array in enumerate(moves)]
    return slots, memoryview(bytearray(b"".join(map(np.ndarray.tobytes, moves))))


def test_a_tier_of_too_many_positions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number and a symmetry share 32 bits."""
    game = load_game(LARGE)
    kernel = game.kernel()
    assert isinstance(kernel, TieredKernel)
    steps = TieredSteps(game, kernel)
    tier, later, _ = steps.grow(steps.start()[1], True, PLENTY)
    known = sum(map(len, (tier, *later.values())))
    monkeypatch.setattr("solver.solving.steps_tiered.MOST_NUMBERS", known + 1)
    assert len(steps.grow(steps.start()[1], True, PLENTY)[0]) == len(tier)
    monkeypatch.setattr("solver.solving.steps_tiered.MOST_NUMBERS", known)
    with pytest.raises(MemoryLimitError, match=rf"a tier of more than {known:,} positions: too"):
        steps.grow(steps.start()[1], True, PLENTY)


def with_draws(positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return positions, np.zeros(len(positions), np.int16)


@pytest.mark.slow
def test_a_tier_that_does_not_fit_is_named(command: Command) -> None:
    """Its folder stays: with more memory, the same command ends well."""
    with command.monkeypatch.context() as patch:
        patch.setattr("solver.solving.on_files.room_for_task", lambda *_: 300_000)
        assert command("solve", LARGE, "-o", "t.safetensors", "--memory", "4GB") == 2
    message = command.err.splitlines()[-1]
    assert re.search(r"has a tier of at least [\d,]+ positions, which cannot be split", message)
    assert command("solve", LARGE, "-o", "t.safetensors", "--memory", "4GB") == 0
    assert Path("t.safetensors").read_bytes() == solved(load_game(LARGE))


class Filled(Numbered[int]):
    """Fill cells in turn. Cell 0 is full at first, and cells 6 and 7 stay empty."""

    symmetries = symmetry_group(rearrange([5, 4, 3, 2, 1, 0, 6, 7]), rearrange([*range(6), 7, 6]))

    def initial(self) -> int:
        return 1

    def moves(self, p: int) -> list[int]:
        return [i for i in range(6) if not p >> i & 1]

    def play(self, p: int, m: int) -> int:
        return p | 1 << m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 63 else None


def test_symmetries_that_are_the_same_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.solving.steps_tiered.every_position", lambda game: [])
    with pytest.raises(KernelError, match="symmetries 1 and 3 have the same images: leave one out"):
        _images_after(Filled())
