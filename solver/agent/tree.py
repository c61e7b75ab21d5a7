"""The game tree below a position, with minimax values passed up it.

Takes an agent and a position; returns the tree down to a depth, as data or as indented text. All
values are for one side: where it is to move, the value of a position is the maximum over its
branches, where the opponent is to move, the minimum. Leaves have their values from the table. The
chosen branch of a position is the agent's best move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.rules.game import Game
from solver.value import Outcome, distance, outcome

FEW = 60  # positions of a tree of default depth, at most
MOST_DRAWN = 400  # positions of a picture
MOST_PRINTED = 20_000  # positions of a text
ENDED = {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}


class Branch(NamedTuple):
    """A position in a tree, and the move that leads to it."""

    move: int | str | None
    """The move as tables write it; None for the root."""
    label: str | None
    """The move as people write it; None for the root."""
    position: str
    turn: str
    """The seat to move, or whose turn it would be if the game were not over."""
    layer: str
    """'max' if the tree's values are for this seat, else 'min'."""
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


class Tree(NamedTuple):
    """A position, the game tree below it, and the side its values are for."""

    view: str
    other: str
    depth: int
    """Plies from the root to the deepest branch."""
    positions: int
    root: Branch


def make_tree(
    agent: TableAgent, p: Any, seat: str, view: str, depth: int | None, most: int
) -> Tree:
    """Return the tree below a position in which `seat` is to move, with values for `view`.

    The default depth is the largest with at most FEW positions. Raises ValueError for an unknown
    side, and for a depth at which the tree has more than `most` positions.
    """
    game = agent.game
    if view not in game.seats:
        sides = " or ".join(game.seats)
        raise ValueError(f"{game.spec} has no side {view!r}; it must be {sides}")
    reached, positions = deepest(game, p, seat, depth, FEW if depth is None else most)
    if depth is None and reached == 0:
        reached, positions = deepest(game, p, seat, 1, most)
    if depth is not None and reached < depth:
        raise ValueError(
            f"the tree below {game.text(p, seat)} to depth {depth} has more than {most:,}"
            f" positions; --depth {reached} is the deepest that fits, with {positions:,}"
        )
    root = _grow(agent, view, reached, p, seat, ())
    return Tree(view, game.other(view), _height(root), positions, root)


def deepest(
    game: Game[Any, Any], p: Any, seat: str, depth: int | None, most: int
) -> tuple[int, int]:
    """Return the largest depth at which the tree has at most `most` positions, and their number.

    The depth is `depth` at most, and also if all games end before it.
    """
    reached, positions, ply = 0, 1, [(p, seat, ())]
    while ply and (depth is None or reached < depth):
        fresh: list[tuple[Any, str, tuple[Any, ...]]] = []
        for q, turn, path in ply:
            if game.primitive(q) is not None or (q, turn) in path:
                continue
            below = (*path, (q, turn))
            fresh += [(game.play(q, m), game.other(turn), below) for m in game.moves(q)]
            if positions + len(fresh) > most:
                return reached, positions
        if not fresh:
            return (reached if depth is None else depth), positions
        reached, positions, ply = reached + 1, positions + len(fresh), fresh
    return reached, positions


def _height(branch: Branch) -> int:
    return max((1 + _height(part) for part in branch.branches), default=0)


def _grow(
    agent: TableAgent,
    view: str,
    depth: int,
    p: Any,
    seat: str,
    path: tuple[Any, ...],
    **arrival: Any,
) -> Branch:
    """Return the branch of a position; `path` has the positions and seats above it.

    `arrival` has the fields of the branch about the move that leads to it.
    """
    game, score = agent.game, agent.table.probe(p)
    end = "cut" if len(path) == depth else None
    if game.primitive(p) is not None:
        end = "over"
    elif (p, seat) in path:
        end = "repeats"
    moves = () if end == "over" else game.moves(p)
    branches: list[Branch] = []
    if end is None:
        best, above = agent.table.best(p), (*path, (p, seat))
        for m in moves:
            move = {"move": game.code(m), "label": game.label(p, m), "chosen": m == best}
            child = game.play(p, m), game.other(seat)
            branches.append(_grow(agent, view, depth, *child, above, **move))
    return Branch(
        position=game.text(p, seat),
        turn=seat,
        layer="max" if seat == view else "min",
        outcome=Outcome(outcome(score) if seat == view else -outcome(score)),
        distance=distance(score),
        end=end,
        moves=len(moves),
        branches=tuple(branches),
        **{"move": None, "label": None, "chosen": True} | arrival,
    )


def as_text(tree: Tree) -> str:
    """Return a tree as indented text, one line per position."""
    about = f"{legend(tree)} Distances count plies."
    return "\n".join([about, "", *_lines(tree.root, "")]) + "\n"


def legend(tree: Tree) -> str:
    """Return one sentence about the side that the values are for."""
    return (
        f"Values are {tree.view}'s: {tree.view} takes the largest (max), {tree.other} the smallest"
        " (min); > marks the chosen move."
    )


def remark(branch: Branch) -> str | None:
    """Return why a branch has no branches though its game is not over, or None."""
    if branch.end == "repeats":
        return "repeats"
    if branch.end == "cut":
        return f"{branch.moves} move{'s' * (branch.moves != 1)} not shown"
    return None


def _lines(branch: Branch, indent: str) -> Iterator[str]:
    """Yield the lines of a branch: move, position, layer, value and why it ends."""
    arrival = "" if branch.label is None else f"{'>' if branch.chosen else ' '} {branch.label}  "
    layer = "" if branch.end == "over" else f"  {branch.turn} {branch.layer}"
    why = remark(branch)
    yield f"{indent}{arrival}{branch.position}{layer}  {branch.value}" + (
        f" ({why})" if why else ""
    )
    for part in branch.branches:
        yield from _lines(part, indent + "    " * (branch.label is not None))


def as_data(branch: Branch) -> dict[str, Any]:
    """Return a branch and those below it as a JSON object."""
    data = branch._asdict()
    data["outcome"] = str(branch.outcome)
    data["branches"] = [as_data(part) for part in branch.branches]
    return data
