"""Commands about positions: best, line, explain; and boards that show the value of each move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from shlex import quote
from typing import Annotated, Any, NamedTuple

from solver.agent import facts, words
from solver.agent.agent import TableAgent, open_agent
from solver.agent.text import draw_values
from solver.cli import options
from solver.cli.output import echo, print_json, print_rows, print_styled, report
from solver.errors import (
    IllegalMoveError,
    IllegalPositionError,
    PerfectplayError,
    UnknownPositionError,
    quoted,
)
from solver.rules.notation import replay, sort_labels
from solver.tables.open import is_strategy
from solver.units import counted
from solver.value import Outcome

By = Annotated[
    str | None,
    options.option(
        "--by", "PLAYER", "Show what this player thinks of each move, and how likely it makes it."
    ),
]
Show = Callable[[TableAgent, Any, str], None]
Fact = Callable[[TableAgent, Any, str], Any]


def _command(fact: Fact) -> Callable[[Show], Callable[..., None]]:
    """Make a command of a function that prints an answer for people; `fact` is the one in JSON."""

    def make(show: Show) -> Callable[..., None]:
        def command(
            positions: options.Positions = None,
            game: options.StrategyGame = None,
            table: options.Table = None,
            turn: options.Turn = None,
            as_json: options.Json = False,
        ) -> None:
            if table is not None and is_strategy(table):
                source = _strategy(game, table, fact)
            else:
                source = _Source(open_agent(game or "tictactoe", table), fact, show)
            _print_answers(source, positions or [], turn, as_json)

        command.__doc__ = show.__doc__
        return command

    return make


class _Source(NamedTuple):
    """What answers a command's question about positions: a table or a strategy."""

    agent: Any
    fact: Fact
    show: Show


def _strategy(game: str | None, file: str, fact: Fact) -> _Source:
    """Return the strategy in a file, as what answers in place of a table."""
    from solver.cli import follow

    if fact not in follow.ANSWERS:
        raise ValueError(f"{file} is a strategy, which has no values to explain")
    answer = follow.ANSWERS[fact]
    return _Source(follow.open_followed(game, file), answer, partial(follow.show, answer))


def _print_answers(source: _Source, positions: list[str], turn: str | None, as_json: bool) -> None:
    """Print the answer for people about one position, or in JSON, as always about several."""
    agent, fact, show = source
    if positions == ["-"]:
        _answer_lines(agent, turn, fact)
    elif len(positions) > 1:
        for read in list(_read_all(agent, positions, turn)):
            print_json(fact(agent, *read))
    elif as_json:
        print_json(fact(agent, *_read(agent, positions[0] if positions else None, turn)))
    else:
        show(agent, *_read(agent, positions[0] if positions else None, turn))


def _read(agent: TableAgent, text: str | None, turn: str | None) -> tuple[Any, str]:
    """Return the position that a text describes, and the seat to move."""

    def is_met(p: Any) -> bool:
        try:
            agent.table.probe(p)
        except UnknownPositionError:
            return False
        except ValueError:  # a strategy has no values
            pass
        return True

    return facts.read_typed(agent.game, text, turn, is_met)


def _answer_lines(agent: TableAgent, turn: str | None, fact: Callable[..., Any]) -> None:
    """Answer each line of standard input; the answer to a wrong one is an error.

    Raises IllegalPositionError at the end if there was any.
    """
    wrong = 0
    for line in sys.stdin:
        try:
            print_json(fact(agent, *_read(agent, line.rstrip("\r\n"), turn)))
        except (PerfectplayError, ValueError) as error:
            wrong += 1
            print_json({"error": str(error)})
        sys.stdout.flush()  # the caller may wait for it before the next question
    if wrong:
        lines = counted(wrong, "line")
        raise IllegalPositionError(f"{lines} could not be answered; see the errors above")


def _count_moves(agent: TableAgent, text: str) -> int:
    """Return how many moves a text has as a game, 0 if it is none or says what it is."""
    if text.startswith((facts.POSITION, facts.MOVES)):
        return 0
    with suppress(IllegalMoveError):
        return len(replay(agent.game, agent.game.initial(), text))
    return 0


def _form(agent: TableAgent, text: str) -> str:
    """Return what to write before a text that is a position or a game."""
    with suppress(IllegalPositionError):
        facts.read_position(agent.game, facts.POSITION + text, None)
        return facts.POSITION
    return facts.MOVES


