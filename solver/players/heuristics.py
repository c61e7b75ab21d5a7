"""Players that know only the rules: rules of thumb, and searches of a few plies.

A rule of thumb is a function of a game and a position. It returns a move, or a dict of moves to
probabilities. Where a source takes whichever of equal moves comes first, these take the first in
the order of the rules: the lowest cell.

HEURISTICS, at the end, lists them. The first paragraph of a docstring says what the player does,
and `Source:` where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.agent.agent import TableAgent
from solver.errors import UnknownPlayerError
from solver.games.mnk import Mnk
from solver.players.player import (
    EVERY_GAME,
    TICTACTOE,
    WITH_THREATS,
    Choose,
    Games,
    ListedPlayer,
    uniform,
)
from solver.rules.game import Game, legal_moves
from solver.rules.threats import blocks, threats, wins
from solver.value import Outcome

CORNERS, CENTRE, SIDES = [0, 2, 6, 8], [4], [1, 3, 5, 7]
FALLING, RISING = 0b100010001, 0b001010100  # the diagonals, as sets of cells
WON, TWO, DANGER = 1000, 1, -100  # points for three in a line, two, and two of the opponent's
LEAF = 100  # the source's score of a won game


def random(game: Game[Any, Any], p: Any) -> Any:
    """Any move.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(list(legal_moves(game, p)))


def win(game: Game[Any, Any], p: Any) -> Any:
    """A move that wins at once; else any.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(wins(game, p) or list(legal_moves(game, p)))


def winblock(game: Game[Any, Any], p: Any) -> Any:
    """A move that wins at once; else one that stops the other side from doing so; else any.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(wins(game, p) or blocks(game, p) or list(legal_moves(game, p)))


def think1(game: Game[Any, Any], p: Any) -> Any:
    """The first move that wins at once; else any.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    return _first(wins(game, p)) or random(game, p)


def think2(game: Game[Any, Any], p: Any) -> Any:
    """The first move that wins at once; else the first that blocks; else any.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    return _urgent(game, p) or random(game, p)


def think3(game: Game[Any, Any], p: Any) -> Any:
    """Like think2, but instead of any move the one that starts most ways to win in three moves.

    A way is a move, any reply, and a move that wins. Of equal moves, it takes the first.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    urgent = _urgent(game, p)
    if urgent:
        return urgent
    moves = list(legal_moves(game, p))
    replies = len(moves) - 2  # any empty cell but the two that the player takes
    counts = {m: replies * len(threats(game, game.play(p, m))) for m in moves}
    most = max(counts.values())
    return _first([m for m in moves if counts[m] == most]) if most > 0 else random(game, p)


class Lookahead1:
    """Score the lines of the board after each move, and take any of the best moves.

    A line of three of the player's marks counts 1000, a line of two and an empty cell 1, and a line
    of two of the opponent's and an empty cell -100. `printed` counts as the printed program does:
    the falling diagonal twice, and the rising one never.

    Source: Bot plays Tic-Tac-Toe using One-step lookahead, Rishabh Goel.
    """

    def __init__(self, game: Mnk, printed: bool = False) -> None:
        self.game = game
        self._lines = [FALLING if printed and line == RISING else line for line in game.lines]

    def __call__(self, p: int, _: str) -> dict[int, float]:
        """Return the player's distribution."""
        return _any_best(self.scores(p))

    def scores(self, p: int) -> dict[int, int]:
        """Return the score of every move, for the side to move."""
        game = self.game
        return {m: _line_score(game, self._lines, game.play(p, m)) for m in game.moves(p)}


def _line_score(game: Mnk, lines: list[int], p: int) -> int:
    """Return the points of the side that has just moved."""
    theirs, mine = game.split(p)
    points = 0
    for line in lines:
        marks = (mine & line).bit_count(), (theirs & line).bit_count()
        points += WON * (marks[0] == 3) + TWO * (marks == (2, 0)) + DANGER * (marks == (0, 2))
    return points


