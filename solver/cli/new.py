"""The command new: a game to start from, and its tests."""

from __future__ import annotations

import os
from contextlib import ExitStack
from importlib.util import find_spec
from keyword import iskeyword
from string import Template
from typing import Annotated

import typer

GAME = '''\
"""A game for two, to change into yours."""

from solver import Game, Outcome

CELLS = 7


def near(cell):
    """Return a cell and its neighbours."""
    return [c for c in (cell - 1, cell, cell + 1) if 0 <= c < CELLS]


class $kind(Game):
    """Mark a cell of a row, but none beside a marked one; who cannot do so loses."""

    def initial(self):
        """Return the position at the start: a number, a text or a tuple of those."""
        return (0,) * CELLS  # 1: marked; if it matters whose turn it is, add a place

    # def turn(self, p):
    #     return self.seats[p[CELLS]]  # what that place is for: 0 if X is to move, 1 if O

    def moves(self, p):
        """Return the legal moves; this is asked only while the game goes on."""
        return [cell for cell in range(CELLS) if not any(p[c] for c in near(cell))]

    def play(self, p, m):
        """Return the position after a move, for the other side to move."""
        return p[:m] + (1,) + p[m + 1 :]

    def primitive(self, p):
        """Return the outcome for the side to move if the game is over, else None."""
        return None if self.moves(p) else Outcome.LOSS
'''
TEST = '''\
"""Tests of $name.py; to run them: python -m pytest test_$name.py"""

from solver import Outcome, TableAgent, check_game, solve

from $name import $kind

RULES = $kind()


def test_positions_that_were_worked_out_by_hand():
    p = (1, 0, 0, 0, 0, 0, 1)  # after two moves
    assert RULES.moves(p) == [2, 3, 4]
    assert RULES.play(p, 3) == (1, 0, 0, 1, 0, 0, 1)
    assert RULES.primitive(p) is None
    assert RULES.primitive((1, 0, 0, 1, 0, 0, 1)) == Outcome.LOSS
    agent = TableAgent(solve(RULES))
    assert agent.best_move(p) == 3  # leaves no move
    assert agent.outcome((0, 0, 1, 0, 0, 0, 1)) == Outcome.LOSS  # two moves are left


def test_the_rules_obey_the_laws_of_a_game():
    assert check_game(RULES) > 1


def minimax(p, values):
    """Return 1, 0 or -1 for the side to move; works if no position can repeat."""
    over = RULES.primitive(p)
    if p not in values and over is not None:
        values[p] = int(over)
    elif p not in values:
        values[p] = max(-minimax(RULES.play(p, m), values) for m in RULES.moves(p))
    return values[p]


def test_every_solved_value_is_that_of_minimax():
    agent, values = TableAgent(solve(RULES)), {}
    minimax(RULES.initial(), values)
    for p, value in values.items():
        assert agent.outcome(p) == value, p
'''
USED = ("Game", "Outcome", "TableAgent", "CELLS", "RULES")  # names in the files
NEXT = ("check", "solve", "play --game")


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The name of the file, such as three_rows.")
    ],
) -> None:
    """Write a small game, to change into your own, and its tests.

    NAME.py, with the rules, and test_NAME.py are written to the working directory. Neither may
    exist already.
    """
    kind = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    if not name.isascii() or any(not n.isidentifier() or iskeyword(n) for n in (name, kind)):
        raise ValueError(
            f"{name!r} cannot name a module and a class of Python: write letters, digits and"
            " underscores, such as three_rows"
        )
    files = {f"{name}.py": GAME, f"test_{name}.py": TEST}
    if existing := next(filter(os.path.lexists, files), None):
        raise ValueError(f"{existing} exists already; choose another name")
    if kind in USED:
        raise ValueError(f"the files use the name {kind} for something else; choose another name")
    if (module := find_spec(name)) is not None and module.origin is not None:
        raise ValueError(f"{name}.py would hide the Python module {name}; choose another name")
    with ExitStack() as undo:  # both or none
        for path, text in files.items():
            with open(path, "x", encoding="utf-8") as file:
                undo.callback(os.unlink, path)
                file.write(Template(text).substitute(name=name, kind=kind))
        undo.pop_all()
    typer.echo(f"wrote {' and '.join(files)}; next:")
    for command in NEXT:
        typer.echo(f"  perfectplay {command} {name}.py:{kind}")
