"""Parsing of moves as people type them, and of whole games.

Takes a position and a text; returns the legal move, or moves, that the text names. A text that
names no legal move is rejected with a list of the legal ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from solver.boards.drawings import FILES
from solver.errors import IllegalMoveError, printable
from solver.rules.game import Game, legal_moves, seat_named
from solver.rules.pairs import find_pairs, read_pairs
from solver.startup import M, P

SEPARATORS = ", \t\r\n"
BRACKETS = re.compile(r"[][{}\"';|]")  # none of tuples, which may be positions
SIGNS = re.compile(r"(?<=\w)(?:->|[-–—→>/]| (?:->|[-–—→>/]) )(?=\w)")  # between two moves
HEADING = re.compile(r"[^\W\d][\w ]{1,20}:\s*(?=[^:]*$)")  # such as "moves:"
TUPLE = re.compile(r"\([\d ,]+\)")  # of moves, unless positions are written so
WORD = re.compile(r"[^\s,(]*\([^)]*\)|[^\s,]+")  # up to a separator, with a tuple whole
NUMBER = re.compile(r"(?<![^\s,])(\d+)(\.+)")  # of a move, as in "1. 5 1 2. 9"
COMMENT = re.compile(r"\{[^{}]*[^\W\d_]{3}[^{}]*\}|(?:^|\s)#.*", re.MULTILINE)
PRAISE = re.compile(r"(?<=[\w+#])[!?]{1,2}(?=\s|$)")  # of a move, as in "5! 1?"
RESULT = re.compile(r"(?<=\S)\s+(?:1-0|0-1|1/2-1/2|\*)$")
IS_RECORD = 1  # moves that are legal, for an error whose reason is no move
MOST_MOVES = 1000  # in the record of a game
WAITS = ("pass", "wait")  # labels of moves that change nothing but the side to move


def find_move(game: Game[P, M], p: P, typed: str, label: Callable[[P, M], str] | None = None) -> M:
    """Return the move that `move_names` has under `typed`; raises IllegalMoveError."""
    if game.primitive(p) is not None:
        raise IllegalMoveError(f"{printable(typed, 40)!r} is not a legal move: the game is over")
    label = label or game.label
    names = move_names(game, p, label)
    for name in (typed, folded(typed)):
        if name in names:
            return names[name]
    right = ", ".join(sort_labels(label(p, m) for m in game.moves(p)))
    raise IllegalMoveError(
        f"{printable(typed, 40)!r} is not a legal move; the legal moves are {right}"
    )


def is_like(move: Any, code: Any) -> bool:
    """Return whether a move that a program gives is of a code's kind: True and 1.0 are no 1."""
    kinds = (Integral, bool, str)
    return all(isinstance(move, kind) == isinstance(code, kind) for kind in kinds)


def move_names(game: Game[P, M], p: P, label: Callable[[P, M], str] | None = None) -> dict[str, M]:
    """Return the legal moves by label, by label as `folded` has it, and by code, if that is a str.

    What `folded` makes of several labels names none. `label(p, m)` replaces `game.label`.
    """
    legal = {(label or game.label)(p, m): m for m in game.moves(p)}
    codes = ((game.code(m), m) for m in legal.values())
    counts = Counter(map(folded, legal))
    folded_labels = {folded(name): m for name, m in legal.items() if counts[folded(name)] == 1}
    return {code: m for code, m in codes if isinstance(code, str)} | folded_labels | legal


def sort_labels(labels: Iterable[str]) -> list[str]:
    """Return the labels of moves in the order in which people read them: 2 before 10."""
    return sorted(labels, key=lambda label: (len(label), label))


class _AmbiguousRecordError(IllegalMoveError):
    """A record can be read in two ways."""


class Reading(NamedTuple):
    """A way to read a record: its moves as a text, and how they are called there."""

    text: str
    label: Callable[[Any, Any], str]
    sides: tuple[str, ...] = ()
    """The sides that stand before the moves, but not in the text."""

    def replay(self, game: Game[Any, Any], p: Any) -> list[tuple[Any, Any]]:
        """Return the position and the move for each move; raises IllegalMoveError."""
        played = _replayed(game, p, self.text, self.label)
        if self.sides:
            _check_sides(game, self.sides, len(played))
        return played


def replay(
    game: Game[Any, Any], p: Any, record: str, from_zero: bool = False
) -> list[tuple[Any, Any]]:
    """Return the position and the move for each move of a record, such as "5 1 9".

    The record starts at `p`. Its moves are labels, between spaces or commas or, if all have the
    same length, without, as in "519"; or with signs, as in "5-1-9". They may be numbered, as in
    "1. 5 1 2. 9", have their sides before them, as in "X 5, O 1", a heading such as "moves:",
    comments in braces or after #, and a result at the end, such as 1-0. One that is a legal move,
    too, is refused, unless a comma before it makes it a move. Where moves are cells, they
    may be pairs of row and column, as in "[[1, 1], [0, 0]]". Where that is illegal, columns may be
    letters, and numbers count from 0 if one of them is 0, in a list, and always with `from_zero`. A
    list has brackets, or commas without spaces.

    Raises IllegalMoveError, which names the first illegal move of the reading that goes furthest
    and the moves that would be legal, or both readings of a list that can count from 0 and from 1.
    """
    reasons: list[IllegalMoveError] = []
    texts = [*dict.fromkeys(_cleaned(record))]
    for text in texts:
        try:
            played = _replay(game, p, text, from_zero)
        except _AmbiguousRecordError:
            raise
        except IllegalMoveError as error:
            reasons.insert(0, error)
        else:
            _check_result(game, p, text, texts, from_zero)
            return played
    raise max(reasons, key=lambda reason: reason.played)


