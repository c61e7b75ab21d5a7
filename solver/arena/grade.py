"""What a grade is made of: how a player moves, how it can lose, and how it fares."""

from __future__ import annotations

from typing import Any, NamedTuple

from solver.arena.match import Fault, Result

REQUIREMENTS = ("never-loses", "optimal")


class Step(NamedTuple):
    """A move in a line: who made it, how people write it, and the position after it."""

    turn: str
    move: Any
    label: str
    position: str


class Blunder(NamedTuple):
    """A move that the player may make and that loses some of the outcome, or misses a win in 1."""

    turn: str
    position: str
    move: Any
    label: str
    best: list[Any]
    best_labels: list[str]
    outcome_before: str
    outcome_after: str
    missed: str
    """What was thrown away, in words."""


class Rates(NamedTuple):
    """How well a player moves over a set of positions in which it is to move.

    A choice is a position in which some legal move scores lower than the best; symmetric images
    count separately. The rates and the regret are means over the choices.
    """

    positions: int
    choices: int
    good_move_rate: float
    """How often the move keeps the outcome."""
    perfect_move_rate: float
    """How often it keeps the distance, too."""
    mean_regret: float
    """How much of the outcome the move loses, with win 1, draw 0 and loss -1."""


class Grade(NamedTuple):
    """What is known of a player.

    Where the player ended its process, or was too slow, the audit ends there, and what it had not
    yet worked out is None.
    """

    player: str
    game: str
    seats: str
    """'first', 'second' or 'both'."""
    method: str
    """'exact', or 'sampled' if the player's chances are estimated by asking repeatedly."""
    never_loses: bool | None
    optimal: bool | None
    losing_line: list[Step] | None
    """The shortest game that it may lose, or None if it cannot lose."""
    losing_seat: str | None
    """The seat at which it loses that game."""
    losing_fault: bool | None
    """Whether it loses that game by giving no legal answer."""
    blunder_count: int
    blunders: list[Blunder]
    """The most embarrassing first; of very many only the worst."""
    reachable: Rates | None
    all: Rates | None
    against: dict[str, Result] | None
    left_out: list[str]
    """Others whose exact results would take too long."""
    repeats: bool | None
    """Whether positions came again in those games; only one that never ends is a draw by that."""
    faults: list[Fault]

    def as_dict(self) -> dict[str, Any]:
        """Return the grade as the JSON object that `perfectplay grade --json` prints."""
        parts = self._asdict()
        for name in ("losing_line", "blunders", "faults"):
            if parts[name] is not None:
                parts[name] = [part._asdict() for part in parts[name]]
        for name in ("reachable", "all"):
            parts[name] = parts[name] and parts[name]._asdict()
        if self.against is not None:
            parts["against"] = {name: result._asdict() for name, result in self.against.items()}
        return parts

    def meets(self, requirement: str) -> bool:
        """Whether the player 'never-loses', or is 'optimal'."""
        if requirement not in REQUIREMENTS:
            raise ValueError(
                f"{requirement!r} cannot be required; {' and '.join(REQUIREMENTS)} can"
            )
        return bool(self.never_loses if requirement == "never-loses" else self.optimal)


def ungraded(player: str, game: str, seats: str, reason: str) -> Grade:
    """Return the grade of a player that could not be loaded."""
    nothing = dict.fromkeys(Grade._fields)
    known = {
        "player": player,
        "game": game,
        "seats": seats,
        "method": "exact",
        "blunders": [],
        "blunder_count": 0,
        "left_out": [],
    }
    fault = Fault(player, "", "not loaded", reason)
    return Grade(**{**nothing, **known, "faults": [fault]})  # type: ignore[arg-type]
