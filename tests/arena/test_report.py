"""The report on a game: every number against a slow oracle, published counts and the arena."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest

from solver import Outcome, TableAgent, load_game, solve
from solver.arena import columns, report
from solver.arena.match import interval
from solver.arena.report import PAIRS, MatchUp, Report, make_report
from solver.arena.requirements import OF_GAME, OF_MATCH, parse
from solver.players.from_table import all_levels
from solver.rules.game import Numbered
from tests.support.report_oracle import Oracle
from tests.support.solved import solved_agent
from tests.support.tables import mapped_table

NAMES = ("tictactoe", "hexapawn:3x3", "nim:3,4,5", "ponghauki")


def share_within(lengths: list[Any], share: Fraction) -> int | None:
    """Return within how many plies so many of the games end."""
    return next((n for n, sum_of in enumerate(accumulate(lengths)) if sum_of >= share), None)


def agrees(match: MatchUp, found: dict[str, Any]) -> None:
    """Compare a match with that of the oracle, which may leave a millionth of the games out."""
    ends = found["ends"]
    most = max(ply for ply, _ in ends)
    lengths = [sum(ends[n, winner] for winner in (1, 0, -1)) for n in range(most + 1)]
    by_winner = [sum(s for (_, w), s in ends.items() if w == winner) for winner in (1, 0, -1)]
    assert match.result == pytest.approx([*map(float, by_winner)], abs=1e-5)
    assert match.mean == pytest.approx(float(sum(n * s for n, s in enumerate(lengths))), abs=1e-2)
    assert match.median == share_within(lengths, Fraction(1, 2))
    assert match.p95 == share_within(lengths, Fraction(19, 20))
    assert match.longest == (most if found["bounded"] else None)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.every
def test_every_number_is_that_of_a_slow_oracle(name: str) -> None:
    oracle, found = Oracle(load_game(name)), make_report(solved_agent(name))
    easy = Fraction(str(all_levels()[name]["easy"]["p"]))
    skills = {"random": Fraction(0), "easy": easy, "perfect": Fraction(1)}
    for match, pair in PAIRS.items():
        players = [skills[player] for player in pair]
        if name not in ("tictactoe", "nim:3,4,5"):  # no game is drawn, and positions are few
            won, length = oracle.exact(players[0], players[1])
            assert found.matches[match].result == pytest.approx([won, 0, 1 - won], abs=1e-12)
            assert found.matches[match].mean == pytest.approx(length, abs=1e-9)
        number = float if name == "ponghauki" else Fraction
        played = oracle.play(players[0], players[1], match == "random", number)
        agrees(found.matches[match], played)
        if match == "random":
            decided = [number(played["decided"][n]) for n in range(max(played["decided"]) + 1)]
            assert found.decided == share_within(decided, Fraction(1, 2))
            gave = float(played["gave"] / played["could"])
            assert found.slips == pytest.approx(gave, abs=1e-4)
    assert [row[1:] for row in found.plies] == oracle.rows()


def test_published_counts_of_tic_tac_toe(known: dict[str, Any]) -> None:
    found = make_report(solved_agent("tictactoe"))
    assert [row.positions for row in found.plies] == known["tictactoe"]["positions_by_ply"]
    assert found.games is not None
    assert [*found.games] == [131_184, 46_080, 77_904]
    assert found.games_by_length is not None
    lengths = [1_440, 5_328, 47_952, 72_576, 127_872]
    assert [sum(row) for row in found.games_by_length] == [0] * 5 + lengths
    assert (found.tree, found.longest) == (549_946, 9)
    assert found.total is not None
    assert found.total[1:6] == (5_478, 2_836, 1_068, 1_574, 958)


@pytest.mark.slow
def test_a_kernel_gives_the_columns_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect 4 on 4x4 has 161,029 positions (Tromp; Böck, arXiv 2507.05267)."""
    table = mapped_table("connect4:4x4")
    by_kernel = make_report(TableAgent(table))
    assert by_kernel.total is not None
    assert by_kernel.total.positions == 161_029
    monkeypatch.setattr(columns, "FEW", 10**6)
    by_rules = make_report(TableAgent(table), 600)
    for name in ("plies", "longest", "games_by_length", "tree", "decided"):
        assert getattr(by_kernel, name) == getattr(by_rules, name)
    for one, other in zip(by_kernel.matches.values(), by_rules.matches.values(), strict=True):
        assert one.result == pytest.approx(other.result, abs=1e-12)
        assert one[3:7] == pytest.approx(other[3:7])