def _check_result(
    game: Game[Any, Any], p: Any, text: str, texts: list[str], from_zero: bool
) -> None:
    """Raise IllegalMoveError if the last move of a legal record can be its result, too."""
    rest = RESULT.sub("", text)
    if rest == text or rest not in texts or rest.endswith(","):  # `text` had a result, or is a list
        return
    try:
        _replay(game, p, rest, from_zero)
    except IllegalMoveError:
        return
    raise _AmbiguousRecordError(
        f"{text[len(rest) + 1 :]!r} at the end of {printable(text, 40)!r} can be a move or the"
        " result: write a comma before it if it is a move, and else leave it out"
    )


def _cleaned(record: str) -> Iterator[str]:
    """Yield a record as it is, and then with less and less of what may be no move.

    Labels may look like a comment, a result, or two moves with a sign between them.
    """
    yield " ".join(record.split())  # pages have other spaces than plain ones
    record = PRAISE.sub("", COMMENT.sub(" ", record)).strip() or record
    if re.match(r"\d+[):]", record) and "(" not in record:  # 1) and 1: are numbers of moves
        record = re.sub(r"(?<![^\s,])(\d+)[):](?=\s)", r"\1.", record)
    record = " ".join(record.split())
    bare = HEADING.sub("", record, count=1) if HEADING.match(record) else record
    for text in (record, bare):
        yield text
        yield RESULT.sub("", text)
    yield SIGNS.sub(" ", RESULT.sub("", bare))


def _replay(game: Game[Any, Any], p: Any, record: str, from_zero: bool) -> list[tuple[Any, Any]]:
    """Return what `replay` does for a text that has nothing but moves."""
    if (pairs := find_pairs(game, p, record)) is not None:
        return Reading(*read_pairs(game, p, pairs, from_zero)).replay(game, p)
    count = len(record.replace(",", " ").split())
    if not 0 < count <= MOST_MOVES:
        raise IllegalMoveError(
            f"the record of a game has 1 to {MOST_MOVES:,} moves separated by spaces, not {count:,}"
        )
    is_tuple = bool(TUPLE.fullmatch(record)) and not game.text(p).startswith("(")
    is_list = is_tuple or _is_list(record)
    legal: list[list[tuple[Any, Any]]] = []
    reasons: list[IllegalMoveError] = []
    for reading in _readings(game, p, record, is_tuple, from_zero):
        if legal and not is_list:  # of a list, all readings must agree
            break
        try:
            legal.append(reading.replay(game, p))
        except IllegalMoveError as error:
            reasons.append(error)
    if not legal:
        raise max(reasons, key=lambda reason: reason.played)
    if legal[-1] != legal[0]:
        raise _ambiguous(game, record, legal)
    return legal[0]


def _readings(
    game: Game[Any, Any], p: Any, record: str, is_tuple: bool, from_zero: bool
) -> list[Reading]:
    """Return the ways to read a record, the likeliest first; raises IllegalMoveError."""
    bare = record
    if record.count("[") < 2:  # several lists are not one game
        bare = _without_numbers(BRACKETS.sub(" ", record), p == game.initial())
    if is_tuple:
        if game.board is not None and len(bare.split(",")) == 2:
            raise IllegalMoveError(
                f"{record!r} can be two moves, or a row and a column: write moves without"
                " parentheses",
                IS_RECORD,
            )
        bare = bare.strip("()")
    bare = bare.strip(SEPARATORS) or record
    if record.startswith("["):
        bare += ","  # even the only word of a list is one move
    moves, sides = _without_sides(game, bare)
    by_label = [Reading(text, game.label) for text in dict.fromkeys((record, bare))]
    if sides:
        by_label.append(Reading(moves, game.label, sides))
    by_label.append(Reading(moves.lower(), _column(game), sides))
    by_code = Reading(moves, lambda _, m: str(game.code(m)), sides)  # which counts from 0
    if from_zero:
        return [by_code]
    words = moves.replace(",", " ").split()
    has_zero = "0" in (words if len(words) > 1 else moves)
    return [*by_label, by_code] if is_tuple or _is_list(record) or has_zero else by_label


def _is_list(record: str) -> bool:
    """Return whether a record is one that programs print: in brackets, or with commas alone."""
    return record.startswith("[") or ("," in record and " " not in record)


