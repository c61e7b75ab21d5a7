"""A tabular Q-learner of tic-tac-toe plays against random moves; `grade` measures what it learns.

    python examples/q_learning.py [CURVE.svg]

It plays X in half of its games and O in the others, and learns what each of its moves is worth from
what it leads to at its next turn. Now and then it is graded: regret is how much of the outcome its
move gives away, with win 1, draw 0 and loss -1, on average over positions with a choice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from solver import TableAgent, grade
from solver.env.batch import BatchEnv
from solver.files import save
from solver.pictures.svg import picture

GAMES, RATE, EXPLORE = 64, 0.2, 0.3  # at once; how much is learnt of each result; random moves
STEPS = (0, 100, 300, 1000, 3000, 10000, 30000)  # after which it is graded
Point = tuple[int, float, float]  # games played, regret over positions it can reach, over all


class Learner:
    """What each action is worth in each position, as far as it is known."""

    def __init__(self, agent: TableAgent, seed: int) -> None:
        self.env = BatchEnv(GAMES, agent, seed)
        self.generator = np.random.default_rng(seed)
        self.seat = np.arange(GAMES) % 2
        legal = self.env.legal(np.arange(len(self.env.tabled.positions)))
        self.worth = np.where(legal, 0.0, -2.0)  # below every result, so never chosen
        self.number = {agent.game.text(p): i for i, p in enumerate(self.env.tabled.positions)}
        self.last = np.full((2, GAMES), -1)  # its last position and action in each game
        self.played = 0

    def step(self) -> None:
        """Make a move in each game: the learner's or a random one; learn from what comes of it."""
        env, mine = self.env, self.env.plies % 2 == self.seat
        best = self.worth[env.codes].argmax(1)
        explore = self.generator.random(GAMES) < EXPLORE
        actions = np.where(mine & ~explore, best, env.sample())
        self.last = np.where(mine, [env.codes, actions], self.last)
        after = env.step(actions)
        self.played += int(after.done.sum())
        result = np.where(mine, after.rewards, -after.rewards)
        target = np.where(after.done, result, self.worth[after.codes].max(1))
        learn = (after.done | ~mine) & (self.last[0] >= 0)
        place = tuple(self.last[:, learn])
        self.worth[place] += RATE * (target[learn] - self.worth[place])
        self.last[:, after.done] = -1

    def move(self, board: Sequence[Sequence[str | None]], side: str) -> int:
        """Return the cell that the learner takes, from 0, as `grade` asks for it."""
        text = "".join(mark or "." for row in board for mark in row)
        return int(self.worth[self.number[text]].argmax())


def train(seed: int = 0) -> list[Point]:
    """Return how the learner did, each time that it was graded."""
    agent = TableAgent()
    learner = Learner(agent, seed)
    points = []
    for begin, end in zip((0, *STEPS), STEPS, strict=False):
        for _ in range(end - begin):
            learner.step()
        found = grade(
            lambda board, side: divmod(learner.move(board, side), 3),
            agent,
            deterministic=True,
            name="learner",
        )
        assert found.reachable is not None
        assert found.all is not None
        points.append((learner.played, found.reachable.mean_regret, found.all.mean_regret))
    return points


def curve(points: list[Point]) -> str:
    """Return a picture of both regrets against games played."""
    wide, high, top = 580, 260, max(max(point[1:]) for point in points)
    columns = [50 + number * (wide - 220) / (len(points) - 1) for number in range(len(points))]
    shown: list[tuple[float, float, str, str]] = [
        (16, 24, "start", "Mean regret of a Q-learner by games played")
    ]
    shown += [
        (x, high - 14, "middle", f"{games:,}")
        for x, (games, *_) in zip(columns, points, strict=True)
    ]
    lines = f'<path class="ink" d="M40 {high - 36}H{wide - 160}"/>'
    for which, name in ((1, "where it comes"), (2, "anywhere")):
        heights = [high - 40 - point[which] / top * (high - 90) for point in points]
        places = " ".join(f"{x:g},{y:.1f}" for x, y in zip(columns, heights, strict=True))
        lines += f'<polyline class="ink" fill="none" stroke-width="2" points="{places}"/>'
        shown.append((columns[-1] + 6, heights[-1], "start", f"{points[-1][which]:.2f} {name}"))
    texts = (
        f'<text class="text" x="{x:g}" y="{y:g}" font-size="12" text-anchor="{side}">{word}</text>'
        for x, y, side, word in shown
    )
    return picture(wide, high, lines + "".join(texts), "Mean regret falls as it trains")


def main() -> None:
    """Train, print a line for each grade, and draw the curve if a file is named."""
    print("games played  regret where it comes  regret anywhere")
    points = train()
    for games, reachable, everywhere in points:
        print(f"{games:12,}  {reachable:21.3f}  {everywhere:15.3f}")
    if sys.argv[1:]:
        save(sys.argv[1], curve(points).encode())


if __name__ == "__main__":
    main()