class Ring(Numbered[int]):
    """One move ends the game at once, for a win of the side that makes it; the other never does."""

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> range:
        return range(2 if p == 0 else 1)

    def play(self, p: int, m: int) -> int:
        return 4 if p == m == 0 else p % 3 + 1

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 4 else None


def test_a_game_that_may_never_end_has_lengths_without_bound() -> None:
    found = make_report(TableAgent(solve(Ring())))
    match = found.matches["random"]
    assert match.result == (0.5, 0.5, 0)
    assert (match.mean, match.median, match.p95, match.longest) == (None, 1, None, None)
    assert found.matches["perfect-random"][2:7] == ((1, 0, 0), 1.0, 1, 1, 1)
    assert (found.longest, found.games, found.tree) == (None, None, None)
    assert (found.slips, found.decided) == (0.5, 0)


def test_what_does_not_fit_is_sampled_and_meets_no_condition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = solved_agent("tictactoe")
    exact = make_report(agent)
    for limits in ({"MOST_PLAIN": 100}, {}):
        with monkeypatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(columns, name, value)
            found = make_report(agent, 600 if limits else 0)
        for name, match in found.matches.items():
            assert match.games == (report.GAMES if limits else 1)
            for share, right in zip(match.result, exact.matches[name].result, strict=True):
                low, high = interval(share, match.games)
                assert low - 0.05 <= right <= high + 0.05
        assert (found.total, found.slips, found.decided, found.games) == (None,) * 4
        first, one_good, fair = parse(
            "random: first <= 100%; one good move at stake >= 0%; fair first moves >= 1"
        )
        assert "sample of" in first.failure(found)
        assert "not known" in one_good.failure(found)
        assert fair.failure(found) == ""


@pytest.fixture(scope="module")
def found() -> Report:
    return make_report(solved_agent("tictactoe"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("random: first <= 58.5%", ""),
        ("random: first < 58%", "it is 58.492063492063%"),
        ("random: first = 58.492063492063%", ""),
        ("random: first = 58.49%", "it is 58.492063492063%"),
        *((f"perfect-random: second {sign} 0%", "it is 0%") for sign in "<>"),
        ("Random :  mean  length 7..8", ""),
        ("random: p95 5..8", "it is 9 moves of both sides"),
        ("random: p95 = 9", ""),
        ("random: draws 10%..15%", ""),
        ("random: second 10..15%", "it is 28.809523809524%"),
        ("perfect-random: second <= 0%", ""),
        ("length <= 9", "it has no bound, or is not known"),
        ("fair first moves >= 10", "it is 9"),
        ("drawn first moves = 100%", ""),
        ("one good move > 50.8%", ""),
        ("one good move at stake 68.4..68.5%", ""),
        ("must know <= 24", ""),
        ("must know < 24", "it is 24"),
        ("longest game <= 9", ""),
        ("positions = 5478", ""),
    ],
)
@pytest.mark.every
def test_conditions(found: Report, text: str, why: str) -> None:
    (condition,) = parse(text)
    assert condition.failure(found) == why


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rando: first <= 5%", "there is no match 'rando'; they are random, easy, perfect-random"),
        ("random: wins <= 5%", f"there is no 'wins'; there are {', '.join(OF_MATCH)}"),
        ("wins <= 5%", f"without a match there is no 'wins'; there are {', '.join(OF_GAME)}"),
        ("random first <= 5%", "write the match and a colon before first, such as random: first"),
        ("won first <= 5%", "without a match there is no 'won first'; there are length"),
        ("random: first <= 5", "first is a share: write it with %"),
        ("random: median <= 5%", "median is no share: write it without %"),
        ("random: first", "is no condition; conditions look like this: random: first <= 55%"),
        ("random: first <= 5.5.5%", "its numbers are not written like 12 or 12.5"),
        ("random: first 60..55%", "no number is from 60 to 55"),
        (" ; ", "no condition"),
    ],
)
@pytest.mark.every
def test_unknown_words_are_refused_with_the_list(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=".") as error:
        parse(text)
    assert said in str(error.value)
