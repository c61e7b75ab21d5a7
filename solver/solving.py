"""From rules to table: solve a game and write down what each position is worth.

A small game is solved in memory, its table is JSON. A large one is solved tier by tier, by its
kernel if it can, and leaves what is finished in a folder; its table is mapped.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from contextlib import ExitStack
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from . import __version__
from .enumeration import children, reachable
from .errors import MemoryLimitError
from .estimate import memory_needed
from .files import check_place, save
from .game import Game, M, P, fingerprint, walk
from .kernel import find_kernel
from .laws import check_game
from .mapped import MOST_JSON, SMALL, WIDEST, MappedTable, encode_mapped
from .plain import Plain, count, lay_out
from .retrograde import retrograde
from .search import search
from .store import MOST_BYTES, SUFFIXES, own_path, read_file
from .table import Table, encode
from .tiers import TooManyError, grow, load, resolve
from .value import LIMIT, back, distance, outcome, trap
from .work import Work

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from .kernel import LayeredKernel, TieredKernel
    from .tiers import Progress, Steps

METHODS = ("retrograde", "search")
FEW = 2_000  # canonical positions, up to which a kernel takes longer to load than it saves
WIDER = (
    f"a large table needs the suffix {SUFFIXES[1]}, and rules that define key and position with at"
    f" most {WIDEST} bits"
)


def _silent(what: str, done: int, total: int | None) -> None:
    pass


def _quiet(remark: str) -> None:
    pass


class How(NamedTuple):
    """How to solve, and whom to tell."""

    method: str = METHODS[0]
    workers: int = 1
    memory: int | None = None
    """A limit in bytes."""
    progress: Progress = _silent
    tell: Callable[[str], None] = _quiet
    """Hears remarks for the user."""


def solve(game: Game[P, M], method: str = "retrograde", workers: int = 1) -> Table | MappedTable:
    """Return the table of every position that a game can reach.

    Both methods give the same table. `search` goes depth first and raises SearchDepthError where
    a position can come twice in one game; `retrograde` works back from the ends of the game, and
    for a large game uses its kernel if it can. Raises GameLawError where the rules break a law
    (see `solver.game`), KernelError where a kernel contradicts them, and ValueError for an unknown
    method or a game of more plies than a score can hold.
    """
    with tempfile.TemporaryDirectory() as directory, _Folder(directory) as folder:
        found = _solve(game, folder, None, How(method, workers))
        return found if isinstance(found, Table) else MappedTable(b"".join(found), game)


def solve_file(game: Game[P, M], path: str | None, how: How) -> str:
    """Solve a game, write its table to a file and return the file's path.

    Without a path the table goes where `solver.store.find_table` looks for it. A large game leaves
    what it has done in a folder beside the file until that is written: the same call goes on there.

    Raises what `solve` does, OSError, and MemoryLimitError if the limit is too small.
    """
    if path is None:
        place = own_path(game.spec, "")
        os.makedirs(os.path.dirname(place), exist_ok=True)
    else:
        place = path
        check_place(path)
    suffix = os.path.splitext(place)[1]
    mapped = suffix == SUFFIXES[1] if path is not None and suffix in SUFFIXES else None
    with _Folder(place + ".work") as folder:
        found = _solve(game, folder, mapped, how)
        target = path or own_path(game.spec, SUFFIXES[not isinstance(found, Table)])
        parts = [encode(found)] if isinstance(found, Table) else found
        if isinstance(found, Table) and len(parts[0]) > MOST_BYTES:
            raise ValueError(f"{len(parts[0]):,} bytes are too many for a JSON table; {WIDER}")
        save(target, *parts)
        folder.clear()
    return target


class _Folder:
    """Where a large game is solved; it is taken when it is needed, and held to the end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stack = ExitStack()
        self._work: Work | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def take(self, game: Game[P, M], steps: str, how: How) -> Work:
        """Return the folder, for solving a game by such steps."""
        about = {"game": game.spec, "steps": steps, "version": __version__}
        about |= {"rules": fingerprint(game), "source": _source(game)}
        self._work = self._stack.enter_context(Work(self.path, about))
        done = len(self._work.ledger.get("grown", ()))
        if done:
            how.tell(f"going on in {self.path}, where the positions of {done} tiers are found")
        return self._work

    def clear(self) -> None:
        """Delete what was left there, if it was taken."""
        if self._work is not None:
            self._work.clear()


def _source(game: Game[P, M]) -> str:
    """Return a hash of the file that the rules stand in; nothing for rules typed by hand."""
    path = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return "" if path is None else sha256(read_file(path)).hexdigest()


