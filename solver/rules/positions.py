"""The positions of a game: one move on, all that the game can reach, and symmetric ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from math import inf

from solver.errors import GameLawError, IllegalPositionError
from solver.rules.game import (
    Game,
    checked_key,
    checked_text,
    checked_tier,
    legal_moves,
    overrides,
    primitive_outcome,
)
from solver.rules.kinds import check_sets
from solver.rules.plain import has_plain_types, other_type
from solver.startup import M, P

DECLARE = "declare symmetries, which check --symmetries proposes, in its place"


def explore(
    starts: Iterable[P], following: Callable[[P], Iterable[P]], most: float = inf
) -> Iterator[list[P]]:
    """Yield everything that can be reached from `starts`, breadth first, each position once.

    Each list has what is one step further than the list before; it is cut short, and the last one,
    once more than `most` positions were found. `following(p)` returns what is one step from `p`; it
    is called once for each `p`, after the list with `p` was yielded.
    """
    level = list(starts)
    seen = set(level)
    while level:
        yield level
        found: dict[P, None] = {}
        for p in level:
            found.update(dict.fromkeys(q for q in following(p) if q not in seen))
            if len(seen) + len(found) > most:
                yield list(found)
                return
        level = list(found)
        seen.update(level)


def successors(game: Game[P, M], p: P) -> list[P]:
    """Return the distinct positions one move on, in preference order; none if the game is over."""
    return list(dict.fromkeys(one_move_on(game, p)))


def children(game: Game[P, M], p: P) -> list[P]:
    """Return the canonical positions one move on, one for each move; none if the game is over."""
    return list(map(game.canonical, one_move_on(game, p)))


def one_move_on(game: Game[P, M], p: P) -> list[P]:
    """Return the position after each move; none if the game is over.

    Raises GameLawError if a move is listed twice.
    """
    if primitive_outcome(game, p) is not None:
        return []
    moves = legal_moves(game, p)
    if len({*moves}) < len(moves):
        raise GameLawError(f"{game.spec} breaks a law at {p!r:.200}: moves are listed once")
    return [game.play(p, m) for m in moves]


def codes_of(game: Game[P, M], p: P) -> list[int | str]:
    """Return the codes of the moves of a position that is not over; raises GameLawError."""
    moves = legal_moves(game, p)
    codes = [game.code(m) for m in moves]
    labels = [game.label(p, m) for m in moves]
    if min(len({*codes}), len({*labels})) < len(moves):
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: moves are listed once and have different"
            f" codes and labels, not {codes!r:.80} and {labels!r:.80}"
        )
    return codes


def _check_text(game: Game[P, M], p: P) -> None:
    """Raise GameLawError if the text of a position stands for another one, or for none."""
    for seat in (None, game.turn(p)):
        text = checked_text(game, p, seat)
        try:
            same = game.parse(text, seat) == p
        except IllegalPositionError:
            same = False
        if not same:
            raise GameLawError(
                f"{game.spec} breaks a law at {p!r:.200}: parse is the inverse of text, but not for"
                f" {text!r:.80}"
            )


def check_position(game: Game[P, M], p: P) -> None:
    """Raise GameLawError if a position, or one of its images, breaks a law that samples may not."""
    check_types(game, p)
    if overrides(game, "text") or overrides(game, "parse"):
        _check_text(game, p)
    elif isinstance(p, str):
        checked_text(game, p)
    if overrides(game, "key") and (q := game.position(checked_key(game, p))) != p:
        law = f"position is the inverse of key, but gives {q!r:.200}: two positions have this key"
        raise GameLawError(f"{game.spec} breaks a law at {p!r:.200}: {law}")
    if primitive_outcome(game, p) is None:
        codes_of(game, p)
    check_images(game, p)


def check_types(game: Game[P, M], p: P) -> None:
    """Raise GameLawError if a value has another type than its place has at the start."""
    start = game.initial()
    if has_plain_types(start, p):  # and holds no set
        return
    if (other := other_type(start, p)) is not None:
        way = "write int(...), or // for /"
        if type(other) is int:
            way = "write a whole number at the start, too"
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: {other!r} is of another type than its place"
            f" has at the start: {way}"
        )
    check_sets(game, p)


def check_images(game: Game[P, M], p: P) -> None:
    """Raise GameLawError unless all images of a position behave as it does.

    They have its outcome, and as many of their moves lead to the images of its children. Each child
    is an image of its canonical one, so that it will be compared with that, too.
    """
    own = overrides(game, "canonical") or overrides(game, "orient")
    if len(game.symmetries) == 1 and not own:
        return
    over, after = primitive_outcome(game, p), one_move_on(game, p)
    for q in after:
        least = game.canonical(q)
        if all(symmetry.position(least) != q for symmetry in game.symmetries):
            raise GameLawError(
                f"{game.spec}: symmetries lead from {q!r:.200} to {least!r:.200}, but none leads"
                " back: they are no group"
                if len(game.symmetries) > 1
                else f"{game.spec}: canonical leads from {q!r:.200} to {least!r:.200}: {DECLARE}"
            )
        if own:
            _check_orient(game, q, least)
    for number, symmetry in enumerate(game.symmetries, 1):
        image = symmetry.position(p)
        wrong = (
            f"{game.spec}: symmetry {number} is wrong at {p!r:.200}, whose image is {image!r:.200}:"
        )
        image_over = primitive_outcome(game, image)
        if image_over != over:
            raise GameLawError(f"{wrong} primitive returns {over!r} and {image_over!r}")
        moved, others = Counter(map(symmetry.position, after)), Counter(one_move_on(game, image))
        if moved != others:  # how many lead to each counts, too: traps are shares of them
            q = next(iter((moved - others) + (others - moved)))
            raise GameLawError(
                f"{wrong} {moved[q]} of its moves lead to positions with the image {q!r:.200}, but"
                f" {others[q]} of the image's moves lead there"
            )


def _check_orient(game: Game[P, M], p: P, least: P) -> None:
    """Raise GameLawError unless `orient` leads to `least`, the canonical image, as it says."""
    found, symmetry = game.orient(p)
    if not found == least == symmetry.position(p) or symmetry not in game.symmetries:
        raise GameLawError(
            f"{game.spec}: orient leads from {p!r:.200} to {found!r:.200} by a symmetry that leads"
            f" to {symmetry.position(p)!r:.200}, and canonical to {least!r:.200}: {DECLARE}"
        )


def every_position(game: Game[P, M]) -> Iterator[P]:
    """Yield the distinct positions that a game can reach, in order of plies from the start."""
    return chain.from_iterable(explore([game.initial()], partial(successors, game)))


def reachable(
    game: Game[P, M],
    go_on: Callable[[int], bool] = lambda count: True,
    most: float = inf,
    following: Callable[[P], Iterable[P]] | None = None,
) -> dict[int, list[P]]:
    """Return the canonical positions that a game can reach by tier, tiers in ascending order.

    `go_on` is called with the number of those found, ply by ply. Returns an empty dict once it
    returns False, or more than `most` positions are found. `following` returns what `children`
    does.
    """
    tiers: dict[int, list[P]] = {}
    count = 0
    start = game.canonical(game.initial())
    for level in explore([start], following or partial(children, game), most):
        count += len(level)
        if count > most or not go_on(count):
            return {}
        for p in level:
            tiers.setdefault(checked_tier(game, p), []).append(p)
    return dict(sorted(tiers.items()))


def reaches_images(game: Game[P, M]) -> bool:
    """Return whether the start is its own image under every symmetry.

    A game can then reach all images of the positions that it can reach.
    """
    start = game.initial()
    return all(s.position(start) == start for s in game.symmetries)


def orbits(game: Game[P, M], positions: Iterable[P]) -> dict[P, int]:
    """Return how many positions that a game can reach each of its canonical `positions` represents.

    If the start is its own image under every symmetry, all images of a reachable position are
    reachable, so its distinct images are counted. Otherwise every reachable position is visited.
    """
    if reaches_images(game):
        return {p: len({s.position(p) for s in game.symmetries}) for p in positions}
    counts = dict.fromkeys(positions, 0)
    for p in every_position(game):
        counts[game.canonical(p)] += 1
    return counts
