"""Commands about games and their rules: games, check."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import typer

from solver.advice.declarations import declaration, proposed, proposed_tier, seen, undeclared
from solver.advice.doubts import random_games
from solver.cli import options
from solver.cli.link import link_to
from solver.cli.output import CheckFailedError, echo, print_json, print_rows, working
from solver.errors import GameLawError, KernelError
from solver.games import by_hand, load_game, name_forms
from solver.games.catalogue import GAMES
from solver.games.custom import is_custom
from solver.kernels import find_kernel
from solver.proof.repeat import check_repeats
from solver.rules.default_keys import with_keys
from solver.rules.descriptions import about_of, title_of
from solver.rules.game import Game, walk
from solver.rules.kernel import Kernel
from solver.rules.laws import can_repeat, check_game
from solver.rules.positions import successors
from solver.solving.forecast import EXACT, QUICK, Finding, forecast, size_in_words
from solver.tables.store import find_book, find_table, user_directory
from solver.units import counted

MOST_SOLVED = 10**11  # positions of a table
WALKED = 1000  # plies of random games that show how fast the rules are
LARGE = 10_000  # positions of a game that is compiled, and for which symmetries are looked for
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
            generators = [declaration(group, one) for one in (*group.fixing, *group.moving)]
            facts |= {"order": group.order, "fixing_start": group.fixed, "generators": generators}
        print_json({"game": rules.spec, "kept": True, **facts})
        return
    number = counted(positions, "position")
    lines = [f"{rules.spec}: the rules obey every law in {number} of random games"]
    lines += [*seen(rules, played), *_measures(rules, facts, is_small)]
    lines += filter(None, (size_in_words(size), size.growth))
    if group is not None:
        lines += proposed(group, len(rules.symmetries))
    elif size.positions >= LARGE:
        lines += [*proposed_tier(rules, [*sampled]), *undeclared(rules, game)]
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
