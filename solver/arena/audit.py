"""An exact audit of a player, over every position that it can reach against every opponent.

Takes a player and an agent for the game; returns a Grade: whether it can lose and how, how often it
keeps the outcome and the distance, what it loses by that, and exact results against three others.

A player that gives no legal answer loses the game there: such a position counts as a bad move.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent, ties
from solver.arena.grade import Blunder, Grade, Rates, Step
from solver.arena.match import BUDGET, Fault, first_against_second, mean
from solver.errors import InexactPlayerError, MatchTooLargeError
from solver.players import closing, derived_seed, fits, load_player
from solver.players.external import LIMIT, player_from_function
from solver.players.player import Distribution, Player, PlayerFault, pick
from solver.rules.positions import explore, successors
from solver.value import Outcome, distance, outcome

MOST_BLUNDERS = 10_000  # that a grade lists; the others are counted
EPSILON = 1e-14  # what adding a few probabilities may lose
OPPONENTS = ("random", "winblock", "perfect")
REPEATS = 20  # how often a player that does not tell its chances is asked about a position


LOSS = ("losing_line", "losing_seat", "losing_fault")
Progress = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    pass


def grade(
    player: Any,
    agent: TableAgent | None = None,
    seats: str = "both",
    *,
    convention: str = "rows",
    deterministic: bool = False,
    limit: float = LIMIT,
    repeats: int = REPEATS,
    seed: int = 0,
    name: str | None = None,
    progress: Progress = _silent,
) -> Grade:
    """Audit a player of the agent's game; by default, of tic-tac-toe.

    `player` is a name such as 'winblock' or 'bots/mine.py:move', which runs in a process of its
    own and has `limit` seconds for a move, or a function, which runs in this process and has as
    long as it likes. `convention` tells how a function or a file sees the board (see
    `solver.players.conventions`), and `deterministic` that it always answers alike. One that does
    neither that nor returns probabilities is asked `repeats` times about each position.

    `seats` is 'first', 'second' or 'both'. `name` is what to call a function. `progress` hears how
    many positions the player has been asked about, and how many there are. Raises
    UnknownPlayerError if there is no such player.
    """
    agent = agent or TableAgent()
    given = isinstance(player, Player)
    if isinstance(player, str):
        player = load_player(
            player, agent, convention, deterministic, limit, derived_seed(seed, "player")
        )
    elif not given:
        player = player_from_function(player, agent.game, convention, deterministic, name)
    with closing(*(() if given else (player,))):
        return _Audit(agent, player, seats, repeats, seed, progress).run()


class _Loss(NamedTuple):
    """A game that the player may lose, at which seat, and whether for want of a legal answer."""

    line: list[Step] | None
    seat: str | None
    fault: bool | None


class _Audit:
    """The work of one grade."""

    def __init__(
        self,
        agent: TableAgent,
        player: Player,
        seats: str,
        repeats: int,
        seed: int,
        progress: Progress,
    ) -> None:
        first, second = agent.game.seats
        chosen = {"first": [first], "second": [second], "both": [first, second]}
        size = agent.table.counts["positions"]
        if size > BUDGET:
            raise ValueError(
                f"a grade asks about every position; {agent.game.spec} has {size:,}, more than"
                f" {BUDGET:,}: sample games with arena instead"
            )
        if repeats < 1:
            raise ValueError(f"a player cannot be asked {repeats} times about a position")
        if seats not in chosen:
            raise ValueError(f"the seats are {seats!r}; they must be first, second or both")
        self.agent, self.game, self.player = agent, agent.game, player
        self.seats, self.own_seats = seats, chosen[seats]
        self.repeats, self.progress = repeats, progress
        self.generator = random.Random(seed)
        self.method = "exact"
        self.faults: list[Fault] = []
        self.answers: dict[Any, Distribution | None] = {}  # None after a fault
        self.worths: dict[Any, tuple[int, dict[Any, int]]] = {}
        self.total = 0
        names = ("never_loses", "optimal", "reachable", "all", "against", "repeats")
        self.found: dict[str, Any] = dict.fromkeys((*names, *LOSS))
        self.found |= {"blunders": [], "blunder_count": 0, "left_out": []}

    def run(self) -> Grade:
        """Return the grade, or what there is of one when the player is gone."""
        with suppress(PlayerFault):
            self._audit()
        return Grade(
            player=self.player.name,
            game=self.game.spec,
            seats=self.seats,
            method=self.method,
            faults=self.faults,
            **self.found,
        )

    def _audit(self) -> None:
        """Fill in what can be found, the positions that the player can reach before the others."""
        everywhere = [(p, seat) for p, seat in self._positions() if seat in self.own_seats]
        self.total = len(everywhere)
        reached: list[tuple[Any, str]] = []
        losses: list[_Loss] = []
        for own in self.own_seats:
            visited, loss = self._reach(own)
            reached += visited
            losses += [loss] if loss is not None else []
        loss = min(losses, key=lambda loss: len(loss.line or ()), default=_Loss(None, None, None))
        rates = self._rates(reached)
        count, blunders = self._blunders(reached)
        self.found |= {
            "never_loses": not losses,
            "optimal": not any(self._errs(p, seat) for p, seat in reached),
            "losing_line": loss.line,
            "losing_seat": loss.seat,
            "losing_fault": loss.fault,
            "blunder_count": count,
            "blunders": blunders,
            "reachable": rates,
        } | self._against()
        for p, seat in everywhere:
            self._ask(p, seat)
        self.found["all"] = self._rates(everywhere)

    def _positions(self) -> list[tuple[Any, str]]:
        """Return every position that is not over, with the seat to move."""
        game = self.game

        def following(place: tuple[Any, str]) -> list[tuple[Any, str]]:
            p, seat = place
            return [(q, game.other(seat)) for q in successors(game, p)]

        found = chain.from_iterable(explore((game.initial(), game.seats[0]), following))
        return [(p, seat) for p, seat in found if game.primitive(p) is None]

    def _ask(self, p: Any, seat: str) -> Distribution | None:
        """Return the player's distribution, or None where it gave no legal answer."""
        key = p, seat
        if key not in self.answers:
            try:
                self.answers[key] = self._distribution(p, seat)
            except PlayerFault as fault:
                text = self.game.text(p, seat)
                self.faults.append(Fault(self.player.name, text, fault.kind, fault.detail))
                if fault.fatal:
                    raise
                self.answers[key] = None
            self.progress(len(self.answers), self.total)
        return self.answers[key]

    def _distribution(self, p: Any, seat: str) -> Distribution:
        try:
            return self.player.distribution(self.game, p, seat)
        except InexactPlayerError:
            self.method = "sampled"
            answers = self.player.answers(self.game, p, seat, self.repeats)
            moves = [pick(answer, self.generator) for answer in answers]
            return {m: moves.count(m) / len(moves) for m in dict.fromkeys(moves)}

    def _reach(self, own: str) -> tuple[list[tuple[Any, str]], _Loss | None]:
        """Return where the player comes to move at a seat, and the shortest game that it loses."""
        game = self.game
        start = game.initial(), game.seats[0]
        came: dict[tuple[Any, str], tuple[tuple[Any, str], Any] | None] = {start: None}
        queue = [start]
        visited, lost = [], None
        for p, seat in queue:  # breadth first, so the first loss is the shortest
            over = game.primitive(p)
            if over is not None:
                if lost is None and over * (1 if seat == own else -1) == Outcome.LOSS:
                    lost = p, seat
                continue
            moves: list[Any] = list(game.moves(p))
            if seat == own:
                visited.append((p, seat))
                answer = self._ask(p, seat)
                if answer is None and lost is None:
                    lost = p, seat
                moves = list(answer or ())
            for m in moves:
                child = game.play(p, m), game.other(seat)
                if child not in came:
                    came[child] = (p, seat), m
                    queue.append(child)
        if lost is None:
            return visited, None
        return visited, _Loss(self._line(came, lost), own, game.primitive(lost[0]) is None)

    def _line(self, came: dict[Any, Any], end: tuple[Any, str]) -> list[Step]:
        """Return the moves that led to a position."""
        game, steps = self.game, []
        while came[end] is not None:
            (p, seat), m = came[end]
            steps.append(Step(seat, game.code(m), game.label(p, m), game.text(*end)))
            end = p, seat
        return steps[::-1]

    def _worths(self, p: Any) -> tuple[int, dict[Any, int]]:
        """Return the best score of a position, and what each move brings, in the rules' order."""
        if p not in self.worths:
            worths = dict(self.agent.table.move_scores(p))
            self.worths[p] = max(worths.values()), worths
        return self.worths[p]

    def _errs(self, p: Any, seat: str) -> bool:
        """Return whether the player may make a move that is not a best one, or none."""
        answer = self._ask(p, seat)
        best, worths = self._worths(p)
        return answer is None or any(worths[m] < best for m in answer)

    def _rates(self, positions: list[tuple[Any, str]]) -> Rates:
        good, perfect, regret = [], [], []
        for p, seat in positions:
            best, worths = self._worths(p)
            if min(worths.values()) == best:
                continue
            answer = self._ask(p, seat)
            shares = [((answer or {}).get(m, 0.0), score) for m, score in worths.items()]
            good.append(_share(x for x, score in shares if outcome(score) == outcome(best)))
            perfect.append(_share(x for x, score in shares if score == best))
            kept = math.fsum(x * outcome(score) for x, score in shares) if answer else Outcome.LOSS
            regret.append(max(0.0, outcome(best) - kept))
        return Rates(
            len(positions), len(good), _mean(good, 1.0), _mean(perfect, 1.0), _mean(regret, 0.0)
        )

    def _blunders(self, positions: list[tuple[Any, str]]) -> tuple[int, list[Blunder]]:
        """Return how many blunders the player may make, and the worst ones."""
        found: list[tuple[Any, ...]] = []
        for p, seat in positions:
            best, worths = self._worths(p)
            chosen = self._ask(p, seat) or {}
            order = sorted((m for m in worths if m in chosen), key=lambda m: -worths[m])
            for m in order:
                lost = outcome(best) - outcome(worths[m])
                if lost or (worths[m] != best and distance(best) == 1):
                    quick = distance(best) or math.inf
                    found.append((-lost, quick, -chosen[m], len(found), p, seat, m))
        worst = heapq.nsmallest(MOST_BLUNDERS, found)
        return len(found), [self._blunder(p, seat, m) for *_, p, seat, m in worst]

    def _blunder(self, p: Any, seat: str, m: Any) -> Blunder:
        """Return what there is to say of a blunder."""
        game = self.game
        scores = self.agent.scores_at(p)
        equal, score = ties(scores), next(s for s in scores if s.move == m)
        before, after = scores[0].outcome, score.outcome
        return Blunder(
            seat,
            game.text(p, seat),
            game.code(m),
            score.label,
            [game.code(tie.move) for tie in equal],
            [tie.label for tie in equal],
            str(before),
            str(after),
            f"threw a {before} away" if after < before else "missed a win in 1",
        )

    def _against(self) -> dict[str, Any]:
        """Return the exact results of the answers that the player gave."""

        def choose(p: Any, seat: str) -> Distribution:
            answer = self._ask(p, seat)
            if answer is None:
                raise PlayerFault("illegal move", "no legal answer")
            return answer

        shown = Player(self.player.name, choose)
        against, left_out, repeats = {}, [], False
        for name in OPPONENTS:
            if not fits(name, self.agent):
                continue
            opponent = load_player(name, self.agent)
            results = []
            for seat in self.own_seats:
                first = seat == self.game.seats[0]
                pair = (shown, opponent) if first else (opponent, shown)
                try:
                    found = first_against_second(self.game, *pair)
                except MatchTooLargeError:
                    left_out.append(name)
                    break
                results.append(found.result if first else found.result.turned)
                repeats = repeats or found.repeats
            if len(results) == len(self.own_seats):
                against[name] = mean(results)
        return {"against": against, "left_out": left_out, "repeats": repeats}


def _share(parts: Iterable[float]) -> float:
    """Return the sum of probabilities, 1.0 where only rounding parts it from 1."""
    total = math.fsum(parts)
    return 1.0 if abs(total - 1) < EPSILON else total


def _mean(values: list[float], without: float) -> float:
    return math.fsum(values) / len(values) if values else without
