"""Whether a player gives the same answers when it is asked again, in another order.

Takes a player that has been asked about positions; returns about how many it was asked again. What
counts as exact rests on one answer for each position, and nothing but asking again shows that an
answer also depends on the clock, on chance, or on what the player was asked before.
"""

from __future__ import annotations

import math
import random
from collections.abc import Container
from time import monotonic
from typing import Any

from solver.players.player import ROUNDING, Changed, Distribution, Player, PlayerFault
from solver.rules.game import Game

MOST = 1000  # questions
SECONDS, SHARE = 20.0, 0.1  # for all of them: this long, or this share of the time before


def ask_again(
    game: Game[Any, Any],
    player: Player,
    spent: float,
    first: Container[Any] | None = None,
    most: float = SECONDS,
) -> int:
    """Ask again about up to MOST positions, and return their number.

    The positions in `first`, by default all, are asked about twice, before all others. At the first
    answer that differs, `player.changed` is set, and the player's answers are forgotten: from then
    on its probabilities are unknown. Answers after which a process ended are not compared. `spent`
    is how many seconds the player took before, and `most` how many all of this may take at least.
    """
    generator = random.Random(0)
    turns = [turn for turn, answer in player.known.items() if not _is_fatal(answer)]
    often = turns if first is None else [turn for turn in turns if turn in first]
    rest = [] if first is None else [turn for turn in turns if turn not in first]
    order = [turn for part in (often, often, rest) for turn in generator.sample(part, len(part))]
    asked = set()
    player.deadline = end = monotonic() + max(min(SECONDS, most), SHARE * spent)
    try:
        for p, seat in order[:MOST]:
            if monotonic() > end:
                break
            before, again = player.known[p, seat], _answer(game, player, p, seat)
            if _is_fatal(again):
                continue
            asked.add((p, seat))
            if not _agree(before, again):
                texts = _shown(game, p, before), _shown(game, p, again)
                player.changed = Changed(player.name, game.text(p, seat), *texts)
                player.known.clear()
                break
    finally:
        player.deadline = math.inf
    return len(asked)


def _answer(game: Game[Any, Any], player: Player, p: Any, seat: str) -> Distribution | PlayerFault:
    try:
        answer = player.answer(game, p, seat)
    except PlayerFault as fault:
        return fault
    return answer if isinstance(answer, dict) else {answer: 1.0}


def _is_fatal(answer: Distribution | PlayerFault) -> bool:
    return isinstance(answer, PlayerFault) and answer.fatal


def _agree(one: Distribution | PlayerFault, other: Distribution | PlayerFault) -> bool:
    """Return whether two answers are both faults, or the same moves with the same chances."""
    if isinstance(one, PlayerFault) or isinstance(other, PlayerFault):
        return isinstance(one, PlayerFault) and isinstance(other, PlayerFault)
    return one.keys() == other.keys() and all(abs(one[m] - other[m]) <= ROUNDING for m in one)


def _shown(game: Game[Any, Any], p: Any, answer: Distribution | PlayerFault) -> str:
    """Return an answer in words: a move, moves with their chances, or a fault."""
    if isinstance(answer, PlayerFault):
        return f"a fault ({answer})"
    if len(answer) == 1:
        return str(game.label(p, *answer))
    return " or ".join(f"{game.label(p, m)} ({share:.4g})" for m, share in answer.items())
