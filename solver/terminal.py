"""A game at the terminal: people and players against each other."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import boards, grid, words
from .players import Player

if TYPE_CHECKING:
    from .agent import TableAgent

HELP = "h for a hint, u to take back, q to quit"
WORDS = {"hint": "h", "undo": "u", "back": "u", "quit": "q", "exit": "q", "yes": "y", "no": "n"}


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
        self.history: list[tuple[Any, str]] = []

    @property
    def turn(self) -> str:
        """The seat to move."""
        return self.history[-1][1]

    def play(self, first: str | None) -> None:
        """Play until the person stops; `first` is the seat to begin, None for a random one."""
        try:
            while self._game(first or self.generator.choice(self.game.seats)):
                pass
        except (Quit, EOFError, KeyboardInterrupt):
            self.tell("\nBye.")

    def _game(self, first: str) -> bool:
        """Play one game and return whether another one is wanted."""
        self.history = [(self.game.initial(), first)]
        while True:
            p, turn = self.history[-1]
            ended = words.result(self.game, p, turn)
            if self.history.count((p, turn)) == 3:
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
        self.history.append((self.game.play(p, move), self.game.other(turn)))

    def _ask_move(self, p: Any, turn: str) -> Any | None:
        """Return the move that the person types, or None to take back."""
        legal = {self._label(p, m): m for m in self.game.moves(p)}
        codes = {self.game.code(m): m for m in legal.values()}
        moves = {code: m for code, m in codes.items() if isinstance(code, str)}
        moves |= {label.lower(): m for label, m in legal.items()}
        while True:
            answer = self._answer(f"{turn}, your move ({HELP}): ")
            if answer in moves:
                return moves[answer]
            if answer == "u":
                return None
            if answer == "h":
                best = self.agent.scores_at(p)[0]
                why = "; ".join(words.reasons(self.agent, p, best, turn, self._label))
                outcome = words.worth(best.outcome, best.distance)
                self.tell(
                    f"Hint: {self._label(p, best.move)}, {outcome}" + (f": {why}" if why else "")
                )
            else:
                labels = ", ".join(sorted(legal, key=lambda label: (len(label), label)))
                self.tell(f"{answer!r} is not a move here; the moves are {labels}")

    def _answer(self, prompt: str) -> str:
        answer = self.ask(prompt).strip().lower()
        answer = WORDS.get(answer, answer)
        if answer == "q":
            raise Quit
        return answer

    def _take_back(self) -> None:
        """Return to the last position but this one in which a person was to move."""
        earlier = [i for i, (_, turn) in enumerate(self.history[:-1]) if self.players[turn] is None]
        if earlier:
            del self.history[earlier[-1] + 1 :]
        else:
            self.tell("There is nothing to take back.")

    def _label(self, p: Any, m: Any) -> str:
        return str(boards.numpad_key(m)) if self.numpad else self.game.label(p, m)

    def _picture(self, p: Any, turn: str) -> str:
        if self.numpad:
            return grid.draw(self.game.text(p, turn), 3, boards.NUMPAD)
        return self.game.render(p, turn)
