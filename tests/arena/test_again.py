"""Players whose stated probabilities are not fixed: results that rest on them are not exact.

They stand for kinds: answers that depend on earlier questions, on the clock, or on chance, at all
positions or at a single one.
"""

from __future__ import annotations

import itertools
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver import InexactPlayerError, Player, TableAgent, grade, load_player, play_exact
from solver.arena.match import play_match
from solver.arena.tournament import play_tournament
from solver.players.external import player_from_function
from tests.conftest import Command

HISTORY = """\
count = 0
def {name}(position, moves, side):
    global count
    count += 1
    return {{moves[-1] if {when} else moves[0]: 1.0}}
"""


ROWS = """
def move(rows, side):
    free = [cell for cell in range(9) if rows[cell // 3][cell % 3] is None]
    return text("", free, side)
"""


def other_every_fifth_time() -> Any:
    numbers = itertools.count(1)
    return lambda position, moves, side: {moves[0 if next(numbers) % 5 else -1]: 1.0}


def other_after_a_while() -> Any:
    """What it answers depends on the clock: a tick is long enough for about ten answers."""
    return lambda position, moves, side: {moves[int(time.monotonic() * 1e4) % len(moves)]: 1.0}


def other_shares_by_chance() -> Any:
    generator = random.Random(1)

    def move(position: str, moves: list[int], side: str) -> dict[int, float]:
        share = generator.choice((0.5, 0.6))
        return {moves[0]: share, moves[-1]: 1 - share} if len(moves) > 1 else {moves[0]: 1}

    return move


def other_the_second_time_at_one_position() -> Any:
    seen: Counter[str] = Counter()

    def move(position: str, moves: list[int], side: str) -> dict[int, float]:
        seen[position] += 1
        is_changed = position.count(".") == 8 and position[8] == "X" and seen[position] > 1
        return {moves[-1 if is_changed else 0]: 1.0}

    return move


def fault_from_the_second_time() -> Any:
    seen = set()

    def move(position: str, moves: list[int], side: str) -> dict[int, float]:
        if position in seen:
            raise RuntimeError
        seen.add(position)
        return {moves[0]: 1.0}

    return move


KINDS = [
    other_every_fifth_time,
    other_after_a_while,
    other_shares_by_chance,
    other_the_second_time_at_one_position,
    fault_from_the_second_time,
]


def made(kind: Any, agent: TableAgent) -> Player:
    return player_from_function(kind(), agent.game, "text", name="bot")


@pytest.mark.parametrize("kind", KINDS)
def test_a_grade_of_a_player_that_changes_its_answers_is_sampled(
    agent: TableAgent, kind: Any
) -> None:
    found: Any = grade(kind(), agent, "second", convention="text", repeats=2, name="bot")
    assert found.method == "sampled"
    assert agent.game.turn(agent.game.parse(found.changed.position)) == "O"
    assert str(found.changed).startswith(f"bot gave two answers at {found.changed.position}, first")
    assert not found.meets("never-loses")


def test_positions_of_a_sample_are_asked_about_again(agent: TableAgent) -> None:
    bot = other_every_fifth_time()
    found = grade(bot, agent, convention="text", repeats=2, sample=50, name="bot")
    assert found.method == "sampled"
    assert found.changed is not None


@pytest.mark.parametrize("kind", KINDS)
def test_a_match_of_a_player_that_changes_its_answers_is_sampled(
    agent: TableAgent, kind: Any
) -> None:
    opponent = load_player("random", agent)
    with pytest.raises(InexactPlayerError, match="bot gave two answers at"):
        play_exact(agent.game, made(kind, agent), opponent)
    match = play_match(agent.game, opponent, made(kind, agent), games=10, seed=0)
    assert (match.method, match.games) == ("sampled", 10)
    assert [one.player for one in match.changed] == ["bot"]


def test_an_earlier_match_of_a_tournament_is_sampled_too(agent: TableAgent) -> None:
    others = [load_player(name, agent) for name in ("win", "winblock")]
    bot = made(other_the_second_time_at_one_position, agent)
    matches = play_tournament(agent.game, [bot, *others], games=10).matches
    assert [match.method for match in matches] == ["sampled", "sampled", "exact"]


def test_an_honest_player_stays_exact_and_is_asked_again(agent: TableAgent) -> None:
    """About what it can reach twice more, as far as 1,000 questions suffice."""
    asked: Counter[str] = Counter()

    def honest(position: str, moves: list[int], side: str) -> dict[int, float]:
        asked[position] += 1
        return {moves[0]: 1.0}

    found: Any = grade(honest, agent, "first", convention="text")
    assert (found.method, found.changed) == ("exact", None)
    again = [position for position, times in asked.items() if times > 1]
    assert len(again) == found.asked_again
    assert sum(asked[position] - 1 for position in again) == 1000
    assert sum(times == 3 for times in asked.values()) == found.reachable.positions


@pytest.mark.slow
def test_what_is_required_of_a_player_is_not_shown_by_a_sample(command: Command) -> None:
    code = HISTORY.format(name="move", when="count % 97 == 0")
    Path("bot.py").write_text(code.replace("{", "").replace("}", "").replace(": 1.0", ""))
    Path("dict.py").write_text(code)
    words = ("grade", "bot.py:move", "dict.py:move", "--convention", "text", "--as", "second")
    assert command(*words, "--total", "5", "--require", "never-loses") == 1
    assert "required: never-loses; not met by bot.py:move, dict.py:move; " in command.err
    assert "declare --deterministic, or return probabilities that do not change" in command.err
    changed = r"dict.py:move gave two answers at [XO.]{9}, first \d and then \d. So it was asked"
    assert re.search(changed, command.out)


@pytest.mark.slow
def test_arena_says_where_a_player_changed_its_answer(command: Command) -> None:
    Path("bot.py").write_text(HISTORY.format(name="text", when="count % 5 == 0") + ROWS)
    assert command("arena", "bot.py:move", "random") == 0
    assert "1,000 games sampled" in command.out
    assert "\nbot.py:move gave two answers at " in command.out
