"""The check of a strategy by the rules: with that of its graph, it proves the claim.

Takes a Strategy and the rules of its game. It uses `initial`, `moves`, `play` and `primitive`, and
`parse`, `text` and `label` to read the lines, but no table and no solver. Symmetries, if the file
has them, only say which positions a line stands for: the rules are asked at each of them, so a
wrong symmetry makes the check fail, never pass. `docs/reference/strategies.md` has the argument.
"""

from __future__ import annotations

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

Progress = Callable[[int, int], None]


def check_rules(
    strategy: Strategy, game: Game[Any, Any], progress: Progress = lambda done, total: None
) -> None:
    """Raise StrategyError, which names the first wrong line, unless the rules agree with each."""
    strategy.require(game)
    check = _Check(strategy, game)
    for number, node in strategy.numbered():
        for image, p in enumerate(check.images[number - 1]):
            for wrong in check.wrongs(node, p, image == 0):
                raise StrategyError(f"line {strategy.line(number)}: {wrong}")
        progress(number, len(strategy))


class _Check:
    """Which node each position belongs to, for either side to move, and what the rules say."""

    def __init__(self, strategy: Strategy, game: Game[Any, Any]) -> None:
        self.strategy, self.game = strategy, game
        self._symmetries = [IDENTITY, *(game.symmetries if strategy.symmetric else ())]
        self._nodes: tuple[dict[Any, tuple[int, Any]], ...] = {}, {}
        self.images: list[list[Any]] = []
        """The positions that each line stands for, each once, that of its text first."""
        for number, node in strategy.numbered():
            known = self._nodes[node.kind in OWN]
            self.images.append([*self._images(number, node)])
            for p in self.images[-1]:
                if known.setdefault(p, (number, p))[0] != number:
                    other = strategy.line(known[p][0])
                    raise self._error(number, f"stands for a position of line {other}, too")
        start = game.initial()
        if self._node_of(start, strategy.side == "first") != 1:
            raise self._error(1, f"is not the starting position, {game.text(start)!r:.80}")

    def _images(self, number: int, node: Node) -> Iterable[Any]:
        seat = self.strategy.seat(self.game, node)
        try:
            p = self.game.parse(node.position, seat)
            text = self.game.text(p, seat)
        except Exception as error:
            raise self._error(number, f"has no position: {described(error)}") from error
        if text != node.position:
            raise self._error(number, f"has {quoted(node.position)}, which is written {text!r:.80}")
        return dict.fromkeys(s.position(p) for s in self._symmetries)

    def wrongs(self, node: Node, p: Any, is_own_text: bool) -> Iterator[str]:
        """Yield what is wrong with a line at one of its positions."""
        game, own = self.game, node.kind in OWN
        over = primitive_outcome(game, p)
        end = "" if over is None else ENDS[over if own else -over]
        if end != node.end:
            yield f"the rules say {end or 'that the game goes on'} {self._at(p)}"
        moves = () if end else legal_moves(game, p)
        to = {m: self._node_of(game.play(p, m), not own) for m in moves}
        for m, n in to.items():
            if not own and n not in node.next:
                yield f"the move {game.label(p, m)} {self._at(p)} leads to node {n or 'none'}"
        if not own and {*to.values()} != {*node.next}:
            yield f"no move leads to a next node {self._at(p)}"
        if own and not end:
            chosen = [m for m, n in to.items() if n == node.next[0]]
            if is_own_text:
                chosen = [m for m in chosen if game.label(p, m) == node.move]
            if not chosen:
                yield f"no such move leads to node {node.next[0]} {self._at(p)}"
            elif node.kind == "f" and not is_forced(game, p, chosen[0]):
                yield f"the move is not forced {self._at(p)}"

    def _node_of(self, p: Any, own: bool) -> int:
        """Return the number of the node that a position belongs to, or 0."""
        check_hashable(self.game, p, "a position", p)
        number, same = self._nodes[own].get(p, (0, p))
        check_same(p, same)
        return number

    def _at(self, p: Any) -> str:
        return f"at {self.game.text(p)!r:.80}"

    def _error(self, number: int, reason: str) -> StrategyError:
        return StrategyError(f"line {self.strategy.line(number)} {reason}")


def is_forced(game: Game[Any, Any], p: Any, m: Any) -> bool:
    """Return whether a move wins at once, or none does and all others let the other side do so."""
    if winning := wins(game, p):
        return m in winning
    return all(bool(wins(game, game.play(p, n))) == (n != m) for n in game.moves(p))
