"""What the two forms of a table have in common: names, limits and the hash in the file.

A table is a JSON object (see `json_table`) or, if it is large, a memory-mapped file (see
`mapped_file`). Either way the file contains its own hash, `"sha256":"<64 digits>"`: the SHA-256 of
the whole file with these digits written as zeros, so that no byte can change unnoticed.
"""

from __future__ import annotations

from solver.errors import RulesChangedWarning, TableFormatError, quoted
from solver.games import FAMILIES, family_of, load_built_in
from solver.rules.game import Game
from solver.startup import Any

FORMAT = "perfectplay table"
VERSION = 2
STRATEGY = b"perfectplay strategy "  # how the file of a strategy begins, which is no table
BOOK = "perfectplay book"  # the format that the header of a book states
COUNTS: tuple[str, ...] = ("positions", "canonical", "terminal", "win", "draw", "loss")
SMALL = 10_000  # canonical positions up to which a table is JSON, unless its file name decides
MOST_JSON = 1_000_000  # canonical positions up to which a table can be JSON
NO_HASH = "0" * 64


def summarise(table: Any) -> str:
    """Return a table's game and counts as its repr shows them."""
    count, canonical = table.counts["positions"], table.counts["canonical"]
    name = type(table).__name__
    return f"<{name} of {table.game.spec}: {count:,} positions, {canonical:,} up to symmetry>"


def check_version(fields: dict[str, Any], expected: Any) -> None:
    """Raise TableFormatError unless a file's fields are those of a table of this version."""
    if fields.get("format") != FORMAT:
        raise TableFormatError(f'not a {FORMAT}: it has no "format":"{FORMAT}"')
    version = fields.get("version")
    if type(version) is not type(expected) or version != expected:
        raise TableFormatError(
            f"the table's version is {version!r:.80}; this program reads {expected!r}: solve the"
            " game again"
        )


def check_digits(sha256: str) -> None:
    """Raise TableFormatError unless the text could be a hash."""
    if len(sha256) != len(NO_HASH) or not set(sha256) <= set("0123456789abcdef"):
        raise TableFormatError("the table's sha256 is not 64 hexadecimal digits")


def replace_hash(data: bytes, old: str, new: str) -> bytes:
    """Return the bytes of a file, or of its head, with another hash in them."""
    return data.replace(f'"sha256":"{old}"'.encode(), f'"sha256":"{new}"'.encode(), 1)


def compare_hash(digest: str, claimed: str) -> None:
    """Raise TableFormatError unless a file has the hash that it contains."""
    if digest != claimed:
        raise TableFormatError(
            f"the table has been altered or truncated: its SHA-256 is {digest}, but it states"
            f" {claimed}"
        )


def compare_rules(name: str, stated: Any, right: Any, spec: str) -> None:
    """Raise TableFormatError unless a table states what follows from a game's rules."""
    if stated != right:
        from solver.games import is_built_in

        again = "; solve it again, unless the rules depend on chance or on the order of a set"
        hint = "" if is_built_in(spec) else again
        raise TableFormatError(
            f"the table's {name} is {stated!r:.80}, but by the rules of {spec} it is"
            f" {right!r:.80}: the table was made for other rules{hint}"
        )


def check_source(source: Any, game: Game[Any, Any]) -> bool:
    """Return whether the rules' files are others than a table states; then warn.

    Nothing is known of a table that states none. Raises TableFormatError if this is no list of
    files with its hash.
    """
    if source is None:
        return False
    if (
        not isinstance(source, dict)
        or [*source] != ["files", "hash"]
        or not isinstance(source["files"], list)
        or not all(isinstance(name, str) and name for name in source["files"])
        or source["files"] != sorted({*source["files"]})
    ):
        raise TableFormatError("the table's source is not the files of the rules and their hash")
    check_digits(str(source["hash"]))
    from solver.rules.rule_files import has_changed

    if not has_changed(game, source):
        return False
    from warnings import warn

    warn(
        f"the rules of {game.spec} have changed since its table was made: solve the game again, or"
        " let perfectplay verify prove the table",
        RulesChangedWarning,
        stacklevel=2,
    )
    return True


def name_of_rules(spec: str) -> str:
    """Return the name by which a command probably finds a game, quoted for the shell."""
    from shlex import quote

    from solver.games.custom import is_openspiel

    module, _, name = spec.partition(":")
    if family_of(spec) in FAMILIES or (is_openspiel(spec) and len(spec) < 300):
        return quote(spec)
    is_module = module.isidentifier() and name.isidentifier()
    return f"{module}.py:{name}" if is_module else "FILE.py:CLASS"


def game_for(spec: str, game: Game[Any, Any] | None, of: str = "table") -> Game[Any, Any]:
    """Return the game `of` a table: the given one, or else the built-in game that `spec` names.

    Raises TableFormatError if no game is given and there is no such built-in game; for a custom
    game it says how to name the rules.
    """
    if game is None:
        if family_of(spec) not in FAMILIES:
            raise TableFormatError(
                f"the {of} is of a custom game, {quoted(spec)}: name its rules with --game"
                f" {name_of_rules(spec)}"
            )
        try:
            game = load_built_in(spec)
        except ValueError as error:
            raise TableFormatError(f"the {of}'s game is unknown: {error}") from error
    if not isinstance(game, Game):
        raise TypeError(f"expected a Game, as returned by load_game, got {game!r:.80}")
    return game
