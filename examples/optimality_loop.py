"""A perceptron learns the table's moves at tic-tac-toe in NumPy alone; each epoch is judged.

    python examples/optimality_loop.py

It scores each cell by a weighted sum of the marks of the board, of all pairs of marks and a
constant, and moves where the score is highest. It trains on half of the unfinished positions;
`optimality` judges its moves in the other half, which has symmetric images of many of them: the
share that keeps the outcome (good) and the share that also keeps the distance (perfect), over the
positions that are not lost already.
"""

from __future__ import annotations

import argparse

import numpy as np

from solver import TableAgent, optimality
from solver.env.batch import BatchEnv

EPOCHS, RATE = 8, 0.01


def features(planes: np.ndarray) -> np.ndarray:
    """Return the marks of n boards, own and others', their products two by two, and a constant."""
    marks = planes.reshape(len(planes), -1).astype(float)
    pairs = (marks[:, :, None] * marks[:, None, :])[:, *np.triu_indices(18)]
    return np.hstack([pairs, np.ones((len(marks), 1))])


def main() -> None:
    """Train, and print the rates after each epoch."""
    agent, games, generator = TableAgent(), BatchEnv(), np.random.default_rng(0)
    codes = generator.permutation(np.flatnonzero(games.tabled.count))
    seen, legal, best = features(games.planes(codes)), games.legal(codes), games.labels(codes).best
    positions = [games.tabled.positions[code] for code in codes]
    half = len(codes) // 2
    weights = np.zeros((seen.shape[1], 9))
    print("epoch  good moves  perfect moves")
    for epoch in range(EPOCHS + 1):
        moves = np.where(legal, seen @ weights, -np.inf).argmax(1)
        found = optimality(agent, positions[half:], moves[half:]).without_lost()
        print(f"{epoch:5}  {found.good_move_rate:10.1%}  {found.perfect_move_rate:13.1%}")
        for i in generator.permutation(half):
            scores = seen[i] @ weights
            move = np.where(legal[i], scores, -np.inf).argmax()
            if not best[i, move]:
                weights[:, np.where(best[i], scores, -np.inf).argmax()] += RATE * seen[i]
                weights[:, move] -= RATE * seen[i]


if __name__ == "__main__":
    argparse.ArgumentParser(description="Train a perceptron at tic-tac-toe.").parse_args()
    main()
