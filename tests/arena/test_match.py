"""Exact results: against known values, long samples, mirrors and brute force."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import pytest

from solver import (
    Game,
    InexactPlayerError,
    Match,
    MatchTooLargeError,
    Player,
    Result,
    TableAgent,
    UnknownPlayerError,
    load_game,
    load_player,
    play_exact,
    play_sampled,
    solve,
)
from solver.arena.match import first_against_second, interval
from solver.arena.tournament import play_match, play_tournament, turned
from solver.players import PLAYERS, closing, derived_seed
from tests.arena.test_markov import ends
from tests.conftest import BOTS, Command, solved
from tests.games.test_cyclic_games import ORACLES, Position, read
from tests.support import graphs, oracle, slow_chess
from tests.support.heuristics import EXPECTED

NAMES = [name for name in EXPECTED if name != "nstep:9"]
PERFECT = ("perfect", "minimax", "perfect-against:random")


def match(agent: TableAgent, a: str, b: str) -> Match:
    return play_exact(agent.game, load_player(a, agent), load_player(b, agent))


def slow(board: str, first: str, second: str, known: dict[str, list[Fraction]]) -> list[Fraction]:
    """Win, draw and loss of X by the oracle's rules and players, in fractions, without rounding."""
    if board not in known:
        if oracle.over(board):
            won = {"X": 0, None: 1, "O": 2}[oracle.winner(board)]
            known[board] = [Fraction(i == won) for i in range(3)]
        else:
            shares = EXPECTED[first if oracle.turn(board) == "X" else second](board)
            total = [Fraction(0)] * 3
            for cell, share in shares.items():
                below = slow(oracle.play(board, cell), first, second, known)
                exact = Fraction(share).limit_denominator(100)
                total = [t + exact * b for t, b in zip(total, below, strict=True)]
            known[board] = total
    return known[board]


@pytest.mark.no_cover  # most of its time is the oracle's
@pytest.mark.parametrize("a", NAMES)
@pytest.mark.parametrize("b", ["random", "think3", "lookahead1", "corner-first"])
def test_exact_results_against_fractions(agent: TableAgent, a: str, b: str) -> None:
    """The error is below 1e-12."""
    played = match(agent, a, b)
    first = slow(oracle.START, a, b, {})
    second = slow(oracle.START, b, a, {})[::-1]
    for mine, exact in ((played.a_first, first), (played.a_second, second)):
        assert all(abs(x - y) < 1e-12 for x, y in zip(mine, exact, strict=True))
        assert math.isclose(sum(mine), 1, abs_tol=1e-12)
    means = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
    assert played.both == pytest.approx([float(mean) for mean in means], abs=1e-12)


def test_random_against_random_is_known(agent: TableAgent) -> None:
    """737/1260 for X, 8/63 drawn, 121/420 for O: the well-known chances of random play."""
    result = match(agent, "random", "random").a_first
    expected = [737 / 1260, 8 / 63, 121 / 420]
    assert all(math.isclose(x, y, abs_tol=1e-12) for x, y in zip(result, expected, strict=True))


