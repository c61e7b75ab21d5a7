"""A game at the terminal: people and players against each other."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from solver import boards
from solver.agent import words
from solver.errors import IllegalMoveError
from solver.pictures.marks import value_mark
from solver.players import Player
from solver.rules import grid
from solver.rules.notation import find_move
from solver.rules.playing import Playing

if TYPE_CHECKING:
    from solver.agent.agent import MoveScore, TableAgent
    from solver.rules.game import Game

HELP = "h for a hint, u to take back, q to quit"
WORDS = {"hint": "h", "undo": "u", "back": "u", "quit": "q", "exit": "q", "yes": "y", "no": "n"}
WIDEST = 79  # columns of a terminal that a board with values may take


class Quit(Exception):
    """The person at the terminal has had enough."""


class Session:
    """Games between two seats; a seat without a player is a person's.

    `ask` shows a prompt and returns a line, raising EOFError at the end; `tell` prints a line.
    """

    def __init__(
        self,
        agent: TableAgent,
        players: dict[str, Player | None],
        generator: random.Random,
        ask: Callable[[str], str],
        tell: Callable[[str], None],
        numpad: bool = False,
    ) -> None:
        self.agent = agent
        self.game = agent.game
        self.players = players
        self.generator = generator
        self.ask = ask
        self.tell = tell
        self.numpad = numpad
        self.playing = Playing(self.game)

    @property
    def turn(self) -> str:
        """The seat to move."""
        return self.playing.seat

    def play(self, first: str | None) -> None:
        """Play until the person stops; `first` is the seat to begin, None for a random one."""
        try:
            while self._game(first or self.generator.choice(self.game.seats)):
                pass
        except (Quit, EOFError, KeyboardInterrupt):
            self.tell("\nBye.")

    def _game(self, first: str) -> bool:
        """Play one game and return whether another one is wanted."""
        self.playing = Playing(self.game, first)
        while True:
            p, turn = self.playing.p, self.playing.seat
            ended = words.result(self.game, p, turn)
            if self.playing.repeated:
                ended = "The position has come for the third time: a draw."
            if ended is None:
                self._turn(p, turn)
                continue
            if None not in self.players.values():
                self.tell(ended)
                return False
            self.tell(self._picture(p, turn) + "\n\n" + ended)
            answer = self._answer("Play again? y or n (u to take back): ")
            if answer == "u":
                self._take_back()
            elif answer in ("y", "n"):
                return answer == "y"

    def _turn(self, p: Any, turn: str) -> None:
        player = self.players[turn]
        if player is None:
            self.tell(self._picture(p, turn) + "\n")
            move = self._ask_move(p, turn)
            if move is None:
                self._take_back()
                return
        else:
            move = player.sample(self.game, p, turn, self.generator)
            self.tell(f"{turn} plays {self._label(p, move)}.\n")
            if None not in self.players.values():
                self.tell(self._picture(self.game.play(p, move), self.game.other(turn)) + "\n")
        self.playing.play(move)

    def _ask_move(self, p: Any, turn: str) -> Any | None:
        """Return the move that the person types, or None to take back."""
        while True:
            answer = self._answer(f"{turn}, your move ({HELP}): ")
            try:
                return find_move(self.game, p, answer, self._label)
            except IllegalMoveError as error:
                if answer == "u":
                    return None
                self.tell(self._hint(p, turn) if answer == "h" else str(error))

    def _hint(self, p: Any, turn: str) -> str:
        """Return the board with the moves' values, and the best move with its reasons."""
        scores = self.agent.scores_at(p)
        best = scores[0]
        picture = draw_values(self.game, p, turn, scores, boards.NUMPAD if self.numpad else None)
        outcome = words.value_text(best.outcome, best.distance)
        why = "; ".join(words.reasons(self.agent, p, best, turn, self._label))
        hint = f"Hint: {self._label(p, best.move)}, {outcome}" + (f": {why}" if why else "")
        return f"{picture}\n\n{hint}"

    def _answer(self, prompt: str) -> str:
        answer = self.ask(prompt).strip().lower()
        answer = WORDS.get(answer, answer)
        if answer == "q":
            raise Quit
        return answer

    def _take_back(self) -> None:
        """Return to the last position but this one in which a person was to move."""
        history = self.playing.history
        for plies in range(1, len(history)):
            if self.players[history[-1 - plies][1]] is None:
                self.playing.take_back(plies)
                break
        else:
            self.tell("There is nothing to take back.")

    def _label(self, p: Any, m: Any) -> str:
        return str(boards.numpad_key(m)) if self.numpad else self.game.label(p, m)

    def _picture(self, p: Any, turn: str) -> str:
        if self.numpad:
            return grid.draw(self.game.text(p, turn), 3, boards.NUMPAD)
        return self.game.render(p, turn)


def draw_values(
    game: Game[Any, Any],
    p: Any,
    turn: str,
    scores: Sequence[MoveScore],
    numbers: Sequence[int] | None = None,
) -> str:
    """Return the board with the moves' values: W2 wins in 2 moves, D draws, L1 loses in 1.

    They stand beside the numbers of the cells, or below those of the columns; other pictures, and
    boards too wide for it, stay as the game draws them. `scores` come best first; the best is shown
    where several moves go to one cell.
    """
    plain = game.render(p, turn)
    if game.board is None or not scores or any(game.origin(p, s.move) is not None for s in scores):
        return plain
    columns, marks = game.board[0], game.marks(game.text(p, turn))
    cells: dict[int | None, str] = {}
    for s in scores:
        cells.setdefault(game.cell(p, s.move), value_mark(s.outcome, s.distance))
    if plain == grid.draw(marks, columns):
        plain = grid.draw(marks, columns, numbers)
        valued = _draw_cells(marks, columns, numbers, cells)
    elif plain.rpartition("\n")[2].split() == [str(i + 1) for i in range(columns)]:
        below = {cell % columns: value for cell, value in cells.items() if cell is not None}
        row = "".join(f" {below.get(i, ''):^3}" for i in range(columns)).rstrip()
        valued = f"{plain}\n{row}" if row else plain
    else:
        return plain
    return valued if max(map(len, valued.splitlines())) <= WIDEST else plain


def _draw_cells(
    marks: str, columns: int, numbers: Sequence[int] | None, values: dict[int | None, str]
) -> str:
    """Return a board as `grid.draw` does, with what is beside the number of a cell."""
    numbers = numbers or range(1, len(marks) + 1)
    wide = len(str(max(numbers)))
    room = max(map(len, values.values()))
    cells = [
        f" {number if mark == '.' else mark:>{wide}} {values.get(cell, ''):<{room}} "
        for cell, (mark, number) in enumerate(zip(marks, numbers, strict=True))
    ]
    lines = ["|".join(cells[i : i + columns]).rstrip() for i in range(0, len(cells), columns)]
    rule = "+".join("-" * len(cells[0]) for _ in range(columns))
    return f"\n{rule}\n".join(lines)
