"""Strategy files that commands write, and open to prove or draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.cli.follow import read_with_rules
from solver.cli.output import echo
from solver.errors import StrategyError
from solver.files import check_writable, save
from solver.games import is_shipped
from solver.proof.repeat import check_repeats
from solver.rules.game import Game
from solver.strategy.file import Strategy
from solver.strategy.rules_check import check_rules


def check_name(output: str | None) -> None:
    """Raise ValueError or OSError unless a strategy can be written to this file."""
    if output is not None and not output.endswith(".txt"):
        raise ValueError(f"the name of a strategy file ends in .txt, not as {output!r:.80} does")
    check_writable(output)


def check_made(
    data: bytes,
    rules: Game[Any, Any],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Strategy:
    """Return the strategy in a file to be written; raises StrategyError unless it is proved."""
    try:
        made = Strategy(data)
        check_rules(made, rules, progress)
    except StrategyError as error:
        raise StrategyError(f"the strategy found is wrong, and is not written: {error}") from error
    return made


def save_made(output: str | None, data: bytes, as_json: bool = False) -> None:
    """Write the bytes of a checked strategy, if there is a file to write, and say so."""
    if output is not None:
        save(output, data)
    if output is not None and not as_json:
        echo(f"wrote {output}: {len(data):,} bytes, checked by the rules")


def about(strategy: Strategy) -> dict[str, Any]:
    """Return what a strategy claims and how large it is, as JSON."""
    claim = {"game": strategy.game, "side": strategy.side, "claim": strategy.aim}
    sizes = {"decisions": strategy.decisions, "cards": strategy.cards}
    return claim | {"positions": len(strategy)} | sizes


def open_strategy(file: str, game: str | None) -> tuple[Strategy, Game[Any, Any]]:
    """Return the strategy in a file, and its rules: those of `game`, else the built-in ones.

    Rules that do not ship are compared with those in a second process, as a proof needs it.
    """
    strategy, rules = read_with_rules(file, game)
    if game is not None and not is_shipped(rules):
        check_repeats(rules, game)
    return strategy, rules
