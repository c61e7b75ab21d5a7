"""What a player is, how one can fail, and how one is listed."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.agent.answers import Chances
from solver.errors import InexactPlayerError, PerfectplayError, printable
from solver.rules.game import Game, legal_moves

Choose = Callable[[Any, str], Any]
Distribution = dict[Any, float]
COMMAND = "command:"  # before a program and its arguments
LIMIT = 10.0  # seconds for an answer of a custom player by default
ANSWERED = ("illegal move", "exception", "wrong type", "not a move")  # the faults of an answer
FATAL = ("too slow", "ended", "surplus output")  # the faults that end a player's process
LATE = "no answer within"  # which faults of a player that is too slow say
ROUNDING = 1e-6  # tolerance for the sum of probabilities; networks compute in single precision


class PlayerFault(PerfectplayError):
    """A player gave no legal answer.

    `kind` is one of ANSWERED, of which 'not a move' means that the player misunderstands what it
    must return; or one of FATAL, after which it continues in a new process. If it is `final`, the
    player is not asked again. `hint` says what would make the answer legal, if that is likely, and
    `given` what the player was given, in words.
    """

    def __init__(
        self, kind: str, detail: str, hint: str = "", final: bool = False, given: str = ""
    ) -> None:
        self.kind = kind
        self.detail: str = printable(detail)
        self.hint: str = printable(hint)
        self.final: bool = final
        self.given: str = printable(given)
        super().__init__(f"{kind}: {self.detail}")

    @property
    def fatal(self) -> bool:
        """Whether the player's process had to end."""
        return self.kind in FATAL


class Changed(NamedTuple):
    """Two answers about one position, of a player that was taken to answer alike each time."""

    player: str
    position: str
    first: str
    """The first answer, in words."""
    again: str
    """The other one."""

    def __str__(self) -> str:
        return (
            f"{self.player} gave two answers at {self.position}, first {self.first} and then"
            f" {self.again}"
        )


class Player:
    """A name, and a choice for every position.

    `choose(position, seat)` returns a move, or a distribution: a dict of moves to probabilities.
    Unless `deterministic`, a single move counts as drawn at random with unknown probabilities.
    `deadline` is when it must answer, a time of `time.monotonic`, and `limit` how many seconds an
    answer may take; only a player in a process of its own is stopped then. `known` has the answers
    that `distribution` returns again. If a player has `changed` such an answer, its probabilities
    are unknown.
    """

    deadline: float = math.inf
    limit: float = math.inf
    changed: Changed | None = None

    def __init__(self, name: str, choose: Choose, deterministic: bool = True) -> None:
        self.name: str = printable(name)
        self.choose = choose
        self.deterministic = deterministic
        self.known: dict[tuple[Any, str], Distribution | PlayerFault] = {}

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def answer(self, game: Game[Any, Any], p: Any, seat: str) -> Any:
        """Return a legal move or a distribution over legal moves; raises PlayerFault."""
        return check_answer(game, p, self.choose(p, seat))

    def distribution(self, game: Game[Any, Any], p: Any, seat: str) -> Distribution:
        """Return the probabilities of the moves, cached for each position.

        Raises PlayerFault, and InexactPlayerError if the probabilities are unknown.
        """
        if self.changed is not None:
            raise InexactPlayerError(f"{self.changed}: it has no exact results")
        key = p, seat
        if key not in self.known:
            try:
                answer = self.answer(game, p, seat)
            except PlayerFault as fault:
                answer = fault
            fatal = isinstance(answer, PlayerFault) and answer.fatal
            if not (self.deterministic or fatal or isinstance(answer, dict)):
                raise InexactPlayerError(
                    f"{self.name} may move at random; for an exact result, return a dict of moves"
                    " to probabilities or declare it deterministic"
                )
            self.known[key] = answer if isinstance(answer, dict | PlayerFault) else {answer: 1.0}
        result = self.known[key]
        if isinstance(result, PlayerFault):
            raise result
        return result

    def sample(self, game: Game[Any, Any], p: Any, seat: str, generator: random.Random) -> Any:
        """Return a legal move, drawn from the player's distribution if it gives one."""
        is_fixed = self.changed is None and (self.deterministic or (p, seat) in self.known)
        if is_fixed:
            return pick(self.distribution(game, p, seat), generator)
        return pick(self.answer(game, p, seat), generator)

    def scores(self, p: Any) -> dict[Any, float] | None:
        """Return the player's own score of each move; None if it has none, as most players."""
        scored: Callable[[Any], dict[Any, float]] | None = getattr(self.choose, "scores", None)
        return None if scored is None else scored(p)

    def chances(self, game: Game[Any, Any], p: Any, seat: str) -> Chances:
        """Return what the player thinks of each move and how likely it makes it.

        Raises PlayerFault and InexactPlayerError, as `distribution`.
        """
        moves = [] if game.primitive(p) is not None else [*game.moves(p)]
        odds = self.distribution(game, p, seat) if moves else {}
        scores = self.scores(p) if moves else None
        named: list[Any] = [(m, {"move": game.code(m), "label": game.label(p, m)}) for m in moves]
        chances: list[Any] = [{**name, "probability": odds[m]} for m, name in named if odds.get(m)]
        scored: list[Any] = [{**name, "score": scores[m]} for m, name in named] if scores else []
        return {
            "game": game.spec,
            "position": game.text(p, seat),
            "turn": seat,
            "player": self.name,
            "moves": chances,
            "scores": scored if scores else None,
        }

    def close(self) -> None:
        """Release the player's resources."""


