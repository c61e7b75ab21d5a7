"""The game tree below a position, with minimax values passed up it.

Takes an agent and a position; returns the tree down to a depth. All values are for the side to move
at the root: where it is to move, the value of a position is the maximum over its branches, where
the opponent is to move, the minimum. Leaves have their values from the table. The chosen branch of
a position is the agent's best move.
"""

from __future__ import annotations

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
    def positions(self) -> int:
        """How many positions the tree below has, this one included."""
        return 1 + sum(branch.positions for branch in self.branches)

    @property
    def depth(self) -> int:
        """Plies from here to the deepest branch."""
        return max((1 + branch.depth for branch in self.branches), default=0)


def make_tree(agent: TableAgent, p: Any, seat: str, depth: int) -> Branch:
    """Return the tree below a position in which `seat` is to move.

    Raises ValueError for a depth at which the tree has more than MOST positions.
    """
    return _Grower(agent, seat, depth).grow(p, seat, (), None, True)


class _Grower:
    """Grows one tree, with values for `view`."""

    def __init__(self, agent: TableAgent, view: str, depth: int) -> None:
        self.agent, self.view, self.depth, self.positions = agent, view, depth, 0

    def grow(
        self, p: Any, seat: str, path: tuple[Any, ...], label: str | None, chosen: bool
    ) -> Branch:
        """Return the branch of a position; `path` has the positions and seats above it."""
        game, score = self.agent.game, self.agent.table.probe(p)
        self.positions += 1
        if self.positions > MOST:
            raise ValueError(
                f"a tree of {self.depth} plies has more than {MOST} positions here: draw fewer"
                " plies, or the tree of a later position"
            )
        end = "cut" if len(path) == self.depth else None
        if game.primitive(p) is not None:
            end = "over"
        elif (p, seat) in path:
            end = "repeats"
        moves = () if end == "over" else game.moves(p)
        branches: list[Branch] = []
        if end is None:
            best, above = self.agent.table.best(p), (*path, (p, seat))
            for m in moves:
                child = game.play(p, m), game.other(seat)
                branches.append(self.grow(*child, above, game.label(p, m), m == best))
        sign = 1 if seat == self.view else -1
        value = Outcome(sign * outcome(score))
        text = game.text(p, seat)
        ends = distance(score), chosen, end, len(moves)
        return Branch(label, text, seat, value, *ends, tuple(branches))