def _read_all(
    agent: TableAgent, texts: Iterable[str], turn: str | None
) -> Iterator[tuple[Any, str]]:
    """Yield the position and the seat to move of each text; an error names the text's number.

    Texts that are a game together, or a move each, are refused: they may be a game's moves.
    """
    texts, record = list(texts), " ".join(texts)
    counts = {text: _count_moves(agent, text) for text in (record, *texts)}
    if counts.pop(record) == len(texts) or {*counts.values()} == {1}:
        each = " ".join(quote(_form(agent, text) + text) for text in texts)
        raise ValueError(
            f"{quoted(record)} can be a game or {len(texts)} positions: write"
            f" {quote(facts.MOVES + record)} or {each}"
        )
    for number, text in enumerate(texts, 1):
        try:
            yield _read(agent, text, turn)
        except IllegalPositionError as error:
            raise IllegalPositionError(f"position {number}: {error}") from error


@_command(facts.best)
def _best(agent: TableAgent, p: Any, seat: str) -> None:
    scores = agent.scores_at(p)
    echo(f"{draw_values(agent.game, p, seat, scores)}\n\n{words.verdict(agent, p, seat)}")
    if scores:
        echo()
        rows = [
            (s.label, words.value_text(s.outcome, s.distance), words.trap_text(s.trap))
            for s in scores
        ]
        print_rows([("move", "value", "trap"), *rows], [None, *(s.outcome for s in scores)])
        echo(f"\nBest move: {scores[0].label}")


def best(
    positions: options.Positions = None,
    game: options.StrategyGame = None,
    table: options.Table = None,
    turn: options.Turn = None,
    by: By = None,
    as_json: options.Json = False,
) -> None:
    """Show the value of every move, best first.

    Values count the moves of the side to move: a win in 2 moves is won with its second move. On
    the board, W2 marks a win in 2 moves, D a draw and L1 a loss in 1 move. A trap is the share of
    the opponent's replies that worsen the opponent's outcome. With --json, distances count plies:
    the moves of both sides.

    With --by, a player's own scores of the moves, if it has any, and its probabilities are shown
    instead, also on a board to which no game leads if the player needs no table.
    """
    if by is None:
        return _best(positions, game, table, turn, as_json)
    if len(positions or []) > 1 or positions == ["-"]:
        raise ValueError("--by takes one position")
    from solver.cli.player_options import open_later
    from solver.players import closing, load_player

    agent = open_later(game or "tictactoe", table)
    text = positions[0] if positions else None
    try:
        p, seat = facts.read_typed(agent.game, text, turn)
    except IllegalPositionError as error:
        p, seat, remark = facts.read_unreached(agent.game, text, turn, error)
        report(remark)
    player = load_player(by, agent)
    with closing(player):
        chances = player.chances(agent.game, p, seat)
    if as_json:
        print_json(chances)
        return
    odds = {move["label"]: move["probability"] for move in chances["moves"]}
    scores = {each["label"]: f"{each['score']:g}" for each in chances["scores"] or []}
    labels = sort_labels(scores or odds)
    echo(f"{agent.game.render(p, seat)}\n")
    if not labels:
        echo("The game is over.")
        return
    echo(f"{seat} to move, by {by}:\n")
    print_rows(
        [("move", "score", "probability")]
        + [(label, scores.get(label, "-"), f"{odds.get(label, 0):.1%}") for label in labels]
    )


@_command(facts.line)
def line(agent: TableAgent, p: Any, seat: str) -> None:
    """Show the rest of the game if both sides play perfectly."""
    for number, move in enumerate(agent.line_at(p), 1):
        echo(f"{number}. {seat} {agent.game.label(p, move)}")
        p, seat = agent.game.play(p, move), agent.game.other(seat)
    echo(words.result(agent.game, p, seat) or "The position repeats: a draw.")


@_command(facts.explain)
def explain(agent: TableAgent, p: Any, seat: str) -> None:
    """Explain the value of every move in words."""
    answer = facts.explain(agent, p, seat)
    echo(f"{agent.game.render(p, seat)}\n\n{answer['verdict']}")
    if answer["moves"]:
        echo()
    width = max((len(move["label"]) for move in answer["moves"]), default=0)
    for move in answer["moves"]:
        outcome, reasons = Outcome[move["outcome"].upper()], move["reasons"]
        if reasons not in (["wins now"], ["loses now"]):
            value = words.value_text(outcome, move["distance"])
            reasons = [value, *reasons]
        print_styled(f"{move['label']:>{width}}  {'; '.join(reasons)}", outcome)
