"""The agent: answers from a table in constant time.

Takes a table and a position; returns the position's outcome, distance and moves, best first. A
position outside the table raises UnknownPositionError. In place of a table it takes an oracle,
which searches and has the same look-ups.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from solver.errors import IllegalPositionError
from solver.games import built_in_name, load_game
from solver.rules.game import Game, check_turn_at, seat_named
from solver.startup import M, NamedTuple, P, Typed, named_tuple
from solver.tables.json_table import Table, decode
from solver.tables.store import read_file, shipped_path
from solver.value import Outcome, distance, outcome, score

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from typing import Any, overload

    import numpy as np

    from solver.agent.board_arrays import Batch
    from solver.tables.mapped_table import MappedTable
    from solver.tables.scores import Scores


MOST_CACHED = 100_000  # best moves that an agent caches


@named_tuple
class MoveScore(NamedTuple):
    """The value of a move for the side that makes it."""

    move: Any
    """The move as the game's rules write it; a cell 0-8 in tic-tac-toe."""
    label: str
    """The move as people write it; a cell 1-9 in tic-tac-toe."""
    outcome: Outcome
    """The outcome of the move under perfect play."""
    distance: int | None
    """Plies to the end of the game, this move included (1 = wins at once); None for a draw."""
    trap: float
    """The share of the opponent's replies, from 0 to 1, that worsen the opponent's outcome."""


class TableAgent(Typed[P, M]):
    """Perfect play from a table; by default, tic-tac-toe from the table in the package.

    A board is a text that the game parses, such as 'X...O....', a `solver.Board`, or a position of
    its rules. A str is always a text; so is a position that is a str, unless its game defines
    `text`. `turn` is the seat to move on a text, where it does not follow from X moving first.
    Every method raises IllegalPositionError for a board that is not a position of the game, and
    UnknownPositionError for a position outside the table.
    """

    if TYPE_CHECKING:

        @overload
        def __init__(self: TableAgent[int, int], table: None = None) -> None: ...
        @overload
        def __init__(self, table: Scores) -> None: ...

    def __init__(self, table: Scores | None = None) -> None:
        if table is not None and not hasattr(table, "probe"):
            raise TypeError(f"{table!r:.80} is not a table; open_agent(table=PATH) opens one")
        source: Any = table
        if source is None:
            if (path := shipped_path("tictactoe")) is None:
                raise FileNotFoundError(
                    "the table of tictactoe is missing: run make solve, or reinstall"
                )
            source = decode(read_file(path))
        self.table: Table | MappedTable = source
        """What the agent plays from; an oracle has only the look-ups: probe, moves and best."""
        self.game: Game[P, M] = self.table.game
        if not type(self.game).__module__.startswith("solver."):
            from solver.rules.declared import check_declared

            check_declared(self.game)  # which messages and pages rely on
        self._position_type: type = type(self.game.initial())
        self._choices: dict[Any, M | None] = {}  # best moves by text

    def __repr__(self) -> str:
        return f"TableAgent({self.table!r})"

    @cached_property
    def is_custom(self) -> bool:
        """Whether the rules are not those of a built-in game that was loaded by its name."""
        return built_in_name(self.game) is None

    def best_move(self, board: Any, turn: str | None = None) -> M | None:
        """Return the best move, or None if the game is over.

        The best move by outcome, then distance, then trap; of equal moves, the first in the order
        of the rules on the given board.
        """
        if turn is None:
            try:
                return self._choices[board]
            except (KeyError, TypeError):
                pass
        p = self.position(board, turn)
        choice: M | None = self.table.best(p)
        if turn is None and isinstance(board, str) and len(self._choices) < MOST_CACHED:
            self._choices[board] = choice
        return choice

    def scores(self, board: Any, turn: str | None = None) -> list[MoveScore]:
        """Return the values of all legal moves, best first; none if the game is over."""
        return self.scores_at(self.position(board, turn))

    def outcome(self, board: Any, turn: str | None = None) -> Outcome:
        """Return the outcome for the side to move under perfect play."""
        return outcome(self.table.probe(self.position(board, turn)))

    def distance(self, board: Any, turn: str | None = None) -> int | None:
        """Return the plies to the end of the game under perfect play; None for a draw."""
        return distance(self.table.probe(self.position(board, turn)))

    def line(self, board: Any, turn: str | None = None) -> list[M]:
        """Return the moves to the end of the game if both sides play their best moves.

        If a position repeats, the line ends there, in a draw.
        """
        return self.line_at(self.position(board, turn))

    def line_at(self, p: Any) -> list[Any]:
        """Return what `line` does for a position of the rules."""
        moves, seen = [], {p}
        while self.game.primitive(p) is None:
            moves.append(self.table.best(p))
            p = self.game.play(p, moves[-1])
            if p in seen:
                break
            seen.add(p)
        return moves

    def best_moves(self, boards: np.ndarray | Sequence[Any]) -> np.ndarray:
        """Return the best move on each of n boards, as tables write it; -1 or "" if there is none.

        `boards` is an integer array, (n, cells) or (n, rows, columns): 1 for X, -1 for O and 0 for
        empty; X moves first. Or it is a sequence of boards as the other methods take them. Those of
        m,n,k games of up to nine cells, as arrays, are looked up by the million a second. Raises
        IllegalPositionError, which names the row, if a board cannot arise, and ImportError without
        numpy, which the extra `fast` installs.
        """
        from solver.agent.board_arrays import best_moves

        return best_moves(self, boards)

    @cached_property
    def batch(self) -> Batch:
        """Best moves for arrays of boards of small m,n,k games."""
        from solver.agent.board_arrays import Batch

        return Batch(self.game, self.table)

    def position(self, board: Any, turn: str | None = None) -> P:
        """Return the position that a board shows."""
        is_board = hasattr(board, "position_for")  # a solver.Board; importing it would take time
        if not is_board and (isinstance(board, str) or type(board) is not self._position_type):
            seat = turn if turn is None else seat_named(self.game, turn)
            p: P = self.game.parse(board, seat)
            if seat is not None:
                check_turn_at(self.game, p, seat)
            return p
        if turn is not None:
            raise ValueError(f"turn is for a text; the position {board!r} has a side to move")
        if not is_board and self.game.parse(self.game.text(board)) != board:
            raise IllegalPositionError(f"{board!r} is not a position of {self.game.spec}")
        shown: P = board.position_for(self.game) if is_board else board
        return shown

    def scores_at(self, p: P) -> list[MoveScore]:
        """Return the values of all legal moves in a position of the rules, best first."""
        label = self.game.label
        scores = [
            MoveScore(m, label(p, m), outcome(value), distance(value), trap)
            for m, value, trap in self.table.moves(p)
        ]
        return sorted(scores, key=rank)


