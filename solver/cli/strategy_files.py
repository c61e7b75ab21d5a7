"""Strategy files that commands write, open and follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.agent import words
from solver.agent.agent import TableAgent, open_agent
from solver.cli.output import echo
from solver.errors import StrategyError
from solver.files import check_writable, save
from solver.games import is_shipped, load_built_in, load_game
from solver.proof.repeat import check_repeats
from solver.rules.game import Game
from solver.strategy.file import Strategy, is_strategy, read_strategy
from solver.strategy.lookup import StrategyMoves
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
    found = read_strategy(file)
    if game is None:
        return found, load_built_in(found.game)
    rules = load_game(game)
    if not is_shipped(rules):
        check_repeats(rules, game)
    return found, rules


def open_answers(game: str | None, table: str | None) -> TableAgent:
    """Return what answers for a game: the table or the strategy in a file, or what is stored."""
    if table is None or not is_strategy(table):
        return open_agent(game or "tictactoe", table)
    found = read_strategy(table)
    rules = load_built_in(found.game) if game is None else load_game(game)
    moves: Any = StrategyMoves(found, rules)
    return TableAgent(moves)


def best_by_strategy(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the move of a strategy in a position of its side, as JSON; none if it is over."""
    game, moves = agent.game, _moves_of(agent)
    if seat != moves.seat:
        moves.number_of(p, seat)
        raise ValueError(f"it is {seat}'s turn, and the strategy is for {moves.seat}")
    move = moves.best(p)
    known = {} if move is None else {"move": game.code(move), "label": game.label(p, move)}
    return {**_start(agent, p, seat), "move": None, "label": None, **known}


def line_by_strategy(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the moves to the end of the game, of the other side always the first, as JSON."""
    game, moves, steps, seen = agent.game, _moves_of(agent), list[dict[str, Any]](), set[Any]()
    found = _start(agent, p, seat)
    moves.number_of(p, seat)
    while game.primitive(p) is None and (p, seat) not in seen:
        seen.add((p, seat))
        m = moves.best(p) if seat == moves.seat else game.moves(p)[0]
        step = {"turn": seat, "move": game.code(m), "label": game.label(p, m)}
        p, seat = game.play(p, m), game.other(seat)
        steps.append(step | {"position": game.text(p, seat)})
    result = words.result(game, p, seat) or "The position repeats: a draw."
    return {**found, "line": steps, "result": result}


def _start(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    strategy = _moves_of(agent).strategy
    about_it = {"side": strategy.side, "claim": strategy.aim}
    return {"game": agent.game.spec, "position": agent.game.text(p, seat), "turn": seat, **about_it}


def _moves_of(agent: TableAgent) -> StrategyMoves:
    moves: Any = agent.table
    assert isinstance(moves, StrategyMoves)
    return moves