class NStep:
    """Minimax of a fixed depth; takes any of the moves with the best score.

    `depth` counts plies, the player's move included. A won game scores 100, a lost game -100, and a
    full board or an unfinished game 0. (The printed program does not notice a full board.)

    Source: Data Science Foundations, Project Part 4: N-Step Look Ahead, Wesley Beckner.
    """

    def __init__(self, game: Game[Any, Any], depth: int) -> None:
        self.game, self.depth = game, depth
        self._known: dict[tuple[Any, int], int] = {}

    def __call__(self, p: Any, _: str) -> dict[Any, float]:
        """Return the player's distribution."""
        return _any_best(self.scores(p))

    def scores(self, p: Any) -> dict[Any, int]:
        """Return the score of every move, for the side to move."""
        game = self.game
        return {m: -self._minimax(game.play(p, m), self.depth - 1) for m in game.moves(p)}

    def _minimax(self, p: Any, depth: int) -> int:
        """Return the score for the side to move, looking `depth` plies ahead."""
        key = p, depth
        if key not in self._known:
            over = self.game.primitive(p)
            if over is not None or depth == 0:
                self._known[key] = LEAF * (over or Outcome.DRAW)
            else:
                below = (self.game.play(p, m) for m in self.game.moves(p))
                self._known[key] = max(-self._minimax(child, depth - 1) for child in below)
        return self._known[key]


def center_first(game: Game[Any, Any], p: Any) -> Any:
    """Win, block, the centre, any corner, any side: the first of these that is possible.

    Source: Data Science Foundations, Project Part 4: N-Step Look Ahead, Wesley Beckner.
    """
    return _in_order(game, p, CENTRE, CORNERS, SIDES)


def corner_first(game: Game[Any, Any], p: Any) -> Any:
    """Win, block, any corner, the centre, any side: the first of these that is possible.

    Source: Tic-Tac-Toe AI Game Project, mrizwanse.
    """
    return _in_order(game, p, CORNERS, CENTRE, SIDES)


def _first(moves: list[Any]) -> dict[Any, float] | None:
    """Return the first move with certainty, or None if there is none."""
    return {moves[0]: 1.0} if moves else None


def _urgent(game: Game[Any, Any], p: Any) -> dict[Any, float] | None:
    """Return the first move that wins at once, else the first that blocks, else None."""
    return _first(wins(game, p)) or _first(blocks(game, p))


def _in_order(game: Game[Any, Any], p: Any, *groups: list[int]) -> Any:
    free = game.moves(p)
    choices = ([cell for cell in group if cell in free] for group in groups)
    return _urgent(game, p) or uniform(next(cells for cells in choices if cells))


def _any_best(scores: dict[Any, int]) -> dict[Any, float]:
    best = max(scores.values())
    return uniform([m for m in scores if scores[m] == best])


def _rule(choose: Callable[[Any, Any], Any], games: Games) -> ListedPlayer:
    """List a function of a game and a position under its name."""
    name = choose.__name__.replace("_", "-")
    return ListedPlayer(name, choose, games, lambda agent, _: lambda p, seat: choose(agent.game, p))


def _lookahead1(agent: TableAgent, variant: str) -> Choose:
    if variant not in ("", "printed"):
        raise UnknownPlayerError(
            f"lookahead1:{variant} is not a player; lookahead1 and lookahead1:printed are"
        )
    game: Any = agent.game
    return Lookahead1(game, printed=variant == "printed")


def _nstep(agent: TableAgent, depth: str) -> Choose:
    if not (depth.isascii() and depth.isdigit() and 1 <= int(depth) <= 1000):
        raise UnknownPlayerError(
            f"nstep:{depth} is not a player; give the number of plies to look ahead, from 1 to"
            " 1000, as in nstep:3"
        )
    return NStep(agent.game, int(depth))


HEURISTICS = (
    _rule(random, EVERY_GAME),
    _rule(win, EVERY_GAME),
    _rule(winblock, WITH_THREATS),
    _rule(think1, EVERY_GAME),
    _rule(think2, WITH_THREATS),
    _rule(think3, WITH_THREATS),
    ListedPlayer("lookahead1[:printed]", Lookahead1, TICTACTOE, _lookahead1),
    ListedPlayer("nstep:N", NStep, EVERY_GAME, _nstep),
    _rule(center_first, TICTACTOE),
    _rule(corner_first, TICTACTOE),
)