@pytest.mark.parametrize(("a", "b"), [("winblock", "random"), ("think3", "lookahead1")])
def test_a_long_sample_agrees(agent: TableAgent, a: str, b: str) -> None:
    games = 20_000
    exact = match(agent, a, b)
    sampled = play_sampled(agent.game, load_player(a, agent), load_player(b, agent), games, seed=7)
    assert sampled.method == "sampled"
    for name, size in (("a_first", games // 2), ("a_second", games // 2), ("both", games)):
        for share, true in zip(getattr(sampled, name), getattr(exact, name), strict=True):
            low, high = interval(share, size)
            margin = 2 * (high - low)  # five standard deviations, not the usual two
            assert low - margin <= true <= high + margin


def test_the_seed_decides_the_sample(agent: TableAgent) -> None:
    def sample(seed: int) -> Match:
        a, b = load_player("random", agent), load_player("winblock", agent)
        return play_sampled(agent.game, a, b, 51, seed)

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)
    assert sample(1).games == 51


def test_every_other_sampled_game_has_a_first(agent: TableAgent) -> None:
    heard: list[int] = []
    a, b = load_player("random", agent), load_player("random", agent)
    play_sampled(agent.game, a, b, 5, 0, heard.append)
    assert heard == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("a", NAMES)
def test_turning_a_match_round_turns_the_result(agent: TableAgent, a: str) -> None:
    there, back = match(agent, a, "winblock"), match(agent, "winblock", a)
    for x, y in zip(turned(there)[3:6], back[3:6], strict=True):
        assert x == pytest.approx(y, abs=1e-12)


def mirrored(agent: TableAgent, player: Player) -> Player:
    """The same player at a board seen in a mirror."""
    game = agent.game
    (flip,) = (s for s in game.symmetries if s.cells == (2, 1, 0, 5, 4, 3, 8, 7, 6))

    def choose(p: Any, seat: str) -> dict[Any, float]:
        said = player.distribution(game, flip.position(p), seat)
        return {flip.move(m): share for m, share in said.items()}

    return Player(f"mirrored {player.name}", choose)


@pytest.mark.parametrize("name", ["think3", "center-first", "perfect"])
def test_mirror_image_players_give_mirror_image_results(agent: TableAgent, name: str) -> None:
    player, rival = load_player(name, agent), load_player("corner-first", agent)
    plain = play_exact(agent.game, player, rival)
    seen = play_exact(agent.game, mirrored(agent, player), mirrored(agent, rival))
    assert plain.a_first == pytest.approx(seen.a_first, abs=1e-12)
    assert plain.a_second == pytest.approx(seen.a_second, abs=1e-12)


@pytest.mark.parametrize("name", PERFECT)
def test_the_perfect_never_lose_to_anyone(agent: TableAgent, name: str) -> None:
    for entry in PLAYERS:
        stem = entry.name.partition(":")[0].rstrip("[")
        argument = {"nstep": ":3", "level": ":0.3", "perfect-against": ":random"}.get(stem, "")
        result = match(agent, name, stem + argument)
        assert result.a_first.loss == result.a_second.loss == 0.0


def test_think3_is_not_better_than_think2(agent: TableAgent) -> None:
    """Against the conclusion printed in 'Chapter 2: Rule-Based AI: Tic Tac Toe'."""
    assert match(agent, "think3", "think2").both.expected < 0


def test_a_match_of_too_many_positions_is_refused(
    agent: TableAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.match.BUDGET", 100)
    for refused in (play_exact, lambda game, a, b: play_match(game, a, b, 10, 0)):
        with pytest.raises(MatchTooLargeError, match="more than 100 positions.*--games"):
            refused(agent.game, load_player("random", agent), load_player("random", agent))
    assert match(agent, "perfect", "perfect").both == Result(0, 1, 0)


def by_chance(p: Any, seat: str) -> int:
    return 0


def test_untold_chances_are_refused_or_sampled(agent: TableAgent) -> None:
    unknown = Player("unknown", lambda p, _: agent.game.moves(p)[0], deterministic=False)
    perfect = load_player("perfect", agent)
    with pytest.raises(InexactPlayerError, match="dict of moves to probabilities"):
        play_exact(agent.game, unknown, perfect)
    played = play_match(agent.game, unknown, perfect, games=10, seed=0)
    assert (played.method, played.games) == ("sampled", 10)


def test_an_illegal_move_loses_there_and_is_told(agent: TableAgent) -> None:
    cheat = Player("cheat", by_chance)  # takes the first cell, free or not
    played = play_exact(agent.game, cheat, load_player("perfect", agent))
    assert played.a_first.loss == played.a_second.loss == 1.0
    assert {fault.kind for fault in played.faults} == {"illegal move"}
    assert {fault.player for fault in played.faults} == {"cheat"}
    sampled = play_sampled(agent.game, cheat, load_player("perfect", agent), 4, 0)
    assert sampled.both == Result(0, 0, 1)
    assert sampled.faults == played.faults


@pytest.mark.parametrize(
    ("share", "games", "expected"),
    [
        (0.5, 100, (0.4038, 0.5962)),  # Wilson's interval in the usual example
        (0.0, 10, (0.0, 0.2775)),
        (1.0, 10, (0.7225, 1.0)),
        (0.5, 0, (0.0, 1.0)),
    ],
)
def test_wilson_intervals(share: float, games: int, expected: tuple[float, float]) -> None:
    assert interval(share, games) == pytest.approx(expected, abs=1e-4)


def test_two_players_by_chance_do_not_share_their_chance(agent: TableAgent) -> None:
    """With one seed for all, the same numbers would rule both players' moves."""
    spec = f"{BOTS}:by_chance"
    a, b = (load_player(spec, agent, seed=derived_seed(3, place)) for place in range(2))
    with closing(a, b):
        sampled = play_sampled(agent.game, a, b, 3000, seed=3)
    exact = match(agent, "random", "random")
    for share, true in zip(sampled.a_first, exact.a_first, strict=True):
        low, high = interval(share, 1500)
        assert low - 0.03 < true < high + 0.03


def test_a_fault_by_chance_is_not_for_ever(agent: TableAgent) -> None:
    """A player that fails now and then, and does not tell its chances, is sampled."""
    spec = f"{BOTS}:flaky"
    player = load_player(spec, agent, seed=1)
    with closing(player):
        played = play_match(agent.game, player, load_player("random", agent), 200, 1)
    assert played.method == "sampled"
    assert 0.3 < played.a_first.loss < 0.9


def test_a_repeated_position_is_a_draw() -> None:
    game, _ = graphs.DRAW_BY_CYCLE
    agent = TableAgent(solve(game, "retrograde"))
    round_and_round = load_player("perfect", agent)
    assert play_sampled(game, round_and_round, round_and_round, 2, 0).both == Result(0, 1, 0)


# games that can go on for ever

PAWNS = "kingspawns:..k./.p../..P./.K..,promotion=wins"
Odds = dict[Hashable, Fraction]  # the positions that may follow
Play = Callable[[Any], int | Odds]


@pytest.fixture(scope="module")
def agents() -> dict[str, TableAgent]:
    """Agents of games with cycles."""
    return {
        spec: TableAgent(solved(load_game(spec)))
        for spec in ("morris", "morris:any", "achi", "ponghauki", PAWNS)
    }


def evenly(after: list[Hashable]) -> Odds:
    return {q: Fraction(after.count(q), len(after)) for q in after}


def anyhow(rules: Callable[[Any], Any]) -> Play:
    """Random play by the rules of an oracle."""

    def play(position: Any) -> int | Odds:
        found = rules(position)
        return found if isinstance(found, int) else evenly(found)

    return play


def one_perfect(agent: TableAgent, seat: str) -> Play:
    """The table's choice for one seat, random play for the other, by the rules of an oracle."""
    game, rules = agent.game, ORACLES[agent.game.spec][0]

    def play(position: Position) -> int | Odds:
        found = rules(position)
        if isinstance(found, int) or position[2] != seat:
            return found if isinstance(found, int) else evenly([*found])
        p = read(game, position)
        after = game.play(p, agent.best_move(p))
        return {next(q for q in found if read(game, q) == after): Fraction(1)}

    return play


def pawns(position: tuple[str, str]) -> Any:
    """The rules of PAWNS by another program, with the boards that follow."""
    board, side = position
    over = slow_chess.over(board, side, "Pp")
    after = slow_chess.moves(board, side, "Pp").values()
    return [(b, slow_chess.OTHER[side]) for b in after] if over is None else over


def chain(play: Play, start: Hashable) -> tuple[list[Hashable], list[int | Odds]]:
    """Return all positions that games pass through, and what follows in each."""
    met = {start: None}
    queue = [start]
    following = []
    for position in queue:
        following.append(play(position))
        found = following[-1]
        for q in found if isinstance(found, dict) else ():
            if q not in met:
                met[q] = None
                queue.append(q)
    return queue, following


def fractions(play: Play, start: Hashable, first: Any) -> list[Fraction]:
    """Return win, draw and loss of the side that begins, without rounding."""
    met, following = chain(play, start)
    number = {position: i for i, position in enumerate(met)}
    rows = [{number[q]: c for q, c in x.items()} if isinstance(x, dict) else {} for x in following]
    total = dict.fromkeys((1, 0, -1), Fraction(0))
    for end, chance in ends(rows).items():
        over = 0 if end is None else following[end]
        assert isinstance(over, int)
        total[over if end is None or seat_of(met[end]) == first else -over] += chance
    return [*total.values()]


def seat_of(position: Any) -> Any:
    return position[-1]


def within(play: Play, start: Hashable, first: Any) -> tuple[list[float], float]:
    """Return win, draw and loss of the side that begins up to some ply, and what is still open.

    Positions from which no game ends are draws.
    """
    met, following = chain(play, start)
    number = {position: i for i, position in enumerate(met)}
    before: list[list[int]] = [[] for _ in met]
    rows: list[list[tuple[int, float]]] = []
    for i, found in enumerate(following):
        rows.append([])
        for q, chance in found.items() if isinstance(found, dict) else ():
            rows[i].append((number[q], float(chance)))
            before[number[q]].append(i)
    ending = {i for i, found in enumerate(following) if isinstance(found, int)}
    waiting = [*ending]
    while waiting:
        more = [i for i in before[waiting.pop()] if i not in ending]
        ending.update(more)
        waiting += more
    over: dict[int, int] = {i: 0 for i in range(len(met)) if i not in ending}
    for i, found in enumerate(following):
        if isinstance(found, int):
            over[i] = found if seat_of(met[i]) == first else -found
    sums = dict.fromkeys((1, 0, -1), 0.0)
    share = {0: 1.0}
    for _ in range(3000):
        after: dict[int, float] = {}
        for i, part in share.items():
            if i in over:
                sums[over[i]] += part
            for j, odds in rows[i] if i not in over else ():
                after[j] = after.get(j, 0.0) + part * odds
        share = after
        if sum(share.values()) < 1e-13:
            break
    return [*sums.values()], sum(share.values())


def test_pong_hau_ki_at_random_is_exact(agents: dict[str, TableAgent]) -> None:
    """5/11 for the side that begins, by the rules in fractions."""
    rules, start = ORACLES["ponghauki"]
    exact = fractions(anyhow(rules), start, "X")
    assert exact == [Fraction(5, 11), 0, Fraction(6, 11)]
    result = match(agents["ponghauki"], "random", "random").a_first
    assert all(abs(x - y) < 1e-12 for x, y in zip(result, exact, strict=True))


@pytest.mark.parametrize("spec", ["morris", "morris:any", "achi", "ponghauki"])
def test_perfect_against_random_in_fractions(spec: str, agents: dict[str, TableAgent]) -> None:
    agent, start = agents[spec], ORACLES[spec][1]
    played = match(agent, "perfect", "random")
    first = fractions(one_perfect(agent, "X"), start, "X")
    second = fractions(one_perfect(agent, "O"), start, "X")[::-1]
    for mine, exact in ((played.a_first, first), (played.a_second, second)):
        assert sum(exact) == 1
        assert all(abs(x - y) < 1e-12 for x, y in zip(mine, exact, strict=True))


@pytest.mark.parametrize("spec", ["morris", "morris:any", "achi", PAWNS])
def test_random_against_random_ply_by_ply(spec: str, agents: dict[str, TableAgent]) -> None:
    """Followed until nothing is open, by other rules, games end as often."""
    rules, start = ORACLES.get(spec, (pawns, slow_chess.read("..k./.p../..P./.K.. w")))
    least, still = within(anyhow(rules), start, seat_of(start))
    assert still < 1e-12
    result = match(agents[spec], "random", "random").a_first
    assert list(result) == pytest.approx(least, abs=1e-12)


def test_what_goes_round_for_ever_is_a_draw(agents: dict[str, TableAgent]) -> None:
    for spec in ("ponghauki", "morris:any", PAWNS):
        played = match(agents[spec], "perfect", "perfect")
        assert (played.a_first, played.a_second, played.both) == (Result(0, 1, 0),) * 3
        assert (played.repeats, played.faults) == (True, [])
    for game, worth in (graphs.SELF_LOOP, graphs.DRAW_BY_CYCLE):
        assert worth["a"] == (0, None)
        agent = TableAgent(solve(game, "retrograde"))
        assert match(agent, "perfect", "perfect").both == Result(0, 1, 0)


def test_a_game_of_which_a_part_never_ends(agents: dict[str, TableAgent]) -> None:
    """With kings alone nobody wins any more: what is not won or lost is drawn."""
    played = match(agents[PAWNS], "perfect", "random")
    assert played.a_first.loss == played.a_second.loss == 0
    assert 0.1 < played.both.draw < 0.5
    assert sum(played.both) == pytest.approx(1, abs=1e-12)


def goes_round(game: Game[Any, Any], first: Player, second: Player) -> bool:
    """Whether some position can come again: it stays if all are put away that lead to none left."""
    seats = dict(zip(game.seats, (first, second), strict=True))
    queue = [(game.initial(), game.seats[0])]
    after: dict[Any, set[Any]] = {}
    before: dict[Any, set[Any]] = {}
    for state in queue:
        if state not in after:
            p, seat = state
            moves = [] if game.primitive(p) is not None else seats[seat].distribution(game, p, seat)
            after[state] = {(game.play(p, m), game.other(seat)) for m in moves}
            queue += after[state]
            for child in after[state]:
                before.setdefault(child, set()).add(state)
    ended = [state for state in after if not after[state]]
    for state in ended:
        for earlier in before.get(state, ()):
            after[earlier].remove(state)
            ended += [] if after[earlier] else [earlier]
    return any(after.values())


@pytest.mark.parametrize("spec", ["tictactoe", "morris", "achi", "ponghauki", PAWNS])
@pytest.mark.parametrize(("a", "b"), [("random", "perfect"), ("minimax", "nstep:2")])
def test_repeats_tells_whether_a_position_can_come_again(
    spec: str, a: str, b: str, agent: TableAgent, agents: dict[str, TableAgent]
) -> None:
    """In the games of these two players, not in all games."""
    agent = agents.get(spec, agent)
    game, player, rival = agent.game, load_player(a, agent), load_player(b, agent)
    there, back = goes_round(game, player, rival), goes_round(game, rival, player)
    assert first_against_second(game, player, rival).repeats == there
    assert first_against_second(game, rival, player).repeats == back
    assert match(agent, a, b).repeats == (there or back)
    assert match(agent, a, a).repeats == goes_round(game, player, player)


def test_a_position_that_could_come_again_but_does_not(agents: dict[str, TableAgent]) -> None:
    assert not match(agents["morris"], "perfect", "perfect").repeats
    assert match(agents["morris"], "random", "random").repeats
    game, _ = graphs.LOOP_OR_WIN
    agent = TableAgent(solve(game, "retrograde"))
    assert not match(agent, "perfect", "perfect").repeats
    at_random = match(agent, "random", "random")
    assert at_random.repeats
    assert at_random.a_first == pytest.approx((2 / 3, 0, 1 / 3), abs=1e-12)


def test_a_sample_counts_the_third_time_as_a_draw(agents: dict[str, TableAgent]) -> None:
    agent = agents["ponghauki"]
    perfect = load_player("perfect", agent)
    played = play_sampled(agent.game, perfect, perfect, 10, 0)
    assert (played.method, played.both) == ("sampled", Result(0, 1, 0))
    sampled = play_sampled(agent.game, perfect, load_player("random", agent), 2000, 0)
    assert sampled.both.loss == 0
    assert sampled.both.draw > 0.1  # games that would be won if they went on
    assert match(agent, "perfect", "random").both.win == pytest.approx(1)


def test_games_that_hardly_ever_end_are_refused(
    agents: dict[str, TableAgent], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.markov.MOST_STEPS", 10_000)
    with pytest.raises(MatchTooLargeError, match="would take too long.*sample it with --games"):
        match(agents["ponghauki"], "level:0.99999", "level:0.99999")


def test_the_arena_tells_how_repetition_counts(command: Command) -> None:
    assert command("solve", "ponghauki") == 0
    assert command("arena", "perfect", "random", "--game", "ponghauki") == 0
    said = (
        "An exact match counts a game as drawn by that only if it never ends,\na sampled one when"
    )
    assert said in command.out
    assert command("arena", "perfect", "perfect", "--game", "ponghauki", "--games", "9") == 0
    assert said in command.out
    assert command("arena", "perfect", "random") == 0
    assert "come again" not in command.out
    cyclic = command.json("arena", "perfect", "random", "--game", "ponghauki")
    assert (cyclic["repeats"], cyclic["method"]) == (True, "exact")
    assert command.json("arena", "perfect", "random")["repeats"] is False
    sampled = ("arena", "perfect", "perfect", "--game", "ponghauki", "--games", "20")
    drawn = command.json(*sampled)
    assert (drawn["both"]["draw"], drawn["repeats"]) == (1, True)


@pytest.mark.parametrize("spec", ["ponghauki", "morris:any", PAWNS])
def test_perfect_against_someone_where_positions_come_again(
    spec: str, agents: dict[str, TableAgent]
) -> None:
    """It works back from the ends of games, and says so where these need not come."""
    with pytest.raises(UnknownPlayerError, match="does not fit .*: positions can come again in it"):
        match(agents[spec], "perfect-against:random", "random")


# tournaments


def test_a_tournament_ranks_by_points(agent: TableAgent, tictactoe: Game[Any, Any]) -> None:
    names = ["random", "perfect", "winblock"]
    heard: list[tuple[int, int]] = []
    players = [load_player(name, agent) for name in names]
    result = play_tournament(tictactoe, players, progress=lambda *done: heard.append(done))
    assert [s.player for s in result.standings] == ["perfect", "winblock", "random"]
    assert [s.rank for s in result.standings] == [1, 2, 3]
    assert heard == [(1, 3), (2, 3), (3, 3)]
    best = result.standings[0]
    exact = [match(agent, "perfect", name).both for name in ("random", "winblock")]
    assert best.points == pytest.approx(sum(r.win + r.draw / 2 for r in exact) / 2)
    assert result.match("perfect", "random").both == pytest.approx(exact[0])
    assert result.match("random", "perfect").both.win == 0.0
    with pytest.raises(KeyError, match="did not play"):
        result.match("random", "nobody")


def test_a_tournament_needs_different_players(agent: TableAgent) -> None:
    one = load_player("random", agent)
    for players in ([one], [one, one]):
        with pytest.raises(ValueError, match="two or more players, each of them once"):
            play_tournament(agent.game, players)
