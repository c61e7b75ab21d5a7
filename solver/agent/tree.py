"""The game tree below a position, with minimax values passed up it.

Takes an agent and a position; returns the tree down to a depth. All values are for the side to move
at the root: where it is to move, the value of a position is the maximum over its branches, where
the opponent is to move, the minimum. Leaves have their values from the table.
"""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.value import Outcome, distance, outcome

MOST = 400  # positions of a tree
ENDED = {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}


class Branch(NamedTuple):
    """A position in a tree, and the move that leads to it."""

    label: str | None
    """The move as people write it; None for the root."""
    position: str
    turn: str
    """The seat to move, or whose turn it would be if the game were not over."""
    outcome: Outcome
    distance: int | None
    """Plies to the end of the game; None for a draw."""
    chosen: bool
    """Whether the move is the agent's best in the parent position; True for the root."""
    end: str | None
    """Why there are no branches: 'over', 'cut' (at the depth) or 'repeats' (a position above)."""
    moves: int
    """How many legal moves the position has."""
    branches: tuple[Branch, ...]

    @property
    def value(self) -> str:
        """The value in words: 'draw', 'win in 3', 'lost' and so on."""
        if self.end == "over":
            return ENDED[self.outcome]
        return "draw" if self.distance is None else f"{self.outcome} in {self.distance}"

    @property
    def every(self) -> list[Branch]:
        """This position and all below it."""
        return [self, *(below for branch in self.branches for below in branch.every)]

    @property
    def depth(self) -> int:
        """Plies from here to the deepest branch."""
        return max((1 + branch.depth for branch in self.branches), default=0)


def make_tree(agent: TableAgent, p: Any, seat: str, depth: int) -> Branch:
    """Return the tree below a position in which `seat` is to move.

    Raises ValueError for a depth at which the tree has more than MOST positions.
    """
    game, numbers = agent.game, count(1)

    def grow(p: Any, turn: str, path: tuple[Any, ...], label: str | None, chosen: bool) -> Branch:
        """Return the branch of a position; `path` has the positions and seats above it."""
        if next(numbers) > MOST:
            raise ValueError(
                f"a tree of {depth} plies has more than {MOST} positions here: draw fewer plies,"
                " or the tree of a later position"
            )
        score, over = agent.table.probe(p), game.primitive(p) is not None
        moves = () if over else game.moves(p)
        end = "over" if over else "repeats" if (p, turn) in path else None
        end = end or ("cut" if len(path) == depth else None)
        best, above = None if end else agent.table.best(p), (*path, (p, turn))
        branches = [
            grow(game.play(p, m), game.other(turn), above, game.label(p, m), m == best)
            for m in (() if end else moves)
        ]
        value, plies = Outcome(outcome(score) * (1 if turn == seat else -1)), distance(score)
        text = game.text(p, turn)
        return Branch(label, text, turn, value, plies, chosen, end, len(moves), tuple(branches))

    return grow(p, seat, (), None, True)