def _solve(
    game: Game[P, M], folder: _Folder, mapped: bool | None, how: How
) -> Table | list[memoryview]:
    """Return a JSON table, or the parts of a mapped one; None for `mapped` takes what is usual."""
    if how.method not in METHODS:
        raise ValueError(f"the method is {how.method!r}; it must be one of {', '.join(METHODS)}")
    check_game(game, walks=3)
    if how.memory is not None:
        _check_memory(game, how.memory, how.workers)
    if how.method == "search":
        scores = search(game)
    else:
        tiers = reachable(game, FEW)
        if not tiers:
            kernel, remark = find_kernel(game)
            if kernel is not None:
                return _solve_compiled(game, kernel, folder, mapped, how)
            tiers = reachable(game, SMALL)
            if not tiers:
                how.tell(remark)
                return _solve_plain(game, folder, mapped, how)
        scores = retrograde(game, tiers)
    return _table(game, scores, mapped)


def _table(game: Game[P, M], scores: dict[P, int], mapped: bool | None) -> Table | list[memoryview]:
    """Return the table that the exact scores of all canonical positions make."""
    if 1 in scores.values() or -1 in scores.values():
        raise ValueError(f"a game of {game.spec} can last longer than {LIMIT} plies: too long")
    if mapped is None:
        mapped = len(scores) > SMALL and max(map(game.key, scores)).bit_length() <= WIDEST
    if mapped:
        start = scores[game.canonical(game.initial())]
        return _encode(game, start, *lay_out(game, scores))
    return tabulate(game, scores)


def _solve_plain(
    game: Game[P, M], folder: _Folder, mapped: bool | None, how: How
) -> Table | list[memoryview]:
    """Solve a large game in plain Python."""
    steps = Plain(game)
    narrow = all(game.key(p).bit_length() <= WIDEST for p in walk(game, 1000))
    if mapped and not narrow:
        raise ValueError(f"keys of {game.spec} have more than {WIDEST} bits; {WIDER}")
    most = math.inf if narrow and mapped is not False else MOST_JSON
    work = folder.take(game, "plain", how)
    tiers = _solve_tiers(steps, work, how, most)
    pairs = [load(steps, work, tier) for tier in tiers]
    scores = {p: score for pair in pairs for p, score in zip(*pair, strict=True)}
    return _table(game, scores, mapped)


def _solve_compiled(
    game: Game[P, M],
    kernel: LayeredKernel | TieredKernel,
    folder: _Folder,
    mapped: bool | None,
    how: How,
) -> Table | list[memoryview]:
    """Solve a large game by its kernel."""
    from .compiled_tiers import steps_of

    steps = steps_of(game, kernel, how.workers, how.memory)
    most = math.inf if mapped is not False else MOST_JSON * len(game.symmetries)
    work = folder.take(game, "compiled", how)
    tiers = _solve_tiers(steps, work, how, most)
    start, counts, cut, buffers = steps.assemble(tiers, lambda tier: load(steps, work, tier))
    parts = _encode(game, start, counts, cut, buffers)
    if mapped or (mapped is None and cut.entries > SMALL):
        return parts
    if cut.entries > MOST_JSON:
        raise ValueError(f"{cut.entries:,} positions are too many for a JSON table; {WIDER}")
    return _table(game, dict(MappedTable(b"".join(parts), game).positions()), mapped)


def _check_memory(game: Game[P, M], limit: int, workers: int) -> None:
    """Raise MemoryLimitError if a solve would take more memory than it was given."""
    needed = memory_needed(game, find_kernel(game)[0], workers)
    if needed > limit:
        raise MemoryLimitError(
            f"solving {game.spec} would take about {needed / 1e6:,.0f} MB, more than the limit of"
            f" {limit / 1e6:,.0f} MB"
        )


def _solve_tiers(steps: Steps, work: Work, how: How, most: float) -> list[int]:
    """Solve every tier; raise ValueError once there are more positions than a table can hold."""
    try:
        grow(steps, work, how.progress, most)
    except TooManyError as error:
        raise ValueError(f"{error}, too many for a JSON table; {WIDER}") from error
    return resolve(steps, work, how.progress)


def _encode(
    game: Game[P, M], start: int, counts: dict[str, int], cut: Any, buffers: dict[str, memoryview]
) -> list[memoryview]:
    """Return the parts of a mapped table."""
    facts = {"game": game.spec, "rules": fingerprint(game), **counts}
    facts |= {"outcome": outcome(start), "distance": distance(start)}
    return encode_mapped(facts, cut, buffers)


def tabulate(game: Game[P, M], scores: dict[P, int]) -> Table:
    """Return the table that the exact scores of all canonical positions make."""
    moved = {p: children(game, p) for p in scores}
    replies = {p: [back(scores[child]) for child in moved[p]] for p in scores}
    traps = {p: trap(replies[p], scores[p]) for p in scores}
    entries = {}
    for p, held in scores.items():
        codes = [game.code(m) for m in game.moves(p)] if moved[p] else []
        worth = list(zip(codes, replies[p], moved[p], strict=True))
        entries[game.text(p)] = [
            int(outcome(held)),
            distance(held),
            [code for code, reply, _ in worth if reply == held],
            [[code, int(outcome(s)), distance(s), traps[child]] for code, s, child in worth],
        ]
    return Table(game, count(game, scores), entries)
