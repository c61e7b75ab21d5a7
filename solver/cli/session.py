"""A session of games at the terminal, between people and players."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solver import boards
from solver.agent import words
from solver.agent.agent import TableAgent
from solver.agent.text import draw_values
from solver.cli.output import echo, plain_lines
from solver.errors import IllegalMoveError, PerfectplayError
from solver.players import Player
from solver.rules import grid
from solver.rules.notation import find_move, forced_wait, sort_labels
from solver.rules.playing import Playing

COMMANDS = "h for a hint, u to take back, q to quit, ? for help"
SHORT = {"hint": "h", "undo": "u", "back": "u", "quit": "q", "exit": "q", "yes": "y", "no": "n"}
SHORT["help"] = "?"


class QuitError(PerfectplayError):
    """The user quit."""


@dataclass
class Session:
    """Games between two seats; a seat without a player is a person's."""

    agent: TableAgent
    players: Mapping[str, Player]
    generator: random.Random
    numpad: bool = False

    def __post_init__(self) -> None:
        self.game = self.agent.game
        self._people = {seat for seat in self.game.seats if seat not in self.players}
        self.playing = Playing(self.game)

    def play(self, first: str | None) -> None:
        """Play games until the user quits; `first` moves first, or a random side if None."""
        try:
            while self._play_game(first or self.generator.choice(self.game.seats)):
                pass
        except (QuitError, EOFError, KeyboardInterrupt):
            echo("\nBye.")

    def _play_game(self, first: str) -> bool:
        """Play one game; return whether the user wants another."""
        self.playing = Playing(self.game, first)
        while True:
            p, turn = self.playing.position, self.playing.turn
            result = words.result(self.game, p, turn)
            if self.playing.repeated:
                result = "Threefold repetition: a draw."
            if result is None:
                self._play_move(p, turn)
                continue
            if not self._people:
                echo(result)
                return False
            echo(f"{self._picture(p, turn)}\n\n{result}")
            answer = self._command(input("Play again? (y or n, u to take back): "))
            if answer == "u":
                self._take_back()
            elif answer in ("y", "n"):
                return answer == "y"

    def _play_move(self, p: Any, turn: str) -> None:
        """Play the move of the side to move, or take back instead if the user wants to."""
        player, wait = self.players.get(turn), forced_wait(self.game, p)
        if wait is not None:
            move = wait
            echo(f"{turn} can only {self._label(p, move)}.\n")
        elif player is None:
            echo(self._picture(p, turn) + "\n")
            move = self._ask_move(p, turn)
            if move is None:
                self._take_back()
                return
        else:
            move = player.sample(self.game, p, turn, self.generator)
            echo(f"{turn} plays {self._label(p, move)}.\n")
            if not self._people:
                echo(self._picture(self.game.play(p, move), self.game.other(turn)) + "\n")
        self.playing.play(move)

    def _ask_move(self, p: Any, turn: str) -> Any | None:
        """Return the move that the user types, or None to take back."""
        while True:
            typed = input(plain_lines(f"{turn}, your move ({COMMANDS}): ")).strip()
            try:
                return find_move(self.game, p, typed, self._label)  # even one labelled h, u or q
            except IllegalMoveError as error:
                if self._is_last_wait(typed):  # as in a record of the game
                    continue
                answer = self._command(typed)
                if answer == "u":
                    return None
                replies = {"h": self._hint, "?": self._help}
                echo(replies[answer](p, turn) if answer in replies else str(error))

    def _is_last_wait(self, typed: str) -> bool:
        """Return whether the move before was a forced wait, and is typed although it is made."""
        before = [p for p, _ in self.playing.history[-2:-1]]
        waits = [(p, forced_wait(self.game, p)) for p in before]
        return any(m is not None and typed == self._label(p, m) for p, m in waits)

    def _hint(self, p: Any, turn: str) -> str:
        """Return the board with the value of each move, and the best move with its reasons."""
        try:
            scores = self.agent.scores_at(p)
        except (FileNotFoundError, ValueError) as error:  # no table, or a strategy
            return f"No hint: {error}"
        best = scores[0]
        board = draw_values(self.game, p, turn, scores, boards.NUMPAD if self.numpad else None)
        reasons = "; ".join(words.reasons(self.agent, p, best, turn, self._label))
        value = words.value_text(best.outcome, best.distance)
        hint = f"{self._label(p, best.move)}, {value}"
        return f"{board}\n\nHint: {hint}" + (f": {reasons}" if reasons else "")

    def _help(self, p: Any, turn: str) -> str:
        """Return what can be typed."""
        moves = ", ".join(sort_labels(self._label(p, m) for m in self.game.moves(p)))
        return (
            f"Type a move, for {turn}: {moves}.\nh shows the value of each move, u takes back your"
            " last move, q quits."
        )

    def _command(self, typed: str) -> str:
        """Return what the user typed, a command as one letter; raises QuitError."""
        answer = typed.strip().lower()
        answer = SHORT.get(answer, answer)
        if answer == "q":
            raise QuitError
        return answer

    def _take_back(self) -> None:
        """Go back to the previous position in which a person was to move."""
        before = enumerate(reversed(self.playing.history[:-1]), 1)
        asked = (
            i for i, (p, s) in before if s in self._people and forced_wait(self.game, p) is None
        )
        plies = next(asked, 0)
        if plies:
            self.playing.take_back(plies)
        else:
            echo("There is no move to take back.")

    def _label(self, p: Any, m: Any) -> str:
        return str(boards.numpad_key(m)) if self.numpad else self.game.label(p, m)

    def _picture(self, p: Any, turn: str) -> str:
        if self.numpad:
            return grid.draw(self.game.text(p, turn), 3, boards.NUMPAD)
        return self.game.render(p, turn)
