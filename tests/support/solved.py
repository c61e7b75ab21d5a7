"""Solved games, matches and grades that several tests need, computed once in a process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from solver import Player, TableAgent, load_game, load_player, solve

if TYPE_CHECKING:
    from solver import Grade, Match

PAWNS = "kingspawns:..k./.p../..P./.K..,promotion=wins"
QUEEN = "kingspawns:k.../..../P.../...K"  # its one pawn may become a queen


@cache
def solved_agent(spec: str) -> TableAgent:
    """Return an agent with the table of a small game; tic-tac-toe's is the shipped one."""
    return TableAgent() if spec == "tictactoe" else TableAgent(solve(load_game(spec)))


@cache
def player(name: str, spec: str = "tictactoe") -> Player:
    """Return a listed player of a game."""
    return load_player(name, solved_agent(spec))


@cache
def exact_match(a: str, b: str, spec: str = "tictactoe") -> Match:
    """Return the exact match of two listed players."""
    from solver import play_exact

    return play_exact(solved_agent(spec).game, player(a, spec), player(b, spec))


@cache
def graded(name: str, seats: str) -> Grade:
    """Return the grade of a listed player at tic-tac-toe."""
    from solver import grade

    return grade(player(name), solved_agent("tictactoe"), seats)
