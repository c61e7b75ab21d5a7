"""Matches and tournaments as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solver.agent.text import align
from solver.arena.match import Fault, Match, Result, interval
from solver.arena.tournament import Tournament
from solver.players.player import Changed
from solver.reports.grade_text import SHOWN, Rows
from solver.units import counted

REPEATS = (
    "Positions can repeat. An exact match counts a game as a draw only if it never ends, a\n"
    "sampled match when a position occurs for the third time."
)


def match_text(match: Match) -> str:
    """Return the results of two players."""
    method = f"{counted(match.games, 'game')} sampled" if match.games else "exact"
    rows: Rows = [("", "win", "draw", "loss")]
    for name, result, played in _parts(match):
        cells = [f"{share:.4%}" for share in result]
        if match.games:
            bounds = [(share, *interval(share, played)) for share in result]
            cells = [f"{share:.1%} ({low:.1%} to {high:.1%})" for share, low, high in bounds]
        rows.append((name, *cells))
    found = [f"{match.a} against {match.b}, {method}", "\n".join(align(rows))]
    return "\n\n".join([*found, *_remarks(match.repeats, match.changed, match.faults)])


def ranking_text(ranking: Tournament, games: int) -> str:
    """Return the standings of several players and their cross-table of mean results.

    `games` were played in each match that has no exact result.
    """
    standings, matches = ranking.standings, ranking.matches
    rows: Rows = [("", "player", "points", "win", "draw", "loss")]
    rows += [
        (f"{s.rank}.", s.player, f"{s.points:.4f}", *(f"{share:.2%}" for share in s.result))
        for s in standings
    ]
    cross: Rows = [("", *(f"{s.rank}." for s in standings))]
    for s in standings:
        against = (ranking.results.get((s.player, other.player)) for other in standings)
        cells = ("" if mean is None else f"{mean.expected:+.3f}" for mean in against)
        cross.append((f"{s.rank}. {s.player}", *cells))
    found = ["\n".join(align(rows))]
    found.append("Mean result (win 1, draw 0, loss -1) of the row against the column:")
    found.append("\n".join(align(cross)))
    if sampled := [f"{m.a} against {m.b}" for m in matches if m.games]:
        found.append(f"Sampled, {counted(games, 'game')} each, not exact: {', '.join(sampled)}")
    changed = [*dict.fromkeys(one for match in matches for one in match.changed)]
    faults = [*dict.fromkeys(fault for match in matches for fault in match.faults)]
    repeats = any(match.repeats for match in matches)
    return "\n\n".join([*found, *_remarks(repeats, changed, faults)])


def match_data(match: Match) -> dict[str, Any]:
    """Return a match as JSON data."""
    data: dict[str, Any] = {"a": match.a, "b": match.b, "method": match.method}
    keys = ("a_first", "a_second", "both") if match.games != 1 else ("a_first", "both")
    for key, (_, result, played) in zip(keys, _parts(match), strict=True):
        data[key] = result._asdict()
        if match.games:
            bounds = {k: interval(share, played) for k, share in result._asdict().items()}
            data[key] |= {"games": played, "intervals": bounds}
    data["changed"] = [one._asdict() for one in match.changed]
    return data | {"repeats": match.repeats, "faults": [f._asdict() for f in match.faults]}


def ranking_data(game: str, ranking: Tournament) -> dict[str, Any]:
    """Return the standings and matches of several players as JSON data."""
    table = [s._asdict() | {"result": s.result._asdict()} for s in ranking.standings]
    return {"game": game, "standings": table, "matches": [*map(match_data, ranking.matches)]}


def _parts(match: Match) -> list[tuple[str, Result, int]]:
    """Return the results of a match, each with its name and its number of games if sampled.

    They are those of both seats and of all games; a single game has no second seat.
    """
    second = match.games // 2
    seconds = [(f"{match.a} second", match.a_second, second)] if match.games != 1 else []
    return [
        (f"{match.a} first", match.a_first, match.games - second),
        *seconds,
        ("both", match.both, match.games),
    ]


def _remarks(repeats: bool, changed: Sequence[Changed], faults: Sequence[Fault]) -> Iterator[str]:
    """Yield what must be known of results: repeated positions, changed answers and faults."""
    if repeats:
        yield REPEATS
    yield from (f"{one}: its games are sampled." for one in changed)
    if faults:
        lines = [f"No legal move, which loses the game, in {counted(len(faults), 'position')}:"]
        for fault in faults[:SHOWN]:
            lines.append(f"  {fault.player}  {fault.position}  {fault.kind}: {fault.detail}")
        if len(faults) > SHOWN:
            lines.append(f"  ... and {len(faults) - SHOWN:,} more")
        yield "\n".join(lines)
