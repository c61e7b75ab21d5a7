"""Tables from the scores of positions in memory: a JSON table, or the file of a mapped one."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from solver.rules.default_keys import describe_keys
from solver.rules.game import Game, checked_key, fingerprint
from solver.rules.positions import children, codes_of, orbits
from solver.startup import M, P
from solver.tables.buckets import fill_buckets
from solver.tables.format import COUNTS
from solver.tables.json_table import Table
from solver.tables.mapped_file import KEYS, SOURCE, TYPES, MappedFile, TableLayout, choose_layout
from solver.value import back, distance, narrow, outcome, trap

Source = dict[str, Any] | None


def json_table(
    game: Game[P, M],
    scores: dict[P, int],
    source: Source = None,
    following: Callable[[P], list[P]] | None = None,
) -> Table:
    """Return the JSON table of a game, given the scores of all its canonical positions.

    `source` states the files of the rules; see `solver.rules.rule_files`. `following` returns what
    `children` does.
    """
    following = following or partial(children, game)
    after = {p: following(p) for p in scores}
    replies = {p: [back(scores[child]) for child in after[p]] for p in scores}
    traps = {p: trap(replies[p], scores[p]) for p in scores}
    entries = {}
    for p, score in scores.items():
        codes = codes_of(game, p) if after[p] else []
        moves = list(zip(codes, replies[p], after[p], strict=True))
        entries[game.text(p)] = [
            int(outcome(score)),
            distance(score),
            [code for code, reply, _ in moves if reply == score],
            [[code, int(outcome(s)), distance(s), traps[child]] for code, s, child in moves],
        ]
    return Table(game, count_positions(game, scores, orbits(game, scores)), entries, source)


def mapped_table(game: Game[P, M], scores: dict[P, int], source: Source = None) -> MappedFile:
    """Return the mapped table of a game, given the scores of all its canonical positions."""
    top = max(checked_key(game, p) for p in scores)
    plies = max(distance(s) or 0 for s in scores.values())
    layout = choose_layout(len(scores), top, plies)
    entries = table_entries(game, scores, scores.values(), layout)
    arrays = fill_buckets([entries], layout)
    counts = count_positions(game, scores, orbits(game, scores))
    score = scores[game.canonical(game.initial())]
    return mapped_file(game, counts, score, layout, lambda name: [arrays[name]], source)


def table_entries(
    game: Game[Any, Any], positions: Iterable[Any], scores: Iterable[int], layout: TableLayout
) -> tuple[array[int], array[int]]:
    """Return the mixed keys of positions, and their scores as a table stores them."""
    mixed = array("Q", [checked_key(game, p) * layout.multiplier & layout.mask for p in positions])
    code = TYPES[layout.arrays["values"][0]]
    return mixed, array(code, [narrow(score, layout.limit) for score in scores])


def count_positions(
    game: Game[Any, Any], scores: dict[Any, int], sizes: dict[Any, int]
) -> dict[str, int]:
    """Return the counts of a table, given how many positions each canonical one represents."""
    counts = dict.fromkeys(COUNTS, 0)
    counts["canonical"] = len(scores)
    for p, score in scores.items():
        counts["positions"] += sizes[p]
        counts[str(outcome(score))] += sizes[p]
        if game.primitive(p) is not None:
            counts["terminal"] += sizes[p]
    return counts


def mapped_file(
    game: Game[P, M],
    counts: dict[str, int],
    score: int,
    layout: TableLayout,
    arrays: Callable[[str], Iterable[Any]],
    source: Source,
) -> MappedFile:
    """Return the file of a mapped table; `arrays` returns the pieces of each array by its name."""
    facts = {"game": game.spec, "rules": fingerprint(game), **counts}
    facts |= {"outcome": outcome(score), "distance": distance(score)}
    if (keys := describe_keys(game)) is not None:
        facts[KEYS] = json.dumps(keys)
    if source is not None:
        facts[SOURCE] = json.dumps(source, separators=(",", ":"))
    return MappedFile(facts, layout, arrays)
