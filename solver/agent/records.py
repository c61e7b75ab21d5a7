"""Records of games as programs have them: texts, lists of moves, and episodes of Kaggle.

Takes a record and the rules; returns the position and the move for each move, and why the record
ends there if an agent failed. `solver.rules.notation` reads what people write.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from solver.errors import IllegalMoveError
from solver.rules.game import Game
from solver.rules.notation import replay
from solver.rules.pairs import are_cells, has_tuples, pairs_as_text

EPISODE = '"steps"'  # what only an episode of Kaggle has
FAILED = ("ERROR", "INVALID", "TIMEOUT")  # statuses of an agent that has lost by that
LATER = re.compile(r"\s*0*(?:[2-9]|[1-9]\d+)\.")  # the number of a move that is not the first
SAVED = "[State]"  # before the moves in what SerializeGameAndState of OpenSpiel writes
THEIR_NAMES = {"tic_tac_toe": "tictactoe", "connect_four": "connect4:7x6"}
FORMS = (
    "only these forms are read: moves such as 5 1 9 or 1. 5 1 2. 9, a list such as [4, 0, 8], pairs"
    " of row and column such as [[1, 1], [0, 0]], and an episode of Kaggle"
)


class Record(NamedTuple):
    """The moves of a game with the positions before them."""

    played: list[tuple[Any, Any]]
    failure: str = ""
    """The sentence about the agent that gave no legal move after them."""


def read_record(
    game: Game[Any, Any], record: str | Iterable[object] | Mapping[str, Any], from_zero: bool
) -> Record:
    """Return the moves of a record, as `review` takes it; raises IllegalMoveError."""
    value = _parsed(record) if isinstance(record, str) else record
    if not isinstance(value, str | bytes | Mapping | AbstractSet) and isinstance(value, Iterable):
        value = [*value]
    if episodes := dict(_episodes(value, "record")):
        if len(episodes) > 1:
            raise IllegalMoveError(f"this has several episodes: pass {' or '.join(episodes)}")
        return _read_episode(game, *episodes.values())
    if not isinstance(value, str | list) or any(isinstance(move, Mapping) for move in value):
        kind = "JSON" if isinstance(record, str) else type(record).__name__
        raise IllegalMoveError(f"this {kind} is not the record of a game: {FORMS}")
    if not isinstance(record, str):
        return Record(_replay_list(game, [*value], from_zero))
    if isinstance(value, list) and pairs_as_text(game, game.initial(), value) is None:
        _check_kinds(game, value)
    text, is_saved = _saved_moves(game, record)
    return Record(replay(game, game.initial(), text, from_zero or is_saved))


def games_in(data: bytes, source: str) -> dict[int, str]:
    """Return the games of a file by the numbers of their lines; JSON may be all of it.

    A line that begins with a later move, as in 2. 9 3, continues the game of the one before, and
    one that begins with # is a comment. Raises ValueError, which names the source, for no game.
    """
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    text = data.decode(encoding, "backslashreplace")
    if _is_one_record(text):
        return {1: text}
    records, begun = dict[int, str](), 0
    for number, line in enumerate(text.splitlines(), 1):
        if begun and LATER.match(line):
            records[begun] += f" {line}"
        elif line.strip() and not line.lstrip().startswith("#"):
            records[begun := number] = line
    if not records:
        raise ValueError(f"there is no game in {source}")
    return records


def _is_one_record(text: str) -> bool:
    """Return whether a file of several lines is one JSON value, or a state that OpenSpiel saved."""
    first, _, rest = text.strip().partition("\n")
    if SAVED in rest:
        return "\n[Game]" in f"\n{text}"
    if not rest or not first.startswith(("{", "[")):
        return False
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return True
    return first.strip() == "{" or (EPISODE in rest and EPISODE not in first)


def _parsed(text: str) -> Any:
    """Return the object or list that a text is as JSON, or else the text."""
    bare = text.lstrip("\ufeff \t\r\n")  # some programs begin a file with a mark of its encoding
    if bare.startswith(("{", "[")):
        try:
            return json.loads(bare)
        except (ValueError, RecursionError) as error:
            if EPISODE in text:
                raise IllegalMoveError("this is not an episode of Kaggle as JSON") from error
    return text


def _episodes(value: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the episodes in a value, also as JSON in texts, by the expressions that give them."""
    if isinstance(value, str):
        parsed = _parsed(value) if EPISODE in value else value
        yield from () if isinstance(parsed, str) else _episodes(parsed, f"json.loads({path})")
    elif isinstance(value, Mapping):
        if isinstance(value.get("steps"), list):
            yield path, value
            return
        for key, part in value.items():
            yield from _episodes(part, f"{path}[{key!r}]")
    elif isinstance(value, list):
        if _is_steps(value):
            yield path, {"steps": value}
            return
        for number, part in enumerate(value):
            if isinstance(part, Mapping | list):
                yield from _episodes(part, f"{path}[{number}]")


