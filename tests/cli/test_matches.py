"""The commands players and arena."""

from __future__ import annotations

import pytest

from tests.conftest import BOTS, Command


@pytest.mark.slow
def test_arena_sampled(command: Command) -> None:
    arguments = ("arena", "random", "winblock", "--games", "101", "--seed", "4")
    answer = command.json(*arguments)
    assert (answer["a_first"]["games"], answer["a_second"]["games"]) == (51, 50)
    assert command(*arguments) == 0
    assert "101 games sampled, seed 4" in command.out


@pytest.mark.slow
def test_arena_with_custom_players(command: Command) -> None:
    assert command.json("arena", f"{BOTS}:undeclared", "perfect")["method"] == "sampled"
    gone = command.json("arena", f"{BOTS}:dies", "perfect", "--deterministic")
    assert (gone["method"], gone["both"]["loss"]) == ("exact", 1)
    assert [fault["kind"] for fault in gone["faults"]] == ["ended"]
    assert command("arena", f"{BOTS}:dies", "perfect", "--deterministic") == 0
    assert "No legal move, which loses the game, in" in command.out


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["mnk:3,3,3,misere", pytest.param("mnk:5,5,4", marks=pytest.mark.campaign)]
)
def test_players_that_need_no_table_play_without_one(command: Command, spec: str) -> None:
    """Among more than two players, exact results are tried first, for seconds in a large game."""
    game = ("--game", spec, "--games", "2")
    assert command("arena", "random", "winblock", *game) == 0
    assert command("arena", "random", "win", "winblock", *game[:2], "--games", "1") == 0
    for name in ("perfect", "minimax"):
        assert f"run perfectplay solve {spec}" in command.refuses("arena", "win", name, *game)


def test_players_and_conventions_are_listed_as_json(command: Command) -> None:
    found = command.json("players")
    assert {p["name"] for p in found["players"]} >= {"human", "random", "think3", "nstep:N"}
    called = [c["name"] for c in found["conventions"]]
    assert called == ["rows", "cells", "numpad", "kaggle", "text"]