def open_agent(
    game: Game[P, M] | str | None = None, table: str | os.PathLike[str] | None = None
) -> TableAgent[P, M]:
    """Return the agent that answers for a game, given as rules or by its name.

    It plays from the table in a file, which names its game unless that is a custom one, or from the
    table that is stored for the game. Where there is none, a small game is solved at once: one of
    at most 25,000 positions up to symmetry, in at most 3 s. A larger one is searched if it has a
    search, as Connect 4 has: each answer is as exact, but takes time. A large table is read as
    needed and only its shape is checked; `solver.verify` checks it all.

    Raises OSError if there is no such file, no table and no search, UnknownGameError,
    TableFormatError for a damaged table, GameLawError if rules that are solved break a law, and
    ImportError if the search needs an extra.
    """
    from solver.agent.installed import open_installed
    from solver.tables.open import open_table

    if table is None and game is None:
        game = "tictactoe"
    rules: Any = None if game is None else rules_for(game)
    if table is not None:
        return TableAgent(open_table(table, rules))
    return TableAgent(open_installed(rules, game if isinstance(game, str) else None))


def rules_for(game: TableAgent[P, M] | Game[P, M] | str) -> Game[P, M]:
    """Return the rules of an agent, or of a game or its name; raises TypeError for all else."""
    rules: Any = load_game(game) if isinstance(game, str) else game
    rules = rules.game if isinstance(rules, TableAgent) else rules
    if not isinstance(rules, Game):
        hint = f": write {rules.__name__}()" if isinstance(rules, type) else ""
        raise TypeError(f"expected a game's name, a Game or a TableAgent, got {game!r:.80}{hint}")
    return rules


def agent_for(
    game: TableAgent[P, M] | Game[P, M] | str,
) -> TableAgent[P, M]:
    """Return an agent, or the one for a game or its name, which is the same for all calls."""
    return game if isinstance(game, TableAgent) else _opened(game)


_opened = lru_cache(maxsize=8)(open_agent)


def rank(m: MoveScore) -> tuple[int, float]:
    """Return the sort key for best moves first: by outcome, distance and trap."""
    return -score(m.outcome, m.distance or 0), -m.trap


def ties(scores: list[MoveScore]) -> list[MoveScore]:
    """Return the moves that tie with the first of `scores` on outcome and distance."""
    return [s for s in scores if (s.outcome, s.distance) == (scores[0].outcome, scores[0].distance)]