def _is_steps(value: list[Any]) -> bool:
    """Return whether a list is what `env.steps` of Kaggle is."""
    first = value[0] if value and isinstance(value[0], list) else ()
    return len(first) > 0 and all(isinstance(one, Mapping) and "status" in one for one in first)


def _read_episode(game: Game[Any, Any], episode: Mapping[str, Any]) -> Record:
    """Return the moves of an episode, up to the first failure of an agent."""
    try:
        steps, rules = episode["steps"], dict(episode.get("configuration") or {})
        board = steps[-1][0].get("observation", {}).get("board", ())
        marks = "".join(".XO"[mark] for mark in board)
        turns = [*map(_turn, pairwise(steps))]
    except Exception as error:
        message = "not an episode of Kaggle, as JSON with two agents in each step"
        raise IllegalMoveError(message) from error
    own = getattr(game, "k", None)
    if own and rules.get("inarow", own) != own:
        raise IllegalMoveError(
            f"this episode has {rules['inarow']} in a row, and {game.spec} has {own}"
        )
    failures = (
        n for n, (_, action, status) in enumerate(turns) if action is None or status in FAILED
    )
    failed = next(failures, len(turns))
    failure = "" if failed == len(turns) else _failure(game, failed, *turns[failed])
    if failed == 0:
        raise IllegalMoveError(f"this episode has no move to review: {failure or 'nobody moved'}")
    played = _replay_list(game, [action for _, action, _ in turns[:failed]], from_zero=True)
    end = game.text(game.play(*played[-1]))
    if marks and not (game.has_cells and marks == game.marks(end)):
        raise IllegalMoveError(f"the moves of this episode do not lead to its board in {game.spec}")
    return Record(played, failure)


def _turn(steps: tuple[Any, Any]) -> tuple[int, Any, str]:
    """Return the agent that was to move before a step, its action and its status after it."""
    for agent, (before, after) in enumerate(zip(*steps, strict=True)):
        if before["status"] == "ACTIVE":
            return agent, after["action"], after["status"]
    raise ValueError("no agent was to move")


def _failure(game: Game[Any, Any], ply: int, agent: int, action: object, status: str) -> str:
    """Return the sentence about an agent that gave no legal move."""
    who = f"The {('first', 'second')[agent]} agent, {game.seats[agent]},"
    gave = "no move" if action is None else f"the move {action!r:.40}"
    return f"{who} gave {gave} at move {ply + 1} ({status})."


def _saved_moves(game: Game[Any, Any], text: str) -> tuple[str, bool]:
    """Return the moves of a state that OpenSpiel has saved, and whether it is one, or the text."""
    head, mark, state = text.partition(SAVED)
    if not mark or "[Game]" not in head:
        return text, False
    name = head.partition("[Game]")[2].strip()
    short = name.partition("(")[0]
    if game.spec not in (THEIR_NAMES.get(short), f"openspiel:{name.removesuffix('()')}"):
        raise IllegalMoveError(
            f"this is a game of OpenSpiel's {name!r:.80}, and not of {game.spec}: name the game"
            f" with --game {THEIR_NAMES.get(short, f'openspiel:{short}')}"
        )
    return state, True


def _check_kinds(game: Game[Any, Any], moves: list[object]) -> None:
    """Raise IllegalMoveError if a list holds what is no move in any form."""
    start = game.initial()
    for number, move in enumerate(moves, 1):
        is_whole = hasattr(move, "__index__") and not isinstance(move, bool)
        if not (is_whole or isinstance(move, str) or has_tuples(game, start)):
            first = game.moves(start)[0]
            pairs = ", or all are pairs of row and column" if are_cells(game, start) else ""
            raise IllegalMoveError(
                f"move {number} of the record is {move!r:.40}: a move is a label, such as"
                f" {game.label(start, first)!r}, or a code, such as {game.code(first)!r}{pairs}",
                number - 1,
            )


def _replay_list(
    game: Game[Any, Any], moves: list[object], from_zero: bool
) -> list[tuple[Any, Any]]:
    """Return what `replay` does for a list: moves as tables write them, or pairs, or labels."""
    start = game.initial()
    if (pairs := pairs_as_text(game, start, moves)) is not None:
        return replay(game, start, pairs, from_zero)
    _check_kinds(game, moves)
    text, is_text = ", ".join(map(str, moves)), all(isinstance(move, str) for move in moves)
    return replay(game, start, text if is_text else f"[{text}]", from_zero or not is_text)
