"""What public objects show at a prompt: what they are, in one short line."""

from __future__ import annotations

import pytest

from solver import Table, TableAgent, load_game
from tests.support.small_games import Line
from tests.support.solved import graded, player
from tests.support.tables import mapped_table

TABLE = "<Table of tictactoe: 5,478 positions, 765 up to symmetry>"


def test_tables_show_their_game_and_counts(table: Table) -> None:
    """The repr of a table used to be all of its entries, 80,000 characters."""
    assert repr(table) == TABLE
    assert repr(TableAgent()) == f"TableAgent({TABLE})"
    assert repr(mapped_table("tictactoe")) == TABLE.replace("Table", "MappedTable")


def test_games_show_their_names() -> None:
    assert repr(load_game("connect4:5x4")) == "<Game connect4:5x4>"
    assert repr(Line()) == f"<Game {Line().spec}>"


@pytest.mark.slow
def test_players_and_grades_show_what_they_found() -> None:
    assert repr(player("random")) == "<Player random>"
    assert repr(graded("perfect")) == (
        "<Grade of perfect at tictactoe: never_loses=True, optimal=True, blunder_count=0>"
    )
