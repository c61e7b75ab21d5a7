"""What random games show that the author of rules may have meant otherwise.

The rules may obey every law and still be other rules than meant: those in which a side moves again
though the library takes turns, and those whose outcome is that of one seat and not of the side to
move. Either is asked about, and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from solver.clock import thread_time
from solver.rules.game import Game, walk
from solver.rules.plain import like
from solver.value import Outcome

WALKED = 1000  # plies of random games
PATIENCE = 3.0  # seconds of CPU time that they take
FEWEST = 10  # decided ends that show who wins

Path = tuple[int, ...]  # where a part is: p[i][j] has the path (i, j)
End = tuple[int, Any, Outcome]  # the side to move, the position and the outcome for that side


def random_games(game: Game[Any, Any]) -> list[list[Any]]:
    """Return the positions of random games, game by game; the last may not be over."""
    games, start, until = list[list[Any]](), game.initial(), thread_time() + PATIENCE
    for p in walk(game, WALKED):
        if p == start:
            games.append([])
        games[-1].append(p)
        if thread_time() > until:
            break
    return games


def ends_in_words(game: Game[Any, Any], games: list[list[Any]]) -> str | None:
    """Return how the random games that are over ended for the side to move; None if none is."""
    ends = Counter(game.primitive(one[-1]) for one in games)
    lost, won, drawn = (ends[o] for o in (Outcome.LOSS, Outcome.WIN, Outcome.DRAW))
    over = lost + won + drawn
    if not over:
        return None
    is_over = "random game is" if over == 1 else "random games are"
    return (
        f"when {over:,} {is_over} over, the side to move has lost {lost:,}, won {won:,}"
        f" and drawn {drawn:,}"
    )


def doubts(game: Game[Any, Any], games: list[list[Any]] | None = None) -> Iterator[str]:
    """Yield the questions that random games raise, in a line each."""
    games = random_games(game) if games is None else games
    last = [(one, game.primitive(one[-1])) for one in games]
    ends = [((len(one) - 1) % 2, one[-1], over) for one, over in last if over is not None]
    flags = [flag for flag in _flags(games) if len(flag.changes) > 2]
    negating = [flag for flag in flags if ends and _negates(game, flag, ends)]
    sides = [flag for flag in negating if not _leads(flag, ends)]
    sides += [flag for flag in flags if _moves_differ(flag, games)]
    if type(game).turn is Game.turn and sides:
        yield (
            f"{sides[0].place} seems to say whose turn it is, and a side moves again: write"
            f" {_turn(game, sides[0])}, and a forced pass of the other side in between"
        )
    won, lost = (sum(over == o for *_, over in ends) for o in (Outcome.WIN, Outcome.LOSS))
    winners = {side if over > 0 else 1 - side for side, _, over in ends if over}
    if won and lost and won + lost >= FEWEST and len(winners) == 1 and not negating:
        yield (
            f"after a move, the side to move has won at {won:,} of {len(ends):,} ends and lost at"
            f" {lost:,}: is the outcome that of the side to move?"
        )


def undefined_turn(game: Game[Any, Any], games: list[list[Any]]) -> Iterator[str]:
    """Yield which part of a position says whose turn it is, if the game does not define `turn`."""
    sides = [flag for flag in _flags(games) if len(flag.changes) == 2]
    if type(game).turn is Game.turn and sides:
        place, line = sides[0].place, _turn(game, sides[0])
        yield f"{place} says whose turn it is, but the game does not define turn: {line}"


class Flag(NamedTuple):
    """A part of the position that has one of two values, and changes from either to the other."""

    path: Path
    values: tuple[Any, Any]
    """That at the start first."""
    changes: set[tuple[Any, Any]]
    """Its values before and after each move."""

    @property
    def place(self) -> str:
        """The part as it is written in rules."""
        return "p" + "".join(f"[{i}]" for i in self.path)


def _flags(games: list[list[Any]]) -> list[Flag]:
    """Return the parts with two values, each of which becomes the other by some moves."""
    rows = [[parts(p) for p in one] for one in games]
    everywhere = set.intersection(*({*row} for one in rows for row in one))
    flags = []
    for path in sorted(everywhere):
        changes = {(a[path], b[path]) for one in rows for a, b in pairwise(one)}
        first = rows[0][0][path]
        values = [first, *({value for pair in changes for value in pair} - {first})]
        if len(values) == 2 and {(first, values[1]), (values[1], first)} <= changes:
            flags.append(Flag(path, (first, values[1]), changes))
    return flags


def _turn(game: Game[Any, Any], flag: Flag) -> str:
    """Return the method that says whose turn it is, and which seat it names at which value."""
    first, second = flag.values
    one, other = game.seats
    return (
        f"def turn(self, p): return self.seats[{flag.place} == {second!r}] ({one}, the side that"
        f" moves first, at {first!r}, and {other} at {second!r})"
    )


def _negates(game: Game[Any, Any], flag: Flag, ends: list[End]) -> bool:
    """Return whether exchanging the values of a part negates the outcome at all ends."""
    for _, p, over in ends:
        other = flag.values[parts(p)[flag.path] == flag.values[0]]
        try:
            if game.primitive(replaced(p, flag.path, other)) != -over:
                return False
        except Exception:  # the rules know no such position
            return False
    return True


def _leads(flag: Flag, ends: list[End]) -> bool:
    """Return whether a part alone decides, as one that says who is ahead, at ends with either."""
    found = [(parts(p)[flag.path] == flag.values[0], over) for _, p, over in ends if over]
    winning = {value == (over > 0) for value, over in found}
    return len(winning) == 1 and len({value for value, _ in found}) == 2


def _moves_differ(flag: Flag, games: list[list[Any]]) -> bool:
    """Return whether moves at one value of a part change other parts than those at the other."""
    changed: dict[Any, set[Path]] = {value: set() for value in flag.values}
    for a, b in (map(parts, pair) for one in games for pair in pairwise(one)):
        others = a.keys() & b.keys() - {flag.path}
        changed[a[flag.path]].update(at for at in others if a[at] != b[at])
    one, other = changed.values()
    return bool(one and other) and not one & other


def parts(p: Any) -> dict[Path, Hashable]:
    """Return the numbers and characters of a position by their paths."""
    if not isinstance(p, tuple) and not (isinstance(p, str) and len(p) > 1):
        return {(): p}
    return {(i, *path): value for i, part in enumerate(p) for path, value in parts(part).items()}


def replaced(p: Any, path: Path, value: Any) -> Any:
    """Return a position with another value of a part."""
    if not path:
        return value
    first, *rest = path
    items = [*p]
    items[first] = replaced(items[first], tuple(rest), value)
    return "".join(items) if isinstance(p, str) else like(p, tuple(items))
