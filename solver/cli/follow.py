"""Strategy files: proving them, and what best, line and play ask of them in place of tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.agent import facts, words
from solver.agent.agent import TableAgent
from solver.cli.output import echo
from solver.games import is_built_in, load_built_in, load_game
from solver.proof.repeat import check_repeats
from solver.rules.game import Game
from solver.strategy.file import Strategy, named, read_strategy
from solver.strategy.moves import StrategyMoves
from solver.strategy.rules_check import check_rules


def _read(file: str, game: str | None) -> tuple[Strategy, Game[Any, Any]]:
    """Return the strategy in a file, and its rules: those of `game`, else the built-in ones."""
    strategy = read_strategy(file)
    return strategy, load_built_in(strategy.game) if game is None else load_game(game)


def open_proved(
    file: str, game: str | None, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[Strategy, Game[Any, Any], int]:
    """Return a strategy, proved by its rules, and those; raises StrategyError if they differ.

    Custom rules are compared in other processes, as a proof needs it; the last value says at how
    many positions.
    """
    strategy, rules = _read(file, game)
    compared = 0 if game is None or is_built_in(game) else check_repeats(rules, game)
    check_rules(strategy, rules, progress)
    return strategy, rules, compared


def open_followed(game: str | None, file: str) -> TableAgent:
    """Return an agent that a strategy in a file answers for."""
    with named(file):
        moves: Any = StrategyMoves(*_read(file, game), file)
    return TableAgent(moves)


def about(strategy: Strategy) -> dict[str, Any]:
    """Return what a strategy claims and how large it is, as JSON."""
    claim = {"game": strategy.game, "side": strategy.side, "claim": strategy.aim}
    sizes = {"decisions": strategy.decisions, "cards": strategy.cards}
    return claim | {"positions": len(strategy)} | sizes


def best(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the move of a strategy in a position of its side, as JSON; none if it is over."""
    fields: dict[str, Any] = _moves_of(agent).answer(p, seat)
    return fields


def line(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the moves to the end of the game, of the other side always the first, as JSON."""
    game, moves, steps, seen = agent.game, _moves_of(agent), list[dict[str, Any]](), set[Any]()
    fields = moves.about(p, seat)
    moves.number_of(p, seat)
    while game.primitive(p) is None and (p, seat) not in seen:
        seen.add((p, seat))
        m = moves.best(p) if seat == moves.seat else game.moves(p)[0]
        step = {"turn": seat, "move": game.code(m), "label": game.label(p, m)}
        p, seat = game.play(p, m), game.other(seat)
        steps.append(step | {"position": game.text(p, seat)})
    result = words.result(game, p, seat) or "The position repeats: a draw."
    return {**fields, "line": steps, "result": result}


def _moves_of(agent: TableAgent) -> StrategyMoves:
    moves: Any = agent.table
    assert isinstance(moves, StrategyMoves)
    return moves


def show(answer: Callable[..., dict[str, Any]], agent: TableAgent, p: Any, seat: str) -> None:
    """Print what a strategy answers."""
    fields = answer(agent, p, seat)
    does = "wins" if fields["claim"] == "wins" else "never loses"
    echo(f"{agent.game.render(p, seat)}\n\nThe {fields['side']} player {does}, the strategy says.")
    for number, step in enumerate(fields.get("line", ()), 1):
        others = (
            "" if step["turn"] == agent.game.seats[fields["side"] == "second"] else ", or another"
        )
        echo(f"{number}. {step['turn']} {step['label']}{others}")
    if "line" in fields:
        echo(fields["result"])
    else:
        echo(words.result(agent.game, p, seat) or f"Its move: {fields['label']}")


ANSWERS = {facts.best: best, facts.line: line}
"""What answers in place of each function that asks a table."""
