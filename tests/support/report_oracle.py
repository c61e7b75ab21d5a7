"""All games of two players by dicts and fractions, slowly; shares no code with the report."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

from tests.support.brute import solve_by_force

LEFT = 1e-6  # the share of games that may go on, where positions can repeat


class Oracle:
    """A game with its values by brute force; a player is its share of best moves."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.values = solve_by_force(game)
        self.after = {
            p: [game.play(p, m) for m in game.moves(p)] if game.primitive(p) is None else []
            for p in self.values
        }

    def keeps(self, p: Any) -> list[bool]:
        return [self.values[q][0] == -self.values[p][0] for q in self.after[p]]

    def trap(self, q: Any) -> Fraction:
        """Return how many replies lose something, of a side that has something to lose."""
        replies = self.after[q]
        if not replies or self.values[q][0] < 0:
            return Fraction(0)
        return Fraction(self.keeps(q).count(False), len(replies))

    def choice(self, p: Any) -> int:
        """Return the first of the best moves: won soonest, drawn, or lost latest; then by trap."""
        ranks = []
        for q in self.after[p]:
            outcome, plies = self.values[q]
            ranks.append((-outcome, outcome * (plies or 0), self.trap(q)))
        return ranks.index(max(ranks))

    def exact(self, first: Fraction, second: Fraction) -> tuple[Fraction, Fraction]:
        """Return how often the first player wins, and the mean length, by linear equations.

        The unknowns belong to a position and a player to move. All games must end.
        """
        start = self.game.initial(), 0
        rows: dict[Any, Any] = {}
        waiting = [start]
        while waiting:
            p, seat = state = waiting.pop()
            if state in rows:
                continue
            after, skill = self.after[p], (first, second)[seat]
            won = self.values[p][0] * (-1) ** seat == 1
            row: Any = Counter({state: Fraction(1), "won": Fraction(not after and won)})
            row["length"] = Fraction(bool(after))
            for place, q in enumerate(after):
                chance = (1 - skill) / len(after) + skill * (place == self.choice(p))
                if chance:
                    row[q, 1 - seat] -= chance
                    waiting.append((q, 1 - seat))
            rows[state] = row
        for state in [*rows][::-1]:  # the start comes last
            row = rows.pop(state)
            row = {name: value / row[state] for name, value in row.items() if value}
            for other in rows.values():
                if factor := other.get(state):
                    for name, value in row.items():
                        other[name] = other.get(name, Fraction(0)) - factor * value
        return row.get("won", Fraction(0)), row["length"]

    def play(
        self, first: Fraction, second: Fraction, errors: bool, number: Any = Fraction
    ) -> dict[str, Any]:
        """Return the ends of all games, and what errors random players make on the way."""
        best = {p: self.choice(p) for p, after in self.after.items() if after}
        games = {(self.game.initial(), 0): number(1)}  # at a position, after the last error
        found: dict[str, Any] = {"ends": defaultdict(number), "decided": Counter()}
        found |= {"could": number(0), "gave": number(0)}
        ply = 0
        while sum(games.values()) > LEFT:
            skill = number((first, second)[ply % 2])
            moved: dict[Any, Fraction] = defaultdict(number)
            for (p, last), share in games.items():
                after, keeps = self.after[p], self.keeps(p)
                if not after:
                    winner = self.values[p][0] * (-1) ** ply
                    found["ends"][ply, winner] += share
                    found["decided"][last] += share
                    continue
                for place, q in enumerate(after):
                    chance = (1 - skill) / len(after) + skill * (place == best[p])
                    moved[q, last if keeps[place] else (ply + 1) * errors] += share * chance
                if self.values[p][0] > 0:
                    found["could"] += share
                    found["gave"] += share * keeps.count(False) / len(after)
            games = {state: share for state, share in moved.items() if share}
            ply += 1
        return found | {"bounded": not games}

    def rows(self) -> list[tuple[int, ...]]:
        """Return, ply by ply, the fields of a Row after the first."""
        level, seen, rows = [self.game.initial()], {self.game.initial()}, list[tuple[int, ...]]()
        while level:
            values = Counter(self.values[p][0] for p in level)
            numbers = [len(self.after[p]) for p in level]
            choices = [p for p in level if len(self.after[p]) > 1]
            stakes = sum(not all(self.keeps(p)) for p in choices)
            single = sum(self.keeps(p).count(True) == 1 for p in choices)
            row = len(level), values[1], values[0], values[-1], numbers.count(0), sum(numbers)
            rows.append((*row, len(choices), stakes, single, max(numbers)))
            level = [*dict.fromkeys(q for p in level for q in self.after[p] if q not in seen)]
            seen.update(level)
        return rows
