"""The answers of a player under audit, with the faults it makes.

Takes a player; returns its distribution for each position that it is asked about.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from solver.arena.match import Fault
from solver.errors import InexactPlayerError
from solver.players.player import Distribution, Player, PlayerFault, pick

if TYPE_CHECKING:
    from solver.rules.game import Game

Turn = tuple[Any, str]  # a position and the seat to move
Progress = Callable[[int, int], None]


class Answers:
    """A player's answers; it is asked once about each position.

    A player with unknown probabilities is asked `repeats` times, and its probabilities are
    estimated. `progress` is called with how many positions it has been asked about, and `total`.
    """

    def __init__(
        self, game: Game[Any, Any], player: Player, repeats: int, seed: int, progress: Progress
    ) -> None:
        if repeats < 1:
            raise ValueError(f"a player cannot be asked {repeats} times about a position")
        self.game, self.player, self.repeats, self.progress = game, player, repeats, progress
        self.total = 0
        self.method = "exact"
        self.faults: list[Fault] = []
        self._generator = random.Random(seed)
        self._known: dict[Turn, Distribution | None] = {}

    def ask(self, p: Any, seat: str) -> Distribution | None:
        """Return the player's distribution, or None where it gives no legal answer.

        Raises PlayerFault if the player cannot be asked again.
        """
        key = p, seat
        if key not in self._known:
            try:
                self._known[key] = self._distribution(p, seat)
            except PlayerFault as fault:
                text = self.game.text(p, seat)
                self.faults.append(Fault(self.player.name, text, fault.kind, fault.detail))
                if fault.fatal:
                    raise
                self._known[key] = None
            self.progress(len(self._known), self.total)
        return self._known[key]

    def replayed(self) -> Player:
        """Return a player that gives the same answers again."""

        def choose(p: Any, seat: str) -> Distribution:
            answer = self.ask(p, seat)
            if answer is None:
                raise PlayerFault("illegal move", "no legal answer")
            return answer

        return Player(self.player.name, choose)

    def _distribution(self, p: Any, seat: str) -> Distribution:
        try:
            return self.player.distribution(self.game, p, seat)
        except InexactPlayerError:
            self.method = "sampled"
            answers = self.player.answers(self.game, p, seat, self.repeats)
            moves = [pick(answer, self._generator) for answer in answers]
            return {m: moves.count(m) / len(moves) for m in dict.fromkeys(moves)}
