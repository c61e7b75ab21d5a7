"""A tabular Q-learner learns tic-tac-toe against random moves; `grade` measures its progress.

    python examples/q_learning.py [CURVE.svg]

It plays X in half of its games and O in the others, and learns the value of each of its moves from
the position at its next turn. From time to time it is graded: the regret of a move is the drop in
outcome, with win 1, draw 0 and loss -1, averaged over the positions with a choice.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from solver import TableAgent, grade
from solver.env.batch import BatchEnv
from solver.files import save
from solver.pictures.shapes import Drawing, Line, Shape, Text
from solver.pictures.svg import svg

GAMES = 64  # played at once
RATE = 0.2  # the learning rate
EXPLORE = 0.3  # the share of random moves
STEPS = (0, 100, 300, 1000, 3000, 10000, 30000)  # after which it is graded
GradePoint = tuple[int, float, float]  # games played; regret in reachable, in all positions


class Learner:
    """A table of values, learned from games that it plays against random moves."""

    def __init__(self, agent: TableAgent, seed: int) -> None:
        self.env = BatchEnv(agent, GAMES, seed)
        self.generator = np.random.default_rng(seed)
        self.seat = np.arange(GAMES) % 2
        positions = self.env.tabled.positions
        legal = self.env.legal(np.arange(len(positions)))
        self.values = np.where(legal, 0.0, -2.0)  # illegal: below every result, so never chosen
        self.codes = {agent.game.text(p): code for code, p in enumerate(positions)}
        self.last = np.full((2, GAMES), -1)  # its last position and action in each game
        self.played = 0

    def step(self) -> None:
        """Make a move in each game, the learner's or a random one, and learn from the result."""
        env, own_turn = self.env, self.env.plies % 2 == self.seat
        best = self.values[env.codes].argmax(1)
        explore = self.generator.random(GAMES) < EXPLORE
        actions = np.where(own_turn & ~explore, best, env.sample())
        self.last = np.where(own_turn, [env.codes, actions], self.last)
        after = env.step(actions)
        self.played += int(after.done.sum())
        result = np.where(own_turn, after.rewards, -after.rewards)
        target = np.where(after.done, result, self.values[after.codes].max(1))
        learn = (after.done | ~own_turn) & (self.last[0] >= 0)
        entries = tuple(self.last[:, learn])
        self.values[entries] += RATE * (target[learn] - self.values[entries])
        self.last[:, after.done] = -1

    def move(self, board: Sequence[Sequence[str | None]], side: str) -> tuple[int, int]:
        """Return the row and column of the learner's move, as `grade` expects."""
        text = "".join(mark or "." for row in board for mark in row)
        return divmod(int(self.values[self.codes[text]].argmax()), 3)


def train(seed: int = 0) -> list[GradePoint]:
    """Train a learner; return its grades."""
    agent = TableAgent()
    learner = Learner(agent, seed)
    points = []
    for start, end in zip((0, *STEPS), STEPS, strict=False):
        for _ in range(end - start):
            learner.step()
        found = grade(learner.move, agent, deterministic=True, name="learner")
        assert found.reachable is not None
        assert found.all is not None
        points.append((learner.played, found.reachable.mean_regret, found.all.mean_regret))
    return points


def curve(points: list[GradePoint]) -> Drawing:
    """Return a picture of both regrets against games played."""
    width, height, top = 580, 260, max(max(point[1:]) for point in points)
    columns = [50 + number * (width - 220) / (len(points) - 1) for number in range(len(points))]
    floor, title = height - 36, "Mean regret of a Q-learner by games played"
    shapes: list[Shape] = [
        Text((16, 20), title, 12, "ink", align="start"),
        Line(((40, floor), (width - 160, floor)), "ink", 1),
    ]
    for x, (games, *_) in zip(columns, points, strict=True):
        shapes.append(Text((x, height - 18), f"{games:,}", 12, "ink"))
    for index, name in ((1, "reachable"), (2, "all positions")):
        heights = [height - 40 - point[index] / top * (height - 90) for point in points]
        shapes.append(Line(tuple(zip(columns, heights, strict=True)), "ink", 2))
        end = (columns[-1] + 6, heights[-1] - 4)
        shapes.append(Text(end, f"{points[-1][index]:.2f} {name}", 12, "ink", align="start"))
    return Drawing(width, height, tuple(shapes), "Mean regret falls as it trains")


def main(path: str | None) -> None:
    """Train, print each grade, and draw the curve if a file is named."""
    print("games played  regret (reachable)  regret (all)")
    points = train()
    for games, reachable, everywhere in points:
        print(f"{games:12,}  {reachable:18.3f}  {everywhere:12.3f}")
    if path is not None:
        save(path, svg(curve(points)).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a Q-learner at tic-tac-toe, and grade it.")
    parser.add_argument("curve", metavar="CURVE.svg", nargs="?", help="draw the regrets as a curve")
    main(parser.parse_args().curve)
