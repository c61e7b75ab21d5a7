"""The game tree below a position, with minimax values passed up it.

Takes an agent and a position; returns the tree's branches down to a depth, as data or as indented
text. All values are seen from one side: where it is to move, a position is worth the most of its
branches (max), where the other side is to move, the least (min). What is not followed has its value
from the table. The chosen branch of a position is the agent's best move there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from solver.value import Outcome, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from solver.agent.agent import TableAgent
    from solver.rules.game import Game

FEW = 60  # positions of a tree whose depth is not given
MOST_DRAWN = 400  # positions of a picture
MOST_TOLD = 20_000  # positions of a text
ENDED = {Outcome.WIN: "won", Outcome.DRAW: "drawn", Outcome.LOSS: "lost"}


class Branch(NamedTuple):
    """A position of a tree, and the move that leads there."""

    move: int | str | None
    """The move as tables write it; None at the root."""
    label: str | None
    """The move as people write it; None at the root."""
    position: str
    turn: str
    """The seat to move, or whose turn it would be if the game were not over."""
    layer: str
    """'max' if the values are seen from this seat, else 'min'."""
    outcome: Outcome
    distance: int | None
    """Plies to the end of the game; None for a draw."""
    chosen: bool
    """Whether the move is the agent's best in the position above; True at the root."""
    end: str | None
    """Why nothing follows: 'over', 'cut' at the depth, 'repeats' a position above; or None."""
    moves: int
    """How many legal moves there are, followed or not."""
    branches: tuple[Branch, ...]

    @property
    def value(self) -> str:
        """What the position is worth: 'draw', 'win in 3', 'lost' and so on."""
        if self.end == "over":
            return ENDED[self.outcome]
        return "draw" if self.distance is None else f"{self.outcome} in {self.distance}"


class Tree(NamedTuple):
    """A position, the game tree below it, and the side from which its values are seen."""

    view: str
    other: str
    depth: int
    """Plies from the root to the branch that is furthest below it."""
    positions: int
    root: Branch


def make_tree(
    agent: TableAgent, p: Any, seat: str, view: str, depth: int | None, most: int
) -> Tree:
    """Return the tree below a position in which `seat` is to move, its values as `view` sees them.

    Without a depth it goes as deep as FEW positions allow. Raises ValueError for a side that the
    game has not, and for a depth at which the tree has more than `most` positions.
    """
    game = agent.game
    if view not in game.seats:
        sides = " or ".join(game.seats)
        raise ValueError(f"there is no side {view!r} in {game.spec}; it must be {sides}")
    wanted = depth
    depth, positions = deepest(game, p, seat, wanted, FEW if wanted is None else most)
    if wanted is None and depth == 0:
        depth, positions = deepest(game, p, seat, 1, most)
    if wanted is not None and depth < wanted:
        raise ValueError(
            f"the tree below {game.text(p, seat)} to depth {wanted} has more than {most:,}"
            f" positions; --depth {depth} is the deepest that fits, with {positions:,}"
        )
    root = _Grower(agent, view, depth).grow(p, seat, ())
    return Tree(view, game.other(view), _height(root), positions, root)


def deepest(
    game: Game[Any, Any], p: Any, seat: str, depth: int | None, most: int
) -> tuple[int, int]:
    """Return the largest depth, up to the one given, at which a tree has at most `most` positions.

    And how many it has there. A tree that ends earlier counts as one of any depth.
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


class _Grower:
    """Makes the branches of one tree."""

    def __init__(self, agent: TableAgent, view: str, depth: int) -> None:
        self.agent, self.game, self.view, self.depth = agent, agent.game, view, depth

    def grow(self, p: Any, seat: str, path: tuple[Any, ...], **arrival: Any) -> Branch:
        """Return the branch of a position; `path` is what lies above it, positions and seats."""
        game = self.game
        held = self.agent.table.probe(p)
        end = self._end(p, seat, path)
        moves = () if end == "over" else game.moves(p)
        followed = tuple(self._follow(p, seat, path, moves)) if end is None else ()
        return Branch(
            move=arrival.get("move"),
            label=arrival.get("label"),
            position=game.text(p, seat),
            turn=seat,
            layer="max" if seat == self.view else "min",
            outcome=Outcome(outcome(held) if seat == self.view else -outcome(held)),
            distance=distance(held),
            chosen=arrival.get("chosen", True),
            end=end,
            moves=len(moves),
            branches=followed,
        )

    def _end(self, p: Any, seat: str, path: tuple[Any, ...]) -> str | None:
        if self.game.primitive(p) is not None:
            return "over"
        if (p, seat) in path:
            return "repeats"
        return "cut" if len(path) == self.depth else None

    def _follow(
        self, p: Any, seat: str, path: tuple[Any, ...], moves: Sequence[Any]
    ) -> Iterator[Branch]:
        """Yield the branch of each move, in the order of the rules."""
        game = self.game
        best = self.agent.table.best(p)
        for m in moves:
            yield self.grow(
                game.play(p, m),
                game.other(seat),
                (*path, (p, seat)),
                move=game.code(m),
                label=game.label(p, m),
                chosen=m == best,
            )


def tell(tree: Tree) -> str:
    """Return a tree as indented text, a line for each position."""
    return "\n".join([legend(tree), "", *_lines(tree.root, "")]) + "\n"


def legend(tree: Tree) -> str:
    """Return one sentence about whose the values are."""
    return (
        f"Values are {tree.view}'s: {tree.view} takes the largest (max), {tree.other} the smallest"
        " (min); > marks the chosen move."
    )


def remark(branch: Branch) -> str | None:
    """Return why nothing follows a branch though its game is not over, or None."""
    if branch.end == "repeats":
        return "repeats"
    if branch.end == "cut":
        return f"{branch.moves} move{'s' * (branch.moves != 1)} not shown"
    return None


def _lines(branch: Branch, indent: str) -> Iterator[str]:
    """Yield the lines of a branch: move, position, layer, value and why nothing follows."""
    arrival = "" if branch.label is None else f"{'>' if branch.chosen else ' '} {branch.label}  "
    layer = "" if branch.end == "over" else f"  {branch.turn} {branch.layer}"
    why = remark(branch)
    yield f"{indent}{arrival}{branch.position}{layer}  {branch.value}" + (
        f" ({why})" if why else ""
    )
    for part in branch.branches:
        yield from _lines(part, indent + "    " * (branch.label is not None))


def as_data(branch: Branch) -> dict[str, Any]:
    """Return a branch and what is below it as JSON has it."""
    data = branch._asdict()
    data["outcome"] = str(branch.outcome)
    data["branches"] = [as_data(part) for part in branch.branches]
    return data
