"""The moves of a strategy, looked up in place of a table.

Takes a Strategy and the rules of its game. Nothing is known of positions outside the strategy, nor
of the values of moves, and what a file claims is believed, as with a table.
"""

from __future__ import annotations

from typing import Any

from solver.errors import StrategyError, UnknownPositionError
from solver.rules.game import IDENTITY, Game
from solver.strategy.file import Strategy


class StrategyMoves:
    """What an agent asks of a table, as far as a strategy has it: the move of its side."""

    def __init__(self, strategy: Strategy, game: Game[Any, Any], file: str) -> None:
        """Raise StrategyError if the strategy, of this file, is for another game."""
        strategy.require(game)
        self.strategy, self.game, self.file = strategy, game, file
        self.seat: str = game.seats[strategy.side == "second"]
        """The seat that the strategy is for."""
        self._symmetries = [IDENTITY, *(game.symmetries if strategy.symmetric else ())]

    def best(self, p: Any) -> Any | None:
        """Return the move of a position with the strategy's side to move; None if it is over.

        Raises UnknownPositionError for a position outside the strategy.
        """
        game, strategy, number = self.game, self.strategy, self.number_of(p, self.seat)
        node = strategy[number]
        if node.end:
            return None
        to = {m: game.play(p, m) for m in game.moves(p)}
        seat = game.other(self.seat)
        after = strategy[node.next[0]].position
        good = [m for m, child in to.items() if after in self._images(child, seat)]
        labelled = [m for m in good if game.label(p, m) == node.move]
        if not good:
            at = f"{self.file}: line {strategy.line(number)}"
            raise StrategyError(f"{at}: no legal move leads to node {node.next[0]}")
        return labelled[0] if game.text(p, self.seat) == node.position and labelled else good[0]

    def probe(self, p: Any) -> Any:
        """Raise ValueError: there are no values."""
        raise ValueError("a strategy has moves of one side, but no values: use a table")

    moves = move_scores = probe

    def _images(self, p: Any, seat: str) -> dict[str, None]:
        return dict.fromkeys(self.game.text(s.position(p), seat) for s in self._symmetries)

    def number_of(self, p: Any, seat: str) -> int:
        """Return the number of the node to which a position with this seat to move belongs.

        Raises UnknownPositionError.
        """
        found = (self.strategy.find(text, seat == self.seat) for text in self._images(p, seat))
        number = next(filter(None, found), 0)
        if not number:
            text = self.game.text(p, seat)
            raise UnknownPositionError(f"{text!r:.80}, {seat} to move, is not in this strategy")
        return number

    def about(self, p: Any, seat: str) -> dict[str, Any]:
        """Return a position and what the strategy claims, as JSON."""
        position = {"game": self.game.spec, "position": self.game.text(p, seat), "turn": seat}
        return position | {"side": self.strategy.side, "claim": self.strategy.aim}

    def answer(self, p: Any, seat: str) -> Any:
        """Return the move in a position of the strategy's side, as JSON; none if it is over.

        Raises UnknownPositionError, also if it is the other side's turn.
        """
        if seat != self.seat:
            self.number_of(p, seat)
            raise UnknownPositionError(f"it is {seat}'s turn, and the strategy is for {self.seat}")
        move, label = self.best(p), None
        if move is not None:
            move, label = self.game.code(move), self.game.label(p, move)
        return {**self.about(p, seat), "move": move, "label": label}
