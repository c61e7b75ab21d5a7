"""Commands about games and their rules: games, check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solver.cli import options
from solver.cli.link import link_to
from solver.cli.output import CheckFailedError, echo, print_json, print_rows, working
from solver.errors import GameLawError, KernelError
from solver.games import by_hand, load_game, name_forms
from solver.games.catalogue import GAMES
from solver.games.custom import is_custom
from solver.kernels import find_kernel
from solver.proof.doubts import doubts, ends_in_words, random_games, undefined_turn
from solver.proof.repeat import check_repeats
from solver.rules.default_keys import with_keys
from solver.rules.descriptions import about_of, title_of
from solver.rules.game import Game, Symmetry, overrides, walk
from solver.rules.kernel import Kernel
from solver.rules.laws import WALKS, can_repeat, check_game, random_length
from solver.rules.positions import successors
from solver.solving.forecast import EXACT, QUICK, Finding, forecast, size_in_words
from solver.tables.store import find_book, find_table, user_directory
from solver.units import counted

if TYPE_CHECKING:
    from solver.rules.symmetry_search import Proposal

MOST_SOLVED = 10**11  # positions of a table
WALKED = 1000  # plies of random games that show how fast the rules are
LARGE = 10_000  # positions of a game that is compiled, and for which symmetries are looked for
MOST_TIERS = 1000  # that are proposed
ALIKE = 0.8  # from which on a method's name is taken for a misspelling
BATCH = 1 << 16  # positions that compiled rules expand to show how fast they are


def games() -> None:
    """List the games, their tables and their rules.

    Some games are answered from a table, which 'perfectplay solve' makes unless the game is small,
    some by search, and some by search unless there is a table.
    """
    listed = list_games()
    rows = [("game", "positions", "up to symmetry", "answers", "value", "name (source)")]
    for one in listed:
        counts = f"{one['positions']:,}", f"{one['canonical']:,}" if one["canonical"] else "-"
        title = f"{one['title']} ({one['source']})"
        rows.append((one["spec"], *counts, one["answers"], one["value"], title))
    print_rows(rows)
    typer.echo("\nOther sizes and games:")
    for form in name_forms():
        typer.echo(f"  {form}")
    echo(f"\nTables ('solve' writes others, and unfinished work, to {user_directory()}):")
    for one in listed:
        if (path := _find_stored(one["spec"])) is not None:
            echo(f"  {one['spec']}: {path}")
    typer.echo("\nRules:")
    titles: dict[str, str] = {}
    for one in listed:
        titles.setdefault(one["about"], one["title"])
    for about, title in titles.items():
        typer.echo(f"  {title}: {about}")


def list_games() -> list[dict[str, Any]]:
    """Return the catalogue, with what answers for each game, its title and its rules."""
    listed = []
    for listing in GAMES:
        game = load_game(listing.spec)
        answers = "table or search" if game.searchable else "table"
        answers = "search" if listing.positions > MOST_SOLVED else answers
        texts = {"answers": answers, "title": title_of(game), "about": about_of(game)}
        listed.append(listing._asdict() | texts)
    return listed


def _find_stored(spec: str) -> str | None:
    """Return the path of the table or book of a game, or None if there is none."""
    with suppress(FileNotFoundError):
        return find_table(spec, unproved=True)
    return find_book(spec)


Symmetries = Annotated[
    bool, typer.Option("--symmetries", help="Propose symmetries for the game to declare.")
]


Link = Annotated[
    str | None,
    options.option(
        "--link",
        "BASE",
        "Also print a link that opens the rules in the playground of a site at this address.",
    ),
]


def check(
    game: options.GameArgument,
    symmetries: Symmetries = False,
    link: Link = None,
    as_json: options.Json = False,
) -> None:
    """Check the rules of a game on random games.

    It also says how large the game is, whether its rules are compiled, as is tried unless it is
    small, which tiers and symmetries it declares, and whether it would pay to declare more. Solving
    relies on the laws of a game: every position that is not over has a move, for example, and every
    symmetry maps legal moves to legal moves. The exit status is 1 if the rules break a law, or if
    their compiled form contradicts them.

    With --symmetries, turns, reflections and rotations of the board, or of the places of positions,
    are tried with exchanges of values and sides. Those that hold in random games are printed as
    lines to paste into the class. A solve then compares every position with its images.
    """
    with working(f"checking the rules of {game}"):
        _check(game, symmetries, link, as_json)


def _check(game: str, symmetries: bool, link: str | None, as_json: bool) -> None:
    """Check the rules of a game, and print what was found."""
    rules = load_game(game)
    try:
        positions = check_game(rules)
        if is_custom(game):
            check_repeats(rules, game, processes=2)
        size = forecast(rules, QUICK)
        is_counted = size.certainty == EXACT and size.positions < LARGE
        is_small = is_counted and not by_hand(rules, "kernel")
        find: Finding = partial(find_kernel, in_full=True)
        if is_small:
            find = lambda _: (None, "")  # noqa: E731
        kernel, remark, speed = with_keys(rules, lambda: _measured(rules, find))
    except (GameLawError, KernelError) as error:
        if as_json:
            print_json({"game": rules.spec, "kept": False, "error": str(error)})
        raise CheckFailedError(str(error)) from error
    played = random_games(rules)
    sampled = dict.fromkeys(p for one in played for p in one)
    facts: dict[str, Any] = {
        "positions": positions,
        "kernel": kernel is not None,
        "remark": remark,
        "speed": speed,
        "bits": max(map(rules.key, sampled)).bit_length(),
        "symmetries": len(rules.symmetries),
        "tiers": len({*map(rules.tier, sampled)}),
    }
    group = None
    if symmetries:
        from solver.rules.symmetry_search import find_symmetries

        group = find_symmetries(rules)
    if link is not None:
        facts["link"] = link_to(link, rules)
    if as_json:
        if group is not None:
            generators = [_line(group, one) for one in (*group.fixing, *group.moving)]
            facts |= {"order": group.order, "fixing_start": group.fixed, "generators": generators}
        print_json({"game": rules.spec, "kept": True, **facts})
        return
    number = counted(positions, "position")
    lines = [f"{rules.spec}: the rules obey every law in {number} of random games"]
    lines += [*_seen(rules, played), *_measures(rules, facts, is_small)]
    lines += filter(None, (size_in_words(size), size.growth))
    if group is not None:
        lines += _proposed(group, len(rules.symmetries))
    elif size.positions >= LARGE:
        lines += [*_proposed_tier(rules, [*sampled]), *_advice(rules, game)]
    if link is not None:
        lines.append(facts["link"])
    typer.echo("\n".join(lines))


def _measures(game: Game[Any, Any], facts: dict[str, Any], is_small: bool) -> Iterator[str]:
    """Yield whether positions repeat, how fast the rules are, and what a table is made of.

    The rules of a small game are not compiled.
    """
    if can_repeat(game):
        yield "positions can repeat: a game that never ends is a draw"
    form = "in plain Python, since the game is small" if is_small else "in plain Python"
    if facts["kernel"]:
        form = "compiled, and the compiled rules agree with them"
    yield f"{form}: {facts['speed']:,} positions a second"
    if facts["remark"]:
        yield facts["remark"]
    bits, tiers = counted(facts["bits"], "bit"), counted(facts["tiers"], "tier")
    yield f"keys of {bits}, {tiers}, {counted(facts['symmetries'], 'symmetry', 'symmetries')}"


def _seen(game: Game[Any, Any], games: list[list[Any]]) -> Iterator[str]:
    """Yield what the positions of random games show that an author may have meant otherwise."""
    attributes = vars(type(game))
    usual = {name for name in vars(Game) if not name.startswith("_")} - {*attributes}
    for name in [name for name in attributes if isinstance(attributes[name], FunctionType)]:
        like = get_close_matches(name, usual, 1, ALIKE)
        if like and not name.startswith("_") and not hasattr(Game, name):
            yield f"{name} is no method of Game: did you mean {like[0]}?"
    if ends := ends_in_words(game, games):
        yield ends
    elif all(random_length(game, seed) is None for seed in range(WALKS)):
        yield "no random game ends: primitive returns an Outcome when the game is over"
    yield from _seen_on_board(game, [p for one in games for p in one])
    yield from undefined_turn(game, games)
    yield from doubts(game, games)


def _seen_on_board(game: Game[Any, Any], walked: list[Any]) -> Iterator[str]:
    """Yield signs that a board has other rows and columns than its author thinks."""
    if game.board is None or type(game).cell is Game.cell:
        return
    columns, rows = game.board
    size = f"board says {columns} columns and {rows} rows"
    opened = [p for p in dict.fromkeys(walked) if game.primitive(p) is None]
    moves = [(p, m) for p in opened for m in game.moves(p)]
    drawn = [game.marks(game.text(p, game.seats[0])) for p in walked]
    at: set[int | None] = {
        cell for cell, marks in enumerate(zip(*drawn, strict=True)) if len({*marks}) > 1
    }
    at |= {f(p, m) for p, m in moves for f in (game.cell, game.origin)}
    if missed := [str(cell) for cell in range(columns * rows) if cell not in at]:
        cells = ", ".join(missed)
        yield f"no move of these games changes cell {cells}, counted from 0, and {size}"
    with suppress(ValueError, ImportError):
        from solver.rules.symmetry_search import fits_turned_board

        if columns != rows and fits_turned_board(game):
            yield f"{size}, but the rules are mirrored on one of {rows} columns and {columns} rows"


def _proposed_tier(game: Game[Any, Any], positions: list[Any]) -> Iterator[str]:
    """Yield a tier to declare, such as the stones on the board, which no sampled move lowers.

    Nothing uses it unless it is declared, since samples prove nothing.
    """
    if overrides(game, "tier"):
        return
    moves = [(p, q) for p in positions for q in successors(game, p)]
    best, tiers = "", 2
    for text, number in _numbers(positions):
        met = {*map(number, positions)}
        levels = len(met) if max(map(abs, met)) < MOST_TIERS else 0  # no bits of a board
        for sign, name in ((1, text), (-1, f"-{text}")):
            if levels > tiers and all(sign * number(p) <= sign * number(q) for p, q in moves):
                best, tiers = name, levels
    if best:
        yield (
            f"no move of these games lowers {best}: with def tier(self, p): return {best}, a solve"
            " takes less memory"
        )


def _numbers(positions: list[Any]) -> Iterator[tuple[str, Callable[[Any], int]]]:
    """Yield the numbers in positions, and how often each mark is in them, as rules write them."""
    parts: list[tuple[str, Callable[[Any], Any]]] = [("p", lambda p: p)]
    if all(isinstance(p, tuple) for p in positions):
        parts += [(f"p[{i}]", itemgetter(i)) for i in range(min(map(len, positions)))]
    for text, part in parts:
        values = {*map(part, positions)}
        if all(type(value) is int for value in values):
            yield text, part
        elif all(isinstance(value, str | tuple) for value in values):
            for mark in {mark for value in values for mark in value}:
                yield f"{text}.count({mark!r})", partial(_count, part, mark)


def _count(part: Callable[[Any], Any], mark: Any, p: Any) -> int:
    """Return how often a mark is in a part of a position."""
    number: int = part(p).count(mark)
    return number


def _advice(game: Game[Any, Any], name: str) -> Iterator[str]:
    """Yield what symmetries would save that a game does not declare."""
    with suppress(ValueError, ImportError):  # positions have no fixed places
        from solver.rules.symmetry_search import find_symmetries

        group, start = find_symmetries(game), game.initial()
        share = group.fixed // sum(s.position(start) == start for s in game.symmetries)
        if share >= 2:
            part = {2: "half", 4: "a quarter", 8: "an eighth"}.get(share, f"1/{share}")
            yield (
                f"{group.fixed} symmetries found: tables would be about {part} as large; see"
                f" 'perfectplay check {name} --symmetries'"
            )


def _proposed(group: Proposal, declared: int) -> Iterator[str]:
    """Yield what was found, and lines that declare it; if some leave the start, others comments."""
    if group.order == 1:
        yield "no symmetry was found except the identity"
        return
    fixed = "one leaves" if group.fixed == 1 else f"{group.fixed} leave"
    start = f", of which {fixed} the start as it is" * (group.fixed < group.order)
    number = counted(group.order, "symmetry", "symmetries")
    yield f"at least {number} found{start}; others may exist"
    if declared >= group.order:
        return
    yield "to declare them, add the import to the file and the other lines to the class:\n"
    yield "from solver import rearrange, symmetry_group\n\n    symmetries = symmetry_group("
    yield from (f"        {_line(group, one)}," for one in group.fixing)
    for one in group.moving:
        is_comment = bool(group.fixing)
        line = f"{'# ' * is_comment}{_line(group, one)},{'  # moves the start' * is_comment}"
        yield f"        {line}"
    yield "    )"


def _line(group: Proposal, one: Symmetry) -> str:
    """Return the call of `rearrange` that makes a symmetry."""
    origins, changes = one.place_map or ((), ())
    where: dict[tuple[Any, Any], list[int]] = {}
    for place, pairs in enumerate(changes):
        for v, w in pairs:
            if (w, v) not in where:
                where.setdefault((v, w), []).append(place)
    words = [repr(origins)]
    for pair, at in where.items():
        seen = enumerate(group.sample.seen)
        others = [i for i, values in seen if i not in at and {*pair} & {*values}]
        named = {*map(type, pair)} == {str} and "".join(pair).isalnum()
        text = f'"{"".join(pair)}"' if named else repr(pair)
        words.append(f"({pair[0]!r}, {pair[1]!r}, {at})" if others else text)
    return f"rearrange({', '.join(words)})"


def _measured(game: Game[Any, Any], find: Finding) -> tuple[Kernel | None, str, int]:
    """Return the kernel, why there is none, and how many positions a second the rules expand."""
    kernel, remark = find(game)
    positions = list(dict.fromkeys(walk(game, WALKED)))
    if kernel is None:
        started = time.perf_counter()
        for p in positions:
            successors(game, p)
    else:
        import numpy as np

        keys: np.ndarray = np.array(
            [*map(game.key, positions)] * (BATCH // len(positions) + 1), kernel.dtype
        )
        positions = keys.tolist()
        started = time.perf_counter()
        kernel.expand(keys)
    return kernel, remark, round(len(positions) / (time.perf_counter() - started))
