"""The proof that a table is right, from the rules alone.

"Proved" means: for every position that the start can reach by the game's own `initial`, `moves`,
`play` and `primitive`, the agent that opens this file with these rules answers right: outcome,
distance, the value and the trap of each move, and the best move.

The argument. Let V(p) be what the table answers at p, asked as the agent asks: outcome -1, 0 or 1,
and for wins and losses a distance, a whole number. The walk visits every p that can be reached and
finds that V(p) is the outcome of the rules, in 0 plies, where the game is over, and elsewhere the
best of the V of the children, negated and one ply later.

1. Claimed wins and losses are true, with exact distances, by induction on the distance: a win in n
   has a child that is a loss in n - 1 and none that is lost sooner; all children of a loss in n
   are wins in at most n - 1, and one of them in n - 1. (No distance is below 0: it would need one
   below itself, for ever, and a file holds finitely many.)
2. From a claimed draw no move leads to a claimed loss of the opponent, and some move leads to a
   claimed draw. So either side can stay in claimed draws for ever, and neither can be forced out.
   Positions that repeat need nothing more.
3. What is said of moves follows from V at the positions that they lead to, as they are played, and
   at those one move on. Where the table stores it (JSON), it is compared with that.

This holds only if V(p) is the answer at p, for every p. Hence images are visited and looked up like
all other positions, and of what the class declares beside the four methods nothing is believed: not
symmetries, tiers, keys, texts, kernels or compiled rules. Two things are assumed of all methods
that the agent calls: that they are pure, with equal results for equal arguments, and that they do
not depend on the order of hashes, which eight processes try if they can load the rules. Where the
rules are the name of a built-in game, its kernel stands for them; that is trusted, and tested
elsewhere. A game that is given as an object is asked by its own methods, whatever its class.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from mmap import mmap
from multiprocessing import get_context
from typing import Any, NamedTuple

from solver.errors import RulesChangedWarning, TableProofError
from solver.games import is_built_in, load_game
from solver.proof.contents import prove_header, prove_json, prove_walked
from solver.proof.repeat import PROCESSES, check_repeats, processors
from solver.proof.walk import Examined, Examiner, walk
from solver.rules.check_kernel import check_kernel
from solver.rules.game import Game, defines, is_packaged, require_workers
from solver.rules.kernel import Kernel
from solver.rules.rule_files import RuleFiles, rules_path
from solver.tables.mapped_table import MappedTable
from solver.tables.open import open_table, table_of
from solver.tables.source import TableBytes
from solver.value import Outcome

Progress = Callable[[int, int], None]
MANY = 100_000  # positions, whose proof takes longer than it takes to start processes


class Proof(NamedTuple):
    """What has been found about a table; `positions` to `loss` count distinct positions."""

    game: str
    positions: int
    canonical: int
    terminal: int
    win: int
    draw: int
    loss: int
    outcome: Outcome
    distance: int | None
    rules: str
    sha256: str
    by: str
    """What stood for the rules at every position."""
    source: str
    """The hash of the files of the rules: of `files`, or else of those that are loaded.

    It is empty for a built-in game, and for rules without a file; see `solver.rules.rule_files`.
    """
    files: list[str] | None
    """The files of the rules that the table states; None if it states none."""
    compared: int
    """At how many positions processes with different orders of sets agreed about the rules."""
    processes: int
    """How many of these there were; 0 for a built-in game, and for one given as an object."""


def verify(
    data: bytes | mmap | TableBytes,
    game: Game[Any, Any] | str | None = None,
    progress: Progress = lambda done, total: None,
    *,
    workers: int | None = 1,
) -> Proof:
    """Prove the table in a file's bytes, read or mapped, and return what was proved.

    The rules are those of `game`, or else of the built-in game that the file names. If it is a
    name, as `load_game` takes, other processes load them, too: several `workers`, and for a custom
    game eight that compare expansions. If `workers` is None, a table of MANY positions has one
    for each processor, unless its rules must be asked in one process. `progress` is called with the
    number of positions visited and their total.

    Raises TableFormatError if the file is not a complete table for these rules, TableProofError,
    which names a wrong entry, its value and the right one, if the rules contradict it, and
    GameLawError if they break a law.
    """
    if not isinstance(data, bytes | mmap | TableBytes):
        raise TypeError(f"verify takes a file's bytes, not {type(data).__name__}")
    source = data if isinstance(data, TableBytes) else TableBytes(data)
    table = table_of(source, load_game(game) if isinstance(game, str) else game)
    rules = table.game
    name = rules.spec if game is None else game
    kernel, by = None, f"the rules in Python of {name if isinstance(name, str) else rules.spec}"
    if isinstance(table, MappedTable):
        table.check_hash()
        if (kernel := _stand_in(name, rules)) is not None:
            by = f"the kernel of {rules.spec.partition(':')[0]}"
    compared, processes = 0, 0
    if not is_packaged(rules) and rules_path(rules) is None:
        name, by = rules, f"{by}, which no other process can load"
    if isinstance(name, str) and not is_built_in(name):
        compared, processes = check_repeats(rules, name), PROCESSES
    if kernel is not None:
        from solver.proof.kernel_walk import KernelWalk

        assert isinstance(table, MappedTable)
        prove_header(table, *KernelWalk(table, kernel, progress).run())
    else:
        if workers is None:
            is_shared = isinstance(name, str) and not rules.one_process
            workers = processors() if is_shared and table.counts["positions"] >= MANY else 1
        require_workers(rules, workers)
        if workers > 1 and not isinstance(name, str):
            raise ValueError(
                f"several workers load the rules of {rules.spec} themselves: give verify the name"
                " by which load_game finds them"
            )
        with _examiners(source, str(name), workers) as how:
            walked = walk(table, progress, *how)
        if isinstance(table, MappedTable):
            prove_walked(table, walked)
        else:
            prove_json(table, source.read_at(0, source.size), walked)
    facts = {**table.describe(), "sha256": table.sha256, "by": by}
    files = table.rule_files and table.rule_files["files"]
    now = RuleFiles(rules, files).stated or {"hash": ""}
    facts |= {"files": files, "source": now["hash"], "compared": compared, "processes": processes}
    fields: dict[str, Any] = {name: facts[name] for name in Proof._fields}
    fields["outcome"] = Outcome(facts["outcome"])
    return Proof(**fields)


def _stand_in(name: Game[Any, Any] | str, game: Game[Any, Any]) -> Kernel | None:
    """Return the kernel that stands for a game's rules, which only a built-in's name may have."""
    if not (isinstance(name, str) and is_built_in(name) and defines(game, "kernel")):
        return None
    try:
        kernel = game.kernel()
    except ImportError:
        return None
    if kernel is not None:
        check_kernel(game, kernel)
    return kernel


_examiner: Examiner | None = None  # of a process that examines positions for another one


@contextmanager
def _examiners(source: TableBytes, name: str, workers: int) -> Iterator[tuple[Any, ...]]:
    """Give what `walk` needs to examine positions in several processes; nothing for one."""
    if workers == 1:
        yield ()
        return
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/table"
        with open(path, "wb") as file:
            file.writelines(source.pieces(0))
        with ProcessPoolExecutor(
            workers, get_context("spawn"), initializer=_open, initargs=(name, path)
        ) as pool:
            yield pool.map, _examine


def _open(name: str, path: str) -> None:
    """Open the table in this process; the one that proves it has warned of changed rules."""
    global _examiner  # noqa: PLW0603 -- a process pool has no other place for it
    with warnings.catch_warnings(action="ignore", category=RulesChangedWarning):
        _examiner = Examiner(open_table(path, load_game(name)))


def _examine(positions: list[Any]) -> Examined:
    if _examiner is None:
        raise TableProofError("the process has not opened the table")
    return _examiner(positions)
