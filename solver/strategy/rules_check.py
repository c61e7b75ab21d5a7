"""The check of a strategy by the rules: with that of its graph, it proves the claim.

Takes a Strategy and the rules of its game. It uses `initial`, `moves`, `play` and `primitive`, and
`parse`, `text` and `label` to read the lines, but no table and no solver. Symmetries, if the file
has them, only say which positions a line stands for: the rules are asked at each of them, so a
wrong symmetry makes the check fail, never pass. `docs/reference/strategies.md` has the argument.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from solver.errors import StrategyError, described, quoted
from solver.rules.game import IDENTITY, Game, legal_moves, primitive_outcome
from solver.rules.kinds import check_same
from solver.rules.plain import check_hashable
from solver.rules.threats import wins
from solver.strategy.file import OWN, Node, Strategy
from solver.value import Outcome

ENDS = {Outcome.WIN: "=won", Outcome.DRAW: "=drawn", Outcome.LOSS: "=lost"}

REPORTED = 1000  # lines between two reports of progress
Progress = Callable[[int, int], None]


def check_rules(
    strategy: Strategy, game: Game[Any, Any], progress: Progress = lambda done, total: None
) -> None:
    """Raise StrategyError, which names the first wrong line, unless the rules agree with each."""
    strategy.require(game)
    check = _Check(strategy, game)
    for number, node in strategy.numbered():
        for index in range(*check.stops[number - 1 : number + 1]):
            p, is_own_text = check.positions[index], index == check.stops[number - 1]
            for wrong in check.wrongs(node, p, is_own_text):
                raise StrategyError(f"line {strategy.line(number)}: {wrong}")
        if number % REPORTED == 0 or number == len(strategy):
            progress(number, len(strategy))


class _Check:
    """Which node each position belongs to, for either side to move, and what the rules say."""

    def __init__(self, strategy: Strategy, game: Game[Any, Any]) -> None:
        self.strategy, self.game = strategy, game
        self._symmetries = [IDENTITY, *(game.symmetries if strategy.symmetric else ())]
        self._indices: tuple[dict[Any, int], ...] = {}, {}
        self.positions, self._numbers, self.stops = list[Any](), array("l"), array("l", [0])
        """The positions that lines stand for, line by line, each once, that of its text first; the
        number of the node of each; and where those of the first lines end."""
        for number in range(1, len(strategy) + 1):
            known = self._indices[strategy.is_own(number)]
            for p in self._images(number):
                if known.setdefault(p, len(self.positions)) != len(self.positions):
                    other = strategy.line(self._numbers[known[p]])
                    raise self._error(number, f"stands for a position of line {other}, too")
                self.positions.append(p)
                self._numbers.append(number)
            self.stops.append(len(self.positions))
        start = game.initial()
        if self._node_of(start, strategy.side == "first") != 1:
            raise self._error(1, f"is not the starting position, {game.text(start)!r:.80}")

    def _images(self, number: int) -> Iterable[Any]:
        written, seat = self.strategy.text(number), self.strategy.seat(self.game, number)
        try:
            p = self.game.parse(written, seat)
            text = self.game.text(p, seat)
        except Exception as error:
            raise self._error(number, f"has no position: {described(error)}") from error
        if text != written:
            raise self._error(number, f"has {quoted(written)}, which is written {text!r:.80}")
        return dict.fromkeys(s.position(p) for s in self._symmetries)

    def wrongs(self, node: Node, p: Any, is_own_text: bool) -> Iterator[str]:
        """Yield what is wrong with a line at one of its positions."""
        game, own = self.game, node.kind in OWN
        over = primitive_outcome(game, p)
        end = "" if over is None else ENDS[over if own else -over]
        if end != node.end:
            yield f"the rules say {end or 'that the game goes on'} {self._at(p)}"
        if end or node.end:
            return
        moves = legal_moves(game, p)
        if not own:
            to = [self._node_of(game.play(p, m), True) for m in moves]
            for m, n in zip(moves, to, strict=True):
                if n not in node.next:
                    yield f"the move {game.label(p, m)} {self._at(p)} leads to node {n or 'none'}"
            if len({*to}) < len(node.next):
                yield f"no move leads to a next node {self._at(p)}"
            return
        for m in moves:
            is_named = not is_own_text or game.label(p, m) == node.move
            if is_named and self._node_of(game.play(p, m), False) == node.next[0]:
                if node.kind == "f" and not is_forced(game, p, m):
                    yield f"the move is not forced {self._at(p)}"
                return
        yield f"no such move leads to node {node.next[0]} {self._at(p)}"

    def _node_of(self, p: Any, own: bool) -> int:
        """Return the number of the node that a position belongs to, or 0."""
        try:
            index = self._indices[own].get(p, -1)
        except TypeError:
            check_hashable(self.game, p, "a position", p)
            raise
        if index < 0:
            return 0
        check_same(p, self.positions[index])
        return self._numbers[index]

    def _at(self, p: Any) -> str:
        return f"at {self.game.text(p)!r:.80}"

    def _error(self, number: int, reason: str) -> StrategyError:
        return StrategyError(f"line {self.strategy.line(number)} {reason}")


def is_forced(game: Game[Any, Any], p: Any, m: Any) -> bool:
    """Return whether a move wins at once, or none does and all others let the other side do so."""
    if winning := wins(game, p):
        return m in winning
    return all(bool(wins(game, game.play(p, n))) == (n != m) for n in game.moves(p))
