"""An exact audit of a player, over every position that it can reach against every opponent.

Takes a player and an agent for the game; returns a Grade: whether the player can lose and how, how
often its moves keep the outcome and the distance, and exact results against others.

A player that gives no legal answer loses the game there, so the position counts as a bad move. If
its answer is too slow, that is a bad move, too, but whether it loses is not known.

Late positions are asked about first, since they are cheap for players that search. If time will not
suffice, those that the player can reach come before all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from time import monotonic
from typing import Any

from solver.agent.agent import TableAgent, agent_for
from solver.arena.answers import Answers, AnswersDifferError, NotAskedError, Progress, Turn
from solver.arena.grade import Grade, LineMove, MoveQuality
from solver.arena.match import BUDGET, first_against_second, mean
from solver.arena.sample import grade_sample
from solver.errors import MatchTooLargeError
from solver.players import closing, derived_seed, fits, load_player
from solver.players.external import PythonPlayer, player_from_function
from solver.players.player import LIMIT, Player
from solver.rules.game import Game
from solver.rules.positions import explore, successors
from solver.value import Outcome

OPPONENTS = ("random", "winblock", "perfect")
TOTAL = 600.0  # seconds that a player has for all answers by default
TRIED = 10  # positions; without a legal answer in them, the player is not asked about all others
REPEATS = 20  # how often a player is asked about a position once two of its answers differed


def grade(  # noqa: PLR0913 -- the options of the command
    player: Any,
    agent: TableAgent | Game[Any, Any] | str | None = None,
    seats: str = "both",
    *,
    convention: str = "rows",
    deterministic: bool = False,
    limit: float = LIMIT,
    total: float = TOTAL,
    repeats: int = REPEATS,
    sample: int | None = None,
    seed: int = 0,
    name: str | None = None,
    show_output: bool = False,
    claims: bool = True,
    progress: Progress = lambda done, total: None,
    report: Callable[[str], None] = lambda text: None,
) -> Grade:
    """Audit a player of a game, given as an agent, or as rules or by name; by default tic-tac-toe.

    `player` is a name such as 'winblock', 'bots/mine.py:move' or 'command:node bot.js', or a
    function. The last two names run in processes of their own and have `limit` seconds for an
    answer; a function runs in this process and has no limit. All answers together may take `total`
    seconds, and so may loading the player. `convention` is how a custom player sees the board (see
    `solver.players.conventions`). `deterministic` declares that it always gives the same answer in
    a position; otherwise, if it returns no probabilities, it is asked twice about each position,
    and `repeats` times once two answers have differed. So is one that changes an answer when it is
    asked again, in another order, as it is about 1,000 positions at most. A bot in a file may
    declare itself deterministic, unless `claims` is false.

    With `sample`, it is asked about that many positions, drawn at random with `seed`, in a game of
    any size; see `solver.arena.sample`.

    `seats` is 'first', 'second' or 'both'. `name` is the name of a function in the grade. If
    `show_output`, what a process prints appears on standard error. `progress` is called with the
    number of positions the player has been asked about and of all positions, and `report` with a
    sentence if the time will not suffice.

    Raises UnknownPlayerError if there is no such player, TypeError if a function cannot be called
    as the convention says, and InexactPlayerError if a player is wrongly declared deterministic.
    """
    agent = TableAgent() if agent is None else agent_for(agent)
    audited = _audited(agent.game, seats)
    given = isinstance(player, Player)
    if isinstance(player, str):
        chance = derived_seed(seed, "player")
        settings = convention, deterministic, limit, chance, show_output, monotonic() + total
        player = load_player(player, agent, *settings)
        if isinstance(player, PythonPlayer) and not claims:
            player.deterministic = deterministic
    elif not given:
        player = player_from_function(player, agent.game, convention, deterministic, name)
    with closing(*(() if given else (player,))):
        answers = Answers(agent.game, player, repeats, total, progress, report)
        audit = partial(_audit, agent, answers, audited)
        if sample is not None:
            audit = partial(grade_sample, agent, answers, audited, sample, seed)
        while True:
            try:
                turns, known = audit()
            except AnswersDifferError:
                continue
            if answers.hold_again():
                break
    missed = sum(turn not in answers for turn in turns)
    ended = answers.ended if missed else None
    is_whole = missed == 0 or ("reachable" in known and answers.any_legal)
    known["method"] = answers.method
    if answers.method == "exact" and (answers.slow or (sample is None and not is_whole)):
        known["method"] = "partial"
    known |= {"faults": answers.faults, "not_asked": missed, "times": answers.times}
    known |= {"asked_again": answers.asked_again, "changed": answers.player.changed}
    return Grade(answers.player.name, agent.game.spec, seats, ended=ended, **known)


def _audited(game: Game[Any, Any], seats: str) -> Sequence[str]:
    """Return the seats that 'first', 'second' or 'both' names; raises ValueError."""
    audited = {"first": game.seats[:1], "second": game.seats[1:], "both": game.seats}.get(seats)
    if audited is None:
        raise ValueError(f"the seats are {seats!r}; they must be first, second or both")
    return audited


def _audit(
    agent: TableAgent, answers: Answers, audited: Sequence[str]
) -> tuple[list[Turn], dict[str, Any]]:
    """Return all positions in which an audited seat is to move, and the grade in them.

    If the player cannot be asked again, that is what is known by then.
    """
    game = agent.game
    size = agent.table.counts.get("positions")
    if size is None or size > BUDGET:
        number = "" if size is None else f"{size:,}, "
        raise ValueError(
            f"a grade asks about every position; {game.spec} has {number}more than {BUDGET:,}:"
            " grade a sample of them with --sample 1000"
        )
    quality = MoveQuality(agent, answers)
    positions = [(p, seat) for p, seat in _unfinished(game) if seat in audited]
    answers.total = len(positions)
    late_first = positions[::-1]
    answers.ask_all(late_first[:TRIED])
    if answers.any_legal:
        answers.ask_all(late_first)
    facts = _reachable_part(agent, answers, quality, audited)
    if not answers.any_legal:
        answers.end("it gave none in any position so far")
    answers.ask_all(late_first, to_the_end=True)
    if turns := [turn for turn in positions if turn in answers]:
        facts["all"] = quality.rates(turns)
    return positions, facts


def _unfinished(game: Game[Any, Any]) -> Iterator[Turn]:
    """Yield every position that is not over, with the seat to move."""

    def following(turn: Turn) -> list[Turn]:
        p, seat = turn
        return [(q, game.other(seat)) for q in successors(game, p)]

    turns = chain.from_iterable(explore([(game.initial(), game.seats[0])], following))
    return ((p, seat) for p, seat in turns if game.primitive(p) is None)


def _reachable_part(
    agent: TableAgent, answers: Answers, quality: MoveQuality, audited: Sequence[str]
) -> dict[str, Any]:
    """Return what follows from the positions that the player can reach."""
    reached: list[Turn] = []
    lost: list[dict[str, Any]] = []
    complete = True
    for seat in audited:
        visited, game_lost, whole = _reach(answers, seat)
        reached += visited
        answers.reached.update(visited)
        lost += [game_lost] if game_lost else []
        complete = complete and whole
    in_time = [turn for turn in reached if turn not in answers.slow]
    certain = complete and len(in_time) == len(reached)
    facts = {
        "never_loses": False if lost else True if certain else None,
        "optimal": (True if certain else None) if quality.is_optimal(in_time) else False,
        **quality.blunders(reached),
        **min(lost, key=lambda game_lost: len(game_lost["losing_line"]), default={}),
    }
    if complete:
        facts["reachable"] = quality.rates(reached)
        facts |= _results(agent, answers.replayed(), audited)
    return facts


def _reach(answers: Answers, audited: str) -> tuple[list[Turn], dict[str, Any], bool]:
    """Return the turns of the player that games can reach, and the shortest game it may lose.

    The last part is whether it was asked about all of them.
    """
    game = answers.game
    start = game.initial(), game.seats[0]
    arrivals: dict[Turn, tuple[Turn, Any] | None] = {start: None}
    queue = [start]
    visited, lost, complete = [], None, True
    for p, seat in queue:  # breadth first, so the first loss is the shortest
        over = game.primitive(p)
        if over is not None:
            if lost is None and over * (1 if seat == audited else -1) == Outcome.LOSS:
                lost = p, seat
            continue
        moves: list[Any] = list(game.moves(p))
        if seat == audited:
            try:
                answer = answers.ask(p, seat)
            except NotAskedError:
                complete = False
                continue
            visited.append((p, seat))
            if answer is None and lost is None and (p, seat) not in answers.slow:
                lost = p, seat
            moves = list(answer or ())
        for m in moves:
            child = game.play(p, m), game.other(seat)
            if child not in arrivals:
                arrivals[child] = (p, seat), m
                queue.append(child)
    if lost is None:
        return visited, {}, complete
    game_lost = {
        "losing_line": _line(game, arrivals, lost),
        "losing_seat": audited,
        "losing_fault": game.primitive(lost[0]) is None,
    }
    return visited, game_lost, complete


def _line(
    game: Game[Any, Any], arrivals: dict[Turn, tuple[Turn, Any] | None], end: Turn
) -> list[LineMove]:
    """Return the moves that led to a position."""
    moves = []
    while (arrival := arrivals[end]) is not None:
        (p, seat), m = arrival
        moves.append(LineMove(seat, game.code(m), game.label(p, m), game.text(*end)))
        end = p, seat
    return moves[::-1]


def _results(agent: TableAgent, player: Player, audited: Sequence[str]) -> dict[str, Any]:
    """Return the player's exact results against others at the audited seats."""
    against, left_out, repeats = {}, [], False
    for name in OPPONENTS:
        if not fits(name, agent):
            continue
        opponent = load_player(name, agent)
        results = []
        try:
            for seat in audited:
                first = seat == agent.game.seats[0]
                pair = (player, opponent) if first else (opponent, player)
                result, repeated = first_against_second(agent.game, *pair, {})
                results.append(result if first else result.turned)
                repeats = repeats or repeated
        except MatchTooLargeError:
            left_out.append(name)
        else:
            against[name] = mean(results)
    return {"against": against, "left_out": left_out, "repeats": repeats}
