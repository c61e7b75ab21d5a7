"""OpenSpiel's games by name, as in `openspiel:hex(board_size=3)`; only this file imports pyspiel.

A position is a text: the state as OpenSpiel prints it, in one line, and the side to move, 0 or 1.
With `+plies` after the name it also holds the number of moves, with `+history` all moves. If a
player moves again, the other side passes in between. Only the sign of the returns counts.

What a text lacks must not matter, or its value would be wrong. The first game that reaches a text
stands for it. Wherever another one leads there, in any process that expands a position,

1. both must have the same player, outcome, moves, and texts after each move,
2. both must go on alike to the end along one line of moves, drawn by the moves of the other, and
3. no moves may lead back to the text: OpenSpiel ends every game, by something that it then lacks,
   such as a limit on moves or a rule about repetition.

Otherwise the game is refused. The first alone would not do, since only games that stand for a text
are followed: two could agree for one move, and differ later. Even so it is trusted that games are
one position if no such line differs. With `+history` no games meet.
"""

from __future__ import annotations

import heapq
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from string import ascii_lowercase
from typing import Any
from zlib import crc32

import pyspiel

from solver.errors import (
    GameLawError,
    IllegalPositionError,
    UnknownGameError,
    one_line,
    quoted,
    shorten,
)
from solver.rules.game import Game
from solver.value import Outcome

NAMED = r"(?!.*[(,](?!\s*\w+=|\)))"  # every parameter has its name
NAME = re.compile(rf"openspiel:{NAMED}((\w+)(?:\(.*\))?)(\+plies|\+history|)", re.ASCII)
LONGEST = 200  # characters of a name
TURN = re.compile(r" ([01])(?: pass)?(?: #([\d,]*))?$")  # after the board
SEARCHED = 100_000  # positions that are met in search of a text
PASS = -1  # the move of a side whose opponent moves again
TRIED = 20.0  # seconds for the first game
TRY = """import sys, pyspiel
name, spec = sys.argv[1:]
if name in pyspiel.registered_names():  # else only the other process has registered it
    try:
        state, plies = pyspiel.load_game(spec).new_initial_state(), 0
        while [str(state)] and state.current_player() >= 0 and plies < 100:
            legal = state.legal_actions() or sys.exit("a position has no move")
            state.apply_action(legal[plies % len(legal)])
            plies += 1
    except Exception as error:
        sys.exit("\\n" + str(error).splitlines()[0])"""
TYPES = {
    "dynamics": ("SEQUENTIAL", "its players move at the same time"),
    "chance_mode": ("DETERMINISTIC", "it has chance"),
    "information": ("PERFECT_INFORMATION", "players do not see everything"),
    "utility": ("ZERO_SUM", "one player's gain is not the other's loss"),
}