def _without_sides(game: Game[Any, Any], record: str) -> tuple[str, tuple[str, ...]]:
    """Return a record without the sides before its moves, and these; none unless all have one."""
    seats = "|".join(map(re.escape, game.seats))
    before, *named = re.split(rf"(?i)(?<![^\s,])({seats}):?(?=[\s\d])", record)
    texts = [text.strip(SEPARATORS) for text in named[1::2]]
    if before.strip(SEPARATORS) or not all(texts):
        return record, ()
    return " ".join(texts), tuple(seat_named(game, side) for side in named[::2])


def _ambiguous(
    game: Game[Any, Any], record: str, readings: list[list[tuple[Any, Any]]]
) -> IllegalMoveError:
    """Return the error for a record whose moves may count from 0 or from 1."""
    meant = (" ".join(game.label(*step) for step in readings[i]) for i in (-1, 0))
    return _AmbiguousRecordError(
        f"{printable(record, 40)!r} can count moves from 0 and from 1: write"
        f" {' or '.join(meant)} without brackets or commas",
        len(readings[0]),
    )


def _without_numbers(record: str, from_start: bool) -> str:
    """Return a record without the numbers before its moves; raises IllegalMoveError.

    They go up from 1, unless the record does not begin at the start, and one is repeated where the
    second side moves, as in "1. 5 1... 1". A single one at the end is a move and the full stop.
    """
    numbers = [*NUMBER.finditer(record)]
    if not numbers:
        return record
    rest = NUMBER.sub(" ", record)
    if len(numbers) == 1 and numbers[0].end() == len(record.rstrip(SEPARATORS)):
        return record.rstrip(SEPARATORS).rstrip(".")
    right = not record[: numbers[0].start()].strip(SEPARATORS)
    last = 0 if from_start else int(numbers[0][1]) - 1
    for number, dots in ((int(match[1]), match[2]) for match in numbers):
        is_next = number == last + 1 and (dots == "." or not from_start)
        right &= is_next or (number == last > 0 and dots != ".")
        last = number
    if not right:
        raise IllegalMoveError(
            f"the moves of {printable(record, 40)!r} are not numbered from 1 on, as in 1. 5 1 2. 9",
            IS_RECORD,
        )
    return rest


def _check_sides(game: Game[Any, Any], named: Sequence[str], played: int) -> None:
    """Raise IllegalMoveError if the sides before the moves of a record do not take turns."""
    if len(named) != played:
        raise IllegalMoveError(
            f"the record names a side {len(named)} times for {played} moves: name it before each"
            " move or before none",
            played,
        )
    for ply, side in enumerate(named):
        if side != game.seats[ply % 2]:
            raise IllegalMoveError(
                f"move {ply + 1} of the record is said to be {side}'s: the sides take turns,"
                f" {game.seats[0]} first",
                played,
            )


def _column(game: Game[P, M]) -> Callable[[P, M], str]:
    """Return a function that names the columns of a board by letters."""
    columns = (game.board or (0, 0))[0]

    def label(p: P, m: M) -> str:
        name = game.label(p, m)
        is_column = name.isdecimal() and len(game.moves(game.initial())) == columns <= len(FILES)
        return FILES[int(name) - 1] if is_column else name

    return label


def _replayed(
    game: Game[P, M], p: P, record: str, label: Callable[[P, M], str]
) -> list[tuple[P, M]]:
    """Return what `replay` does if moves have these labels."""
    played: list[tuple[P, M]] = []
    has_words = any(sign in record for sign in SEPARATORS)
    while rest := record.lstrip(SEPARATORS):
        word = _first(game, p, rest, label, has_words)
        try:
            move = find_move(game, p, word, label)
        except IllegalMoveError as error:
            number = len(played) + 1
            raise IllegalMoveError(f"move {number} of the record: {error}", number - 1) from error
        played.append((p, move))
        p, record = game.play(p, move), rest[len(word) :]
    return played


def _first(
    game: Game[P, M], p: P, record: str, label: Callable[[P, M], str], has_words: bool
) -> str:
    """Return the first move of a record: a label such as "(0, 1)", else all up to a separator.

    If the record is one word, and all labels are of one length, it is as long as they are.
    """
    moves = () if game.primitive(p) is not None else game.moves(p)
    labels = sorted((label(p, m) for m in moves), key=len, reverse=True)
    ends = ("", *SEPARATORS)
    whole = (n for n in labels if record.startswith(n) and record[len(n) : len(n) + 1] in ends)
    word = next(WORD.finditer(record))[0]
    sizes = {*map(len, labels)}
    if not has_words and len(sizes) == 1:
        first = record[: len(labels[0])]
        if first in labels or all(map(str.isdecimal, [word, *labels])):
            word = first
    return next(whole, word)


def folded(name: str) -> str:
    """Return a name in lower case without the + and # of chess moves."""
    return name.lower().rstrip("+#")


def forced_wait(game: Game[P, M], p: P) -> M | None:
    """Return the only legal move of a position if it is called pass or wait, else None."""
    moves = legal_moves(game, p)
    label = game.label(p, moves[0]).lower() if len(moves) == 1 else ""
    return moves[0] if label in WAITS else None
