"""The command symmetries: what the search finds, beside what the game declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from solver.cli import options
from solver.cli.inputs import check_svg_path
from solver.cli.output import counted, print_json, report
from solver.files import save
from solver.games import load_game
from solver.pictures.numbered_boards import draw_numbered
from solver.pictures.svg import svg
from solver.rules.game import Game, Symmetry
from solver.rules.symmetry_search import (
    FoundGroup,
    LiteralMap,
    Rearrangement,
    failure,
    find_symmetries,
)
from solver.tables.format import SMALL


def symmetries(
    game: options.GameArgument,
    as_json: options.Json = False,
    output: Annotated[
        str | None, options.output("FILE.svg", "Draw the boards to this file.", "no picture")
    ] = None,
) -> None:
    """Find the symmetries of a game.

    Symmetries are found from the positions of random games, and hold in all of these. All of them
    are products of the few that are shown, each as the board after the map, with the numbers that
    its cells had before. A symmetry may also exchange marks or sides.
    """
    check_svg_path(output)
    rules = load_game(game)
    group = find_symmetries(rules)
    shown = [group.rearrangement(one) for one in group.generators]
    wrong = _wrong(group, rules.symmetries)
    numbers = {number for number, _ in wrong}
    right = [s for number, s in enumerate(rules.symmetries, 1) if number not in numbers]
    declared = _distinct(group, right)
    if as_json:
        data = {"game": rules.spec, "order": group.order, "reading": group.reading.name}
        names = ("cells", "columns", "board", "exchanged")
        generators = [dict(zip(names, one, strict=False)) for one in shown]
        maps = [_data(one) for one in group.maps]
        print_json(
            data | {"generators": generators, "maps": maps, "declared": declared, "wrong": wrong}
        )
    else:
        _print(rules.spec, group.order, shown)
    if output is not None:
        boards = [(one.cells, one.columns, _words(one)) for one in shown]
        title = f"{rules.spec}: {counted(group.order, 'symmetry', 'symmetries')}"
        save(output, svg(draw_numbered(boards, title)).encode())
        typer.echo(f"wrote {output}", err=as_json)
    for number, text in wrong:
        report(
            f"warning: symmetry {number} of those that the game declares breaks its rules at {text}"
        )
    if type(rules).symmetries is Game.symmetries:  # it leaves them to the solve
        if group.order > 1:
            start = rules.initial()
            fixed = sum(group.image(one, start) == start for one in group.maps)
            which = f": {fixed} of the {group.order}" if fixed < group.order else ""
            report(
                f"the game declares no symmetries; a solve of more than {SMALL:,} positions finds"
                f" and uses those that leave the start as it is{which}"
            )
    elif not wrong and declared < group.order:
        report(f"warning: the game declares only {declared} of {group.order} symmetries")
    if declared > group.order:
        report(f"the game declares {declared} symmetries, of which the search missed some")


def _print(spec: str, order: int, shown: Sequence[Rearrangement]) -> None:
    """Print the generators as grids of numbers."""
    if not shown:
        typer.echo(f"{spec}: no symmetry was found except the identity")
        return
    made = f", all made from {'this one' if len(shown) == 1 else f'these {len(shown)}'}"
    typer.echo(f"{spec}: {counted(order, 'symmetry', 'symmetries')}{made}")
    for one in shown:
        typer.echo(f"\n{_words(one)}:")
        width = len(str(len(one.cells)))
        numbers = [f"{cell + 1:>{width}}" for cell in one.cells]
        for i in range(0, len(numbers), one.columns):
            typer.echo("  " + " ".join(numbers[i : i + one.columns]))


def _words(one: Rearrangement) -> str:
    """Return what a map moves and exchanges, in words."""
    moved = "cells" if one.board else "places"
    where = f"the {moved} stay" if [*one.cells] == sorted(one.cells) else f"the {moved} move"
    seats = {*one.exchanged[-1]} if one.sides else {}
    pairs = [f"{v} and {w} are exchanged" for v, w in one.exchanged if {v, w} != seats]
    return ", ".join([where, *pairs, *["the sides are exchanged"] * one.sides])


def _wrong(group: FoundGroup, declared: Sequence[Symmetry]) -> list[tuple[int, str]]:
    """Return the numbers, from 1, of declared symmetries that break the rules, and where."""
    found = []
    for number, symmetry in enumerate(declared, 1):
        if broken := failure(group.sample, symmetry.position, group.sample.tested):
            found.append((number, group.sample.game.text(broken[0])))
    return found


def _distinct(group: FoundGroup, declared: Sequence[Symmetry]) -> int:
    """Return how many of the declared symmetries differ in what they do to positions."""
    positions = group.sample.tested
    return len({tuple(symmetry.position(p) for p in positions) for symmetry in declared})


def _data(literals: LiteralMap) -> list[list[Any]]:
    """Return a map as lists: a place and a value, then those of the image."""
    return [[*before, *after] for before, after in literals.items()]