class _Node:
    """A state, the side to move, and, once they are needed, its moves and the texts after them.

    A move leads to a higher level. The children are in the memory of the game if it is `linked`.
    """

    __slots__ = ("after", "level", "linked", "moves", "side", "state")

    def __init__(self, state: Any, side: int, level: int) -> None:
        self.state, self.side, self.level = state, side, level
        self.moves: Sequence[int] = ()
        self.after: list[str] = []
        self.linked = False

    @property
    def passes(self) -> bool:
        """Whether the other player is to move, who has just moved; raises GameLawError."""
        player = self.state.current_player()
        if player == pyspiel.PlayerId.CHANCE:
            raise GameLawError(f"{self.state.get_game()} has chance, though OpenSpiel denies it")
        return bool(player == 1 - self.side)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome for the side to move if the game is over."""
        if not self.state.is_terminal():
            return None
        result = self.state.returns()[self.side]
        return Outcome((result > 0) - (result < 0))

    def child(self, move: int) -> _Node:
        """Return the node after a move."""
        state = self.state if move == PASS else self.state.child(move)
        return _Node(state, 1 - self.side, self.level + 1)


class OpenSpiel(Game[str, int]):
    """A game of OpenSpiel; `load` makes it."""

    seats = "First", "Second"
    one_process = True

    def __init__(self, game: Any, holds: str) -> None:
        self._game, self._holds = game, holds
        self._name = f"openspiel:{str(game).removesuffix('()')}"
        kind = game.get_type()
        self.title = one_line(kind.long_name)
        self.about = f"OpenSpiel's game {kind.short_name}; only the sign of its returns counts."
        start = _Node(game.new_initial_state(), 0, 0)
        self._start = self._text(start)
        self._memory = {self._start: start}
        rows = _grid(self._start)
        self.board = (len(rows[0]), len(rows)) if rows else None
        self._unknown = "?" * sum(map(len, rows))
        first = "".join(self._expanded(start)[1][:1])
        if {*"".join(rows)} == {"."} and {*"".join(_grid(first))} == {".", "x"}:
            self.seats = "X", "O"

    @property
    def spec(self) -> str:
        return self._name + self._holds

    def initial(self) -> str:
        return self._start

    def moves(self, p: str) -> Sequence[int]:
        return self._linked(p).moves

    def play(self, p: str, m: int) -> str:
        node = self._linked(p)
        return node.after[node.moves.index(m)]

    def primitive(self, p: str) -> Outcome | None:
        return self._at(p).outcome

    def label(self, p: str, m: int) -> str:
        name = "pass" if m == PASS else self._at(p).state.action_to_string(m)
        return one_line(" ".join(name.split()))

    def turn(self, p: str) -> str:
        return self.seats[self._at(p).side]

    def parse(self, text: str, turn: str | None = None) -> str:
        self._at(p := text.strip())
        return p

    def render(self, p: str, turn: str | None = None) -> str:
        drawn = map(one_line, str(self._at(p).state).rstrip().splitlines())
        return super().render(p, turn) if self.board else "\n".join(drawn)

    def marks(self, text: str) -> str:
        marks = "".join(_grid(text)) or self._unknown
        return marks.upper() if self.seats == ("X", "O") else marks

    def cell(self, p: str, m: int) -> int | None:
        is_cell = len(self._unknown) == self._game.num_distinct_actions() and m != PASS
        return m if is_cell and self.marks(p)[m] == "." else None

    def of_state(self, state: Any) -> str:
        """Return the position of a state of pyspiel, whose player is to move."""
        if str(state.get_game()) != str(self._game):
            raise IllegalPositionError(f"it is a state of {state.get_game()}, not of {self._game}")
        node = _Node(state.clone(), max(0, state.current_player()), 0)
        self._meet(text := self._text(node), node)
        return text

    def choice_of(self, player: Any) -> Callable[[str, str], Any] | None:
        """Return how a pyspiel.Bot or a policy chooses in a position; None for anything else.

        A bot is asked in any order, so it must not remember a game.
        """
        ask = getattr(player, "action_probabilities", None)
        if isinstance(player, pyspiel.Bot):
            ask = player.get_policy if player.provides_policy() else player.step
        if ask is None:
            return None

        def choose(p: str, seat: str) -> Any:
            node = self._at(p)
            answer = {PASS: 1.0} if node.passes else ask(node.state.clone())
            is_move = isinstance(answer, int)
            return answer if is_move else {int(m): x for m, x in dict(answer).items() if x}

        return choose

    def _text(self, node: _Node) -> str:
        state = node.state
        text = str(state).strip().replace("\n", "/")
        text = f"{text if text.isprintable() else one_line(text)} {node.side}"
        text += " pass" if node.passes else ""
        if self._holds == "+plies":
            return f"{text} #{state.move_number()}"
        return f"{text} #{','.join(map(str, state.history()))}" if self._holds else text

    def _at(self, p: str) -> _Node:
        return self._memory.get(p) or self._search(p)

    def _expanded(self, node: _Node) -> tuple[Sequence[int], list[str]]:
        """Return the moves of a state and the texts after them."""
        if not node.moves:
            moves = [PASS] if node.passes else node.state.legal_actions()
            node.after = [self._text(node.child(m)) for m in moves]
            node.moves = moves  # last, since a server asks in several threads
        return node.moves, node.after

    def _linked(self, p: str) -> _Node:
        """Return the node of a position, after all of its children were compared."""
        node = self._at(p)
        if not node.linked:
            for m, text in zip(*self._expanded(node), strict=True):
                self._meet(text, node.child(m))
                self._lift(p, text, node.level + 1)
            node.linked = True
        return node

    def _meet(self, text: str, other: _Node) -> None:
        """Remember a new text; raise GameLawError if a known one stands for another position."""
        node = self._memory.setdefault(text, other)
        if node is other or node.state.history() == other.state.history():
            return
        here = [(k.state.current_player(), k.outcome, *self._expanded(k)) for k in (node, other)]
        if here[0] != here[1] or _line(node, other) != _line(other, other):
            games = " and ".join(shorten(str(k.state.history()), 80) for k in (node, other))
            raise self._refused(f"the games {games} lead to {text!r} and go on differently")

    def _lift(self, p: str, text: str, level: int) -> None:
        """Give the positions that a child of `p` leads to higher levels, unless `p` is one."""
        waiting = [(text, level)]
        while waiting:
            q, level = waiting.pop()
            if q == p:
                raise self._refused(f"a game repeats texts, such as {p!r}, but no game is endless")
            node = self._memory[q]
            if node.level < level:
                node.level = level
                waiting += [(child, level + 1) for child in node.after if node.linked]

    def _refused(self, reason: str) -> GameLawError:
        way = f"{self._name}+history, whose texts hold all moves"
        if not self._holds:
            way = f"{self._name}+plies, whose texts hold the number of moves, or {way}"
        return GameLawError(
            f"{self.spec}: {reason}, so positions print the same although they differ: name {way}"
        )

    def _search(self, text: str) -> _Node:
        """Return the node of a text; raises IllegalPositionError unless a game leads to it.

        Games are followed from the texts that are most like it.
        """
        waiting, met = [(0, self._start)] if TURN.search(text) else [], {self._start}
        while waiting and len(met) < SEARCHED:
            for q in self._linked(heapq.heappop(waiting)[1]).after:
                if q == text:
                    return self._memory[q]
                if q not in met:
                    met.add(q)
                    heapq.heappush(waiting, (sum(map(str.__ne__, q, text)), q))
        where = f"it is not among {len(met):,} positions" if waiting else "no game leads there"
        raise IllegalPositionError(
            f"{quoted(text)} is not a position of {self.spec}: {where}; one is {self._start!r}"
        )


def _line(node: _Node, other: _Node) -> list[Any]:
    """Return what happens after `node` along a line that the moves before `other` choose."""
    state, draw, steps = node.state.clone(), crc32(repr(other.state.history()).encode()), []
    while not state.is_terminal() and (legal := state.legal_actions()):
        steps.append((state.current_player(), legal))
        draw = draw * 1664525 + 1013904223 & 0xFFFFFFFF  # of Numerical Recipes
        state.apply_action(legal[(draw >> 16) % len(legal)])
    return [*steps, _Node(state, 0, 0).outcome]


def _grid(text: str) -> list[str]:
    """Return the rows of a board without coordinates; none if it is not a rectangle of letters."""
    board = text[: match.start()] if (match := TURN.search(text)) else text
    rows = [re.sub(r"^\d+|\s", "", row) for row in board.split("/")]
    rows = [row for row in rows if row != ascii_lowercase[: len(row)]]
    fits = len({*map(len, rows)}) == 1 < min(len(rows), len(rows[0]))
    return rows if fits and all(re.fullmatch(r"[A-Za-z.+*@#-]+", row) for row in rows) else []


class AgentBot(pyspiel.Bot):  # type: ignore[misc]  # pyspiel has no types
    """The agent of an OpenSpiel game as a pyspiel.Bot."""

    def __init__(self, agent: Any) -> None:
        super().__init__()
        self._agent = agent

    def step(self, state: Any) -> int:
        """Return the best move in a state."""
        return int(self._agent.best_move(self._agent.game.of_state(state)))


def load(spec: str) -> OpenSpiel:
    """Return the game of a name; raises UnknownGameError with the reason if it does not fit."""
    match = NAME.fullmatch(spec) if len(spec) <= LONGEST else None
    try:
        if match is None:
            _check_name(re.split(r"[(+]", spec.partition(":")[2])[0])
            if listed := re.search(r"(\w+)=([\w.]+(?:,[\w.]+)+)(?=[,)])(?!=)", spec):
                right = f"{listed[1]}={listed[2].replace(',', ';')}"
                raise ValueError(f"between the items of a list is a semicolon: write {right}")
            raise ValueError("write openspiel:NAME or openspiel:NAME(PARAMETER=VALUE,...)")
        if twice := re.search(r"[(,](\w+)=[^()]*,\1=", spec):
            raise ValueError(f"it has the parameter {twice[1]} twice")
        return OpenSpiel(_loaded(match[1], match[2]), match[3])
    except (ValueError, RuntimeError, GameLawError) as error:
        why = one_line(str(error))
        raise UnknownGameError(f"there is no game {quoted(spec)}: {why}") from error


def _check_name(name: str) -> None:
    """Raise ValueError unless OpenSpiel has a game of this name; it says which one is like it."""
    names = pyspiel.registered_names()
    if name in names:
        return
    found = f"OpenSpiel has no game {shorten(name)}"
    if name.startswith("python_"):
        found = f"{name} is written in Python, and OpenSpiel's games in Python are left out"
    by_letters = {_letters(known): known for known in names if not known.startswith("python_")}
    close = get_close_matches(_letters(name.removeprefix("python_")), by_letters, 1)
    meant = f"; did you mean openspiel:{by_letters[close[0]]}?" if close else ""
    raise ValueError(f"{found}{meant}")


def _letters(name: str) -> str:
    """Return a name without what people write between its words."""
    return re.sub(r"[-_\s]", "", name).lower()


@cache
def _loaded(spec: str, name: str) -> Any:
    """Return a game of pyspiel; raises ValueError with the reason if it is none for us.

    Another process plays it first, since some parameters end the process.
    """
    _check_name(name)
    try:
        command = [sys.executable, "-P", "-c", TRY, name, spec]
        tried = subprocess.run(command, capture_output=True, text=True, timeout=TRIED, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"a game of it takes more than {TRIED:g} seconds") from None
    if tried.returncode:
        reason = tried.stderr.strip().rpartition("\n")[2] if tried.returncode == 1 else "it crashes"
        raise ValueError(f"OpenSpiel fails with these parameters: {reason}")
    game = pyspiel.load_game(spec)
    if game.num_players() != 2:
        raise ValueError(f"it has {game.num_players()} players, and must have 2")
    for field, (right, wrong) in TYPES.items():
        if getattr(game.get_type(), field).name != right:
            raise ValueError(wrong)
    return game
