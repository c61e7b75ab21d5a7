"""Measures how many moves a second `optimality` judges at tic-tac-toe.

    python -m scripts.bench_optimality     measure and print

Arrays of boards need NumPy alone; texts are read and looked up one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solver import TableAgent, optimality

SIZE = 1_000_000  # moves judged at once in arrays
FEW = 10_000  # of them as texts
Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


def judged() -> list[Row]:
    """Measure verdicts on random cells of random positions that are not over."""
    agent, generator = TableAgent(), np.random.default_rng(0)
    codes = generator.choice(np.flatnonzero(agent.batch.moves >= 0), SIZE)
    boards = np.stack([codes // 3**cell % 3 - 1 for cell in range(9)], 1).astype(np.int8)
    moves = generator.integers(0, 9, SIZE)
    texts = ["".join("O.X"[sign + 1] for sign in board) for board in boards[:FEW].tolist()]
    whole = SIZE / _seconds(lambda: optimality(agent, boards, moves))
    one = FEW / _seconds(lambda: optimality(agent, texts, moves[:FEW]))
    return [
        (
            "optimality of boards and moves in arrays",
            f"{whole / 1e6:,.0f} million positions/s",
            "target: 1 million/s",
        ),
        ("the same of texts", f"{one / 1e3:,.0f} thousand positions/s", "-"),
    ]


def _seconds(call: Callable[[], object]) -> float:
    """Return the least CPU time of a call."""
    times = []
    for _ in range(7):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    for row in judged():
        print(" | ".join(row))
