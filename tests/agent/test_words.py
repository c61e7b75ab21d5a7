"""Reasons in words: they say what is so, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from solver import IllegalPositionError, Outcome, TableAgent, review, solve
from solver.agent import facts
from solver.agent.words import reasons, verdict
from solver.rules.threats import blocks, threats, wins
from tests.support import heuristics, oracle, user_games
from tests.support.solved import PAWNS, QUEEN, solved_agent


@pytest.mark.slow
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.large)])
def test_every_reason_is_true_on_every_position(agent: TableAgent, step: int) -> None:
    """Blocks, forks and threats as brute force sees them."""
    game = agent.game
    for board in oracle.reachable()[::step]:
        if oracle.over(board):
            assert verdict(agent, game.parse(board), oracle.turn(board)).startswith(
                "The game is over"
            )
            continue
        seat = oracle.turn(board)
        reasons = reasons_of(agent, board)
        for cell in oracle.moves(board):
            why = reasons[str(cell + 1)]
            after = oracle.play(board, cell)
            if oracle.winner(after):
                assert why == "wins now"
                continue
            assert ("blocks" in why) == (cell in heuristics.blocks(board))
            threats = heuristics.winning_cells(after, seat)
            assert ("fork" in why) == (len(threats) > 1)
            assert ("threatens" in why) == (len(threats) == 1)
            outcomes = [oracle.move_value(board, c)[0] for c in oracle.moves(board)]
            value = oracle.move_value(board, cell)[0]
            alone = value >= 0 and sum(o >= value for o in outcomes) == 1 and len(outcomes) > 1
            assert ("the only move" in why) == alone
            assert ("answers" in why) == (value == -1)


def test_values_count_the_moves_of_the_side_to_move() -> None:
    """In misere play a side can lose by its own move: both outcomes take odd and even plies."""
    agent = solved_agent("mnk:3,3,3,misere")
    plies = set()
    for p, _ in agent.table.positions():
        outcome, distance = agent.outcome(p), agent.distance(p)
        if distance:
            plies.add((str(outcome), distance))
            count = sum(number % 2 == 0 for number in range(distance))
            when = "at once" if distance == 1 else f"in {count} move{'s' * (count > 1)}"
            verb = "wins" if outcome is Outcome.WIN else "loses"
            assert verdict(agent, p, "X").startswith(f"X to move: X {verb} {when}")
    assert {("win", 2), ("win", 4), ("loss", 1), ("loss", 3), ("loss", 5)} <= plies


def test_forced_passes_count_as_the_plies_and_moves_that_they_are() -> None:
    """A number in words was another than the distance gives, where a side can only wait."""
    agent = TableAgent(solve(user_games.Again()))
    assert agent.scores((1, True))[0]._fields == ("move", "label", "outcome", "distance", "trap")
    assert verdict(agent, (1, True), "X") == "X to move: X wins in 1 move with best play."
    assert facts.best(agent, (6, False), "X")["moves"][2] == {
        "move": 1, "label": "1", "outcome": "win", "distance": 6, "trap": 0.0,
    }  # fmt: skip
    taken = review(agent, ["1", "1"])["moves"][0]
    assert taken["after"] == {"outcome": "loss", "distance": 5}


def test_a_position_that_says_whose_turn_it_is_has_no_other() -> None:
    """With another seat it was another position, and its value was told for the wrong side."""
    agent = TableAgent(solve(user_games.Sided()))
    assert agent.best_move("(2, 'O')", "O") == 2
    for ask in (agent.best_move, agent.scores):
        with pytest.raises(IllegalPositionError, match="it is O's turn in"):
            ask("(2, 'O')", "X")
    with pytest.raises(IllegalPositionError, match="it is O's turn in"):
        facts.read_position(agent.game, "(2, 'O')", "X")


def reasons_of(agent: TableAgent, text: str, turn: str | None = None) -> dict[str, str]:
    """Return the reasons for each move by its label."""
    game = agent.game
    p = game.parse(text, turn)
    seat = turn or game.turn(p)
    return {m.label: "; ".join(reasons(agent, p, m, seat, game.label)) for m in agent.scores_at(p)}


def test_replies_are_listed(agent: TableAgent) -> None:
    assert reasons_of(agent, ".........")["5"] == "4 of O's 8 replies lose: 2, 4, 6 and 8"


@pytest.mark.slow
def test_reasons_for_slides() -> None:
    """A slide to where the other side would win blocks it, and threats are slides too."""
    morris = reasons_of(solved_agent("morris"), ".XXO.OX.O")
    assert morris["3-5"] == (
        "blocks O's win; makes a fork: would win by 2-3 and 7-8; every reply loses"
    )
    assert morris["7-5"].startswith("blocks O's win; threatens to win by 5-1; O answers 4-1")
    placing = reasons_of(solved_agent("morris"), "O..OXX...")
    assert "threatens to win by 5-9; O answers 7 and wins at once" in placing["3"]


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["morris", "achi"])
def test_blocks_and_forks_of_slides_are_true(spec: str) -> None:
    """After a block none of the threats can be carried out on that point."""
    game: Any = solved_agent(spec).game
    for p, _ in solved_agent(spec).table.positions():
        if game.primitive(p) is not None:
            assert threats(game, p) == wins(game, p) == blocks(game, p) == []
            continue
        danger = {game.cell(p, m) for m in threats(game, p)}
        found = blocks(game, p)
        assert found == [m for m in game.moves(p) if m % 9 in danger]
        for m in found:
            child = game.play(p, m)
            still = wins(game, child)
            assert m % 9 not in {w % 9 for w in still}


@pytest.mark.large
def test_reasons_in_chess() -> None:
    """Moves are named as chess players do."""
    for spec in (PAWNS, QUEEN):
        agent = solved_agent(spec)
        positions = [p for p, _ in agent.table.positions()]
        for p in positions[:: len(positions) // 200]:
            for label, why in reasons_of(agent, agent.game.text(p)).items():
                assert " at " not in why.replace("at once", "")
                assert (label[-1] == "#") <= (why == "wins now")
    assert reasons_of(solved_agent(QUEEN), "...k/..../P.K./.... w")["a3"].startswith(
        "threatens to win by a4=Q#"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "threatened", "blocked"), [(PAWNS, 248, 27), (QUEEN, 56, 0)])
@pytest.mark.thinned(2, 2)
def test_blocks_in_chess_by_brute_force(spec: str, threatened: int, blocked: int) -> None:
    """A move blocks a win on a square if it takes the square and leaves no win there."""
    game: Any = solved_agent(spec).game
    found: list[Any] = []
    in_danger = 0
    for p, _ in solved_agent(spec).table.positions():
        danger = {t[2:4] for t in threats(game, p)}
        in_danger += bool(danger)
        expected = [
            m
            for m in game.moves(p)
            if m[2:4] in danger and m[2:4] not in {w[2:4] for w in wins(game, game.play(p, m))}
        ]
        assert blocks(game, p) == expected, game.text(p)
        found += expected
    assert (in_danger, len(found)) == (threatened, blocked)


def test_reasons_where_the_rules_tell_no_threats() -> None:
    agent = solved_agent("ponghauki")
    assert reasons_of(agent, "XX.OO") == dict.fromkeys(("1-3", "2-3"), "every reply holds the draw")
    assert reasons_of(agent, "XOX.O")["1-4"] == "wins now"
    assert verdict(agent, agent.game.parse("XX.OO"), "X") == "X to move: a draw with best play."
