"""The levels easy, medium and hard: what `random` wins against them, in every listed game."""

from __future__ import annotations

import pytest

from scripts.levels import TARGETS, levels
from solver import TableAgent, UnknownPlayerError, load_player, play_exact, solve
from solver.games.mnk import Mnk
from solver.players.from_table import all_levels
from tests.support.solved import solved_agent

SMALL = [
    *("ponghauki", "notakto", "nim:3,4,5", "hexapawn:3x3", "tictactoe", "mnk:3,3,3,misere"),
    *("morris", "morris:any", "achi", "wild"),
]


def random_wins(agent: TableAgent, level: str) -> float:
    """Return how often `random` wins against a level, first in half of the games."""
    players = load_player("random", agent), load_player(f"level:{level}", agent)
    return play_exact(agent.game, *players).both.win


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.thinned(10, 4)
@pytest.mark.slow
def test_random_wins_what_the_levels_state(spec: str) -> None:
    agent = solved_agent(spec)
    for word, stored in all_levels()[spec].items():
        assert "games" not in stored
        assert random_wins(agent, word) == pytest.approx(stored["random_wins"], abs=0.00005)


def test_levels_meet_their_targets_where_the_game_allows() -> None:
    """Otherwise the level is the player `random` itself, or the table's own player."""
    for spec, words in all_levels().items():
        assert list(words) == list(TARGETS), spec
        shares = [stored["p"] for stored in words.values()]
        assert shares == sorted(shares), spec
        for word, stored in words.items():
            target, tolerance = TARGETS[word]
            missed = stored["random_wins"] - target
            met = abs(missed) <= tolerance or stored["p"] == (1.0 if missed > 0 else 0.0)
            assert met, (spec, word)


@pytest.mark.parametrize("spec", ["nim:3,4,5", "notakto", "hexapawn:3x3"])
@pytest.mark.thinned(3)
def test_no_other_hundredth_comes_nearer(spec: str) -> None:
    agent = solved_agent(spec)
    assert levels(agent) == all_levels()[spec]
    for word, (target, _) in TARGETS.items():
        place = round(100 * all_levels()[spec][word]["p"])
        near = [n for n in range(place - 2, place + 3) if 0 <= n <= 100]
        off = {n: abs(random_wins(agent, str(n / 100)) - target) for n in near}
        assert off[place] == min(off.values())


def test_a_game_without_levels_takes_numbers() -> None:
    agent = TableAgent(solve(Mnk(2, 3, 2)))
    with pytest.raises(UnknownPlayerError, match=r"of mnk:2,3,2; give a number from 0 to 1, as in"):
        load_player("level:easy", agent)
    with pytest.raises(UnknownPlayerError, match=r"tictactoe; give easy, medium, hard or a number"):
        load_player("level:mild", solved_agent("tictactoe"))
