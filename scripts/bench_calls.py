"""Measures what each call of an agent costs, as a multiple of a dict's `get`.

Run it by itself, `python -m scripts.bench_calls`, or as a part of `python -m scripts.bench`.
"""

from __future__ import annotations

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from solver import MappedTable, TableAgent, load_game, open_agent
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.source import open_source

Row = tuple[str, str, str]  # what was measured, the result, what it is compared with
GAME = "connect4:4x4"
ASKED = 300  # positions
ROUNDS = 15


def calls() -> list[Row]:
    """Measure the calls for tic-tac-toe in JSON and for a mapped table, at their first time."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "t.safetensors")
        solve_file(load_game(GAME), path, SolveOptions())
        mapped = open_agent(table=path)
        on_demand = MappedTable(open_source(path, at_once=0))
        rows = _agent_rows("tictactoe", TableAgent()) + _agent_rows(GAME, mapped)
        keys = [mapped.game.key(mapped.game.canonical(p)) for _, p in _positions(mapped)]
        for name, table in (("in memory", mapped.table), ("read from the file", on_demand)):
            assert isinstance(table, MappedTable)
            rows.append(_row(f"{GAME}: MappedTable.probe_key, {name}", table.probe_key, keys))
        return rows


def _agent_rows(name: str, agent: TableAgent) -> list[Row]:
    positions = _positions(agent)
    texts = [text for text, _ in positions]
    rows = [_row(f"{name}: best_move of a text, the first time", agent.best_move, texts, agent)]
    rows.append(_row(f"{name}: best_move of a text, repeated", agent.best_move, texts))
    rows += [
        _row(f"{name}: {call.__name__} of a text", call, texts)
        for call in (agent.outcome, agent.scores, agent.line)
    ]
    ps = [p for _, p in positions]
    return [*rows, _row(f"{name}: table.best of a position", agent.table.best, ps)]


def _positions(agent: TableAgent) -> list[tuple[str, Any]]:
    """Return positions of random games that are not over, with their texts."""
    game, generator = agent.game, random.Random(0)
    found: dict[str, Any] = {}
    while len(found) < ASKED:
        p = game.initial()
        while game.primitive(p) is None and generator.random() > 0.1:
            found[game.text(p)] = p
            p = game.play(p, generator.choice(game.moves(p)))
    return list(found.items())[:ASKED]


def _row(
    what: str, call: Callable[[Any], object], asked: Sequence[Any], fresh: TableAgent | None = None
) -> Row:
    """Return the mean cost of a call; before each round `fresh` forgets what it has cached."""
    known = dict.fromkeys(asked)
    peer, ours = _mean(known.get, asked, None), _mean(call, asked, fresh)
    return what, f"{ours / 1000:.2g} µs", f"{ours / peer:,.0f} times a dict's get"


def _mean(call: Callable[[Any], object], asked: Sequence[Any], fresh: TableAgent | None) -> float:
    """Return the mean, over what is asked, of the least time of a call in nanoseconds."""
    clock = time.perf_counter_ns
    idle = min(-clock() + clock() for _ in range(1000))
    least = [10**12] * len(asked)
    for _ in range(ROUNDS):
        if fresh is not None:
            fresh.__init__(fresh.table)  # type: ignore[misc]
        for i, one in enumerate(asked):
            start = clock()
            call(one)
            least[i] = min(least[i], clock() - start)
    return statistics.mean(least) - idle


if __name__ == "__main__":
    for row in calls():
        print(" | ".join(row))