def check_answer(game: Game[Any, Any], p: Any, answer: Any) -> Any:
    """Return an answer, a distribution scaled to a sum of 1; raises PlayerFault if not legal."""
    legal = legal_moves(game, p)
    total = 0.0
    for move, share in answer.items() if isinstance(answer, dict) else [(answer, 1.0)]:
        if not isinstance(share, int | float) or not 0 <= share <= 1 + ROUNDING:
            raise PlayerFault("wrong type", f"{share!r} is not a probability from 0 to 1")
        if share and move not in legal:
            raise PlayerFault("illegal move", f"{move!r} is not one of {list(legal)}")
        total += share
    if abs(total - 1) > ROUNDING:
        raise PlayerFault("wrong type", f"the probabilities add up to {total}, not to 1")
    if not isinstance(answer, dict):
        return answer
    return {move: share / total for move, share in answer.items() if share}


def uniform(moves: list[Any]) -> Distribution:
    """Return the same probability for each move."""
    return dict.fromkeys(moves, 1 / len(moves))


def pick(choice: Any, generator: random.Random) -> Any:
    """Return the move that a player chose, drawn at random if it gave a distribution."""
    if not isinstance(choice, dict):
        return choice
    return generator.choices(list(choice), list(choice.values()))[0]


class Games(NamedTuple):
    """The games that a player fits, in words and as a predicate."""

    label: str
    include: Callable[[Game[Any, Any]], bool]


EVERY_GAME = Games("every game", lambda game: True)
WITH_THREATS = Games(
    "games whose rules define `threats`", lambda game: game.threats(game.initial()) is not None
)
TICTACTOE = Games("tictactoe", lambda game: game.spec == "tictactoe")


class ListedPlayer(NamedTuple):
    """A built-in player: its name, documentation and games, and how to make it.

    The name shows the argument it takes, as in `nstep:N`; `about` is the function or class whose
    docstring describes the player. `build(agent, argument)` returns its choice.
    """

    name: str
    about: Any
    games: Games
    build: Callable[[TableAgent, str], Choose]

    @property
    def stem(self) -> str:
        """The name without its argument."""
        return self.name.partition(":")[0].rstrip("[")
