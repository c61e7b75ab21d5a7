"""What a player is, and what can go wrong with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from solver.errors import InexactPlayerError, printable

if TYPE_CHECKING:
    import random

    from solver.rules.game import Game

Choose = Callable[[Any, str], Any]
Distribution = dict[Any, float]
FATAL = ("too slow", "ended")  # the faults after which a player is gone
ROUNDING = 1e-6  # how far from 1 probabilities may add up; networks give single precision


class PlayerFault(Exception):
    """A player gave no legal answer.

    `kind` is 'illegal move', 'exception', 'wrong type', 'too slow' or 'ended'; after the last two
    the player cannot be asked again.
    """

    def __init__(self, kind: str, detail: str) -> None:
        self.kind, self.detail = kind, printable(detail)
        super().__init__(f"{kind}: {self.detail}")

    @property
    def fatal(self) -> bool:
        """Whether the player is gone."""
        return self.kind in FATAL


class Player:
    """A name, and a choice for every position.

    `choose(position, seat)` returns a move, or a distribution: a dict of moves to probabilities.
    Unless `deterministic`, a single move is one drawn at random, of which the chances are unknown.
    `parts` are players that this one asks; they are closed with it.
    """

    def __init__(
        self,
        name: str,
        choose: Choose,
        deterministic: bool = True,
        parts: tuple[Player, ...] = (),
    ) -> None:
        self.name = printable(name)
        self.parts = parts
        self.choose = choose
        self.deterministic = deterministic
        self._known: dict[tuple[Any, str], Distribution | PlayerFault] = {}

    def answer(self, game: Game[Any, Any], p: Any, seat: str) -> Any:
        """Return a legal move or a distribution over legal moves; raises PlayerFault."""
        return self._checked(game, p, self.choose(p, seat))

    def answers(self, game: Game[Any, Any], p: Any, seat: str, times: int) -> list[Any]:
        """Return what `times` calls of `answer` do."""
        return [self.answer(game, p, seat) for _ in range(times)]

    def _checked(self, game: Game[Any, Any], p: Any, answer: Any) -> Any:
        """Return an answer if it is a legal one."""
        legal = game.moves(p)
        if not isinstance(answer, dict):
            if answer not in legal:
                raise PlayerFault("illegal move", f"{answer!r} is none of {list(legal)}")
            return answer
        total = 0.0
        for move, share in answer.items():
            if not isinstance(share, int | float) or not 0 <= share <= 1 + ROUNDING:
                raise PlayerFault("wrong type", f"{share!r} is no probability from 0 to 1")
            if share and move not in legal:
                raise PlayerFault("illegal move", f"{move!r} is none of {list(legal)}")
            total += share
        if abs(total - 1) > ROUNDING:
            raise PlayerFault("wrong type", f"the probabilities add up to {total}, not to 1")
        return {move: share / total for move, share in answer.items() if share}

    def distribution(self, game: Game[Any, Any], p: Any, seat: str) -> Distribution:
        """Return the probabilities of the moves, asking once for each position.

        Raises PlayerFault, and InexactPlayerError if the player does not tell its chances.
        """
        key = p, seat
        if key not in self._known:
            try:
                answer = self.answer(game, p, seat)
            except PlayerFault as fault:
                if not (self.deterministic or fault.fatal):
                    raise self._inexact() from fault  # another time it may answer
                self._known[key] = fault
            else:
                self._known[key] = answer if isinstance(answer, dict) else self._certain(answer)
        known = self._known[key]
        if isinstance(known, PlayerFault):
            raise known
        return known

    def _certain(self, move: Any) -> Distribution:
        if not self.deterministic:
            raise self._inexact()
        return {move: 1.0}

    def _inexact(self) -> InexactPlayerError:
        return InexactPlayerError(
            f"{self.name} may move by chance: let it return a dict of moves to probabilities,"
            " or declare it deterministic, for an exact result"
        )

    def sample(self, game: Game[Any, Any], p: Any, seat: str, generator: random.Random) -> Any:
        """Return a legal move, drawn at random where the player leaves it to chance."""
        if self.deterministic or (p, seat) in self._known:
            return pick(self.distribution(game, p, seat), generator)
        return pick(self.answer(game, p, seat), generator)

    def close(self) -> None:
        """Let go of what the player holds."""
        for part in self.parts:
            part.close()


def uniform(moves: list[Any]) -> Distribution:
    """Return the same probability for each move."""
    return dict.fromkeys(moves, 1 / len(moves))


def pick(choice: Any, generator: random.Random) -> Any:
    """Return the move that a player chose, drawn at random if it gave a distribution."""
    if not isinstance(choice, dict):
        return choice
    return generator.choices(list(choice), list(choice.values()))[0]
