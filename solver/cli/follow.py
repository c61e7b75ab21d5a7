"""Strategy files: what commands ask of them in place of tables, and proving them.

Commands that take either file import this module only if `is_strategy` says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from solver.agent import facts, words
from solver.agent.agent import TableAgent
from solver.cli.output import echo
from solver.errors import StrategyError
from solver.games import is_built_in, load_game
from solver.players import Player
from solver.players.from_table import perfect
from solver.proof.repeat import check_repeats
from solver.rules.game import Game
from solver.tables.format import game_for

if TYPE_CHECKING:
    from solver.strategy.file import Strategy
    from solver.strategy.moves import StrategyMoves


def _read(file: str, game: str | None) -> tuple[Strategy, Game[Any, Any]]:
    """Return the strategy in a file, and its rules: those of `game`, else the built-in ones."""
    from solver.strategy.file import read_strategy

    strategy, rules = read_strategy(file), None if game is None else load_game(game)
    return strategy, game_for(strategy.game, rules, "strategy")


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Name the file of a strategy in a StrategyError."""
    try:
        yield
    except StrategyError as error:
        raise StrategyError(f"{file}: {error}") from error


def open_proved(
    file: str, game: str | None, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[Strategy, Game[Any, Any], int]:
    """Return a strategy, proved by its rules, and those; raises StrategyError if they differ.

    Custom rules are compared in other processes, as a proof needs it; the last value says at how
    many positions.
    """
    from solver.strategy.rules_check import check_rules

    strategy, rules = _read(file, game)
    compared = 0 if game is None or is_built_in(game) else check_repeats(rules, game)
    check_rules(strategy, rules, progress)
    return strategy, rules, compared


def open_followed(game: str | None, file: str) -> TableAgent:
    """Return an agent that a strategy in a file answers for."""
    from solver.strategy.moves import StrategyMoves

    with naming(file):
        moves: Any = StrategyMoves(*_read(file, game), file)
    return TableAgent(moves)


def players(agent: TableAgent, *names: str) -> dict[str, Player]:
    """Return the perfect player of the strategy's side.

    Raises ValueError unless the names of the players, by seat, have it there and nowhere else.
    """
    own, seats = _moves_of(agent).seat, agent.game.seats
    if [seat for seat, name in zip(seats, names, strict=True) if name == "perfect"] != [own]:
        options = ("--x", "--o") if own == seats[0] else ("--o", "--x")
        raise ValueError(
            f"the strategy is for {own} alone: play {options[0]} perfect {options[1]} human"
        )
    return {own: Player("perfect", perfect(agent))}


def describe(file: str, game: str | None) -> tuple[str, dict[str, Any]]:
    """Return what a file says of its strategy, in words and as JSON; nothing is proved."""
    from solver.strategy.file import read_strategy

    with naming(file):
        strategy = read_strategy(file)
        if game is not None:
            strategy.require(load_game(game))
    sizes = {"sha256": strategy.sha256, "bytes": os.path.getsize(file), "path": file}
    return strategy.about, about(strategy) | sizes


def draw(file: str, game: str | None) -> tuple[Any, int]:
    """Return a drawing of the cards of a strategy, which is proved first, and their number."""
    from solver.pictures.cards import draw_cards

    with naming(file):
        strategy, rules, _ = open_proved(file, game)
    return draw_cards(strategy, rules)


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
    return cast("StrategyMoves", agent.table)


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
