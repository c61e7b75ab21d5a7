"""The source of a module for numba: a game's four methods, written without `self`, texts and dicts.

The methods, and whatever of the user's functions, base classes and constants they use, are
rewritten one by one: `self.NAME` and global names become functions and constants of the module,
texts become calls of `text`, and Python's operators and functions become calls of
`solver.compiling.values`. What is not known here raises NotCompiledError with the user's line.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from solver.compiling.functions import tree_of
from solver.compiling.position_source import characters, definitions
from solver.compiling.rewriter import Rewriter
from solver.compiling.texts import WORD
from solver.errors import NotCompiledError
from solver.rules.game import Game
from solver.rules.plain import unconverted
from solver.value import Outcome
from solver.version import __version__

METHODS = ("moves", "play", "primitive", "tier")
SPACE = "\n\n\n"  # between definitions
LONG = 64  # items of a sequence of numbers, above which it becomes an array
PLAIN_KINDS = FunctionType, staticmethod, classmethod, property, cached_property
LIBRARY = ("texts.py", "values.py", "strict.py")  # a cached module is of these, too
HEAD = """\
\"\"\"The rules of {spec}, compiled by perfectplay {version} with numba {numba}.\"\"\"  # {library}
import numpy as np
from solver.compiling.strict import *
from solver.compiling.texts import *
from solver.compiling.values import *
from solver.value import Outcome
text = text_maker({width})

"""

# Fills in outcomes and children; returns the number of columns that would be needed, or -1 at a row
# whose rules must be asked in Python, as where a move is listed twice. If they raise an error, `at`
# has the row, too.
EXPAND = """\
@entry
def expand(keys, outcomes, children, at):
    most = 0
    for row in range(len(keys)):
        at[0] = row
        p = unpack(np.int64(keys[row]))
        outcomes[row] = decided({primitive}(p))
        size = 0
        if outcomes[row] == OPEN:
            moves = {moves}(p)
            for m in items(moves):
                child = pack({play}(p, m))
                if child < 0:
                    return -1
                if child in children[row, :size] and count(moves, m) > 1:
                    return -1
                if size < children.shape[1]:
                    children[row, size] = child
                size += 1
            if size == 0:
                return -1
        for column in range(size, children.shape[1]):
            children[row, column] = -1
        most = max(most, size)
    return most
"""

TIERS = """\
@entry
def tiers(keys, results):
    for row in range(len(keys)):
        results[row] = whole({tier}(unpack(np.int64(keys[row]))))
"""


HINTS: dict[Any, str] = {
    (set, frozenset): ", which is compiled only on the right of `in`: go through a tuple",
    dict: ": look values up in a plain dict, or go through a tuple of its items",
    Enum: ": write its value",
    float: ": write whole numbers",
    FunctionType: ": call it by this name",
    type: " of Python, which is not called: write numbers, or characters of a constant text",
}


class RulesSource:
    """The definitions of a game's compiled rules, and the user's lines that they come from."""

    def __init__(self, game: Game[Any, Any], alphabet: str = "") -> None:
        self.game, self.alphabet = game, alphabet
        self.width = max(1, (len(alphabet) - 1).bit_length())
        self.characters = set(alphabet)
        self.definitions: list[str] = []
        self._origins: list[tuple[str, dict[int, int]]] = []  # the user's file and lines of each
        self._names: dict[Any, ast.expr] = {}
        self.count = 0  # of comprehensions
        self._open: list[FunctionType] = []  # those that call the one that is being defined
        self.changing: set[FunctionType] = set()
        """The functions that may change a list which others have, too."""
        self.refused: dict[str, NotCompiledError] = {}
        self._constants: list[Any] = []
        """What is not compiled, by place and reason."""
        self.class_methods: set[Any] = set()
        kind = type(game)
        if kind.__getattribute__ is not object.__getattribute__ or hasattr(kind, "__getattr__"):
            raise NotCompiledError("it defines what self.NAME means: write plain attributes")
        wanted = METHODS if type(game).tier is not Game.tier else METHODS[:3]
        self.methods = {name: self._method(name) for name in wanted}  # unless some are refused

    def _method(self, name: str) -> str:
        """Return what one of the rules is called in the module."""
        try:
            value, is_method = self.attribute(name)
            if type(value) is FunctionType:
                return ast.unparse(self.function(value, is_method))
            reason = f"{name} is a {type(value).__name__}: write it with def and self"
            raise NotCompiledError(reason)
        except NotCompiledError as error:
            code = getattr(inspect.unwrap(getattr(self.game, name)), "__code__", None)
            location = f"{code.co_filename}:{code.co_firstlineno}" if code else ""
            self.refuse(NotCompiledError(error.reason, error.location or location))
            return ""

    def attribute(self, name: str, by_class: bool = False) -> tuple[Any, bool]:
        """Return what self.NAME or cls.NAME is, a method as its function, and whether it is one.

        What the class holds is known by its type alone: a wrapper that a decorator made is a
        function with variables of another, or of no type that is named here.
        """
        value = unconverted(inspect.getattr_static(type(self.game), name, None))
        kind, held = type(value), {} if by_class else vars(self.game)
        if name not in held:
            if kind is classmethod:
                self.class_methods.add(value.__func__)
            if kind is classmethod or (kind is FunctionType and not by_class):
                return getattr(value, "__func__", value), True
            if kind is staticmethod:
                return value.__func__, False
        if hasattr(kind, "__get__") and not any(kind is plain for plain in PLAIN_KINDS):
            raise NotCompiledError(f"{name} is a {kind.__name__}: write it with def and self")
        try:
            return getattr(type(self.game) if by_class else self.game, name), False
        except AttributeError:
            raise NotCompiledError(f"self has no {name}") from None

    def refuse(self, error: NotCompiledError) -> None:
        """Note what is not compiled; `module_source` raises the error."""
        self.refused.setdefault(str(error), error)

    def function(self, function: FunctionType, is_method: bool) -> ast.expr:
        """Return the name of a function, which is defined without `self` if it is a method."""
        name = function.__name__
        if function in self._open:
            raise NotCompiledError(f"{name} calls itself, directly or through others: write a loop")
        return self.once(function, name, lambda k: self._function(function, k, is_method))

    def constant(self, value: Any, name: str) -> ast.expr:
        """Return the expression for a constant; raises NotCompiledError if there is none."""
        if value is None or isinstance(value, bool):
            return ast.Constant(value)
        if isinstance(value, Outcome):
            return ast.parse(f"Outcome.{value.name}", mode="eval").body
        kind = type(value)
        if kind is int:
            if value.bit_length() >= WORD:
                raise NotCompiledError(f"{name} has more than {WORD} bits: write smaller numbers")
            return ast.Constant(value)
        if kind is str:
            return self.literal(value)
        if kind is range:
            return ast.parse(str(value), mode="eval").body
        if kind is list or kind is tuple:
            return self.once(self._key(value, name), name, lambda k: self._sequence(value, k, name))
        hint = next((hint for of, hint in HINTS.items() if isinstance(value, of)), "")
        raise NotCompiledError(f"{name} is a {kind.__name__}{hint}")

    def _key(self, value: Any, name: str) -> tuple[int, str]:
        """Return what identifies a constant: itself, since others may have its `repr`."""
        self._constants.append(value)  # so that no other one gets its number
        return id(value), name

    def literal(self, value: str) -> ast.expr:
        """Return the expression for a text."""
        self.characters |= set(value)
        codes = [self.alphabet.find(c) for c in value]
        if len(codes) * self.width > WORD:
            raise NotCompiledError(f"{value!r} takes more than {WORD} bits")
        number = sum(max(0, code) << self.width * i for i, code in enumerate(codes))
        return ast.parse(f"text({number}, {len(codes)})", mode="eval").body

    def lookup(self, table: dict[Any, Any], name: str) -> ast.expr:
        """Return the function that looks up a key in a constant dict."""

        def define(k: str) -> None:
            lines = [f"@compiled\ndef {k}(key):"]
            for key, value in table.items():
                same, result = (ast.unparse(self.constant(x, name)) for x in (key, value))
                lines.append(f"    if equal(key, {same}):\n        return {result}")
            self._define("\n".join([*lines, "    raise KeyError"]))

        return self.once(self._key(table, f"get_{name}"), f"get_{name}", define)

    def _sequence(self, items: Any, k: str, name: str) -> None:
        """Define a constant sequence."""
        if all(type(item) is int for item in items) and (len(items) > LONG or not items):
            self._define(f"{k} = np.array({[*items]}, np.int64)")
        elif number := self._numbers(items):
            self._define(f"{k} = {number}")
        else:
            parts = [ast.unparse(self.constant(item, name)) for item in items]
            self._define(f"@compiled\ndef make_{k}():\n    return {self._written(items, parts)}")
            self._names[k] = ast.parse(f"make_{k}()", mode="eval").body

    def _numbers(self, items: Any) -> str:
        """Return how a sequence of numbers, or of sequences of numbers, is written; or nothing."""
        if all(type(item) is int or type(item) is bool for item in items):
            return self._written(items, [*map(repr, items)])
        kind = type(items[0])  # which another type may claim to equal
        if not (kind is list or kind is tuple) or any(type(row) is not kind for row in items):
            return ""
        if any(type(n) is not int or n.bit_length() >= WORD for item in items for n in item):
            return ""
        even = len({len(item) for item in items}) == 1 and len(items[0]) > 0
        arrays = [f"np.array({[*item]}, np.int64)" for item in items]
        return self._written(items, [*map(self._numbers, items)] if even else arrays)

    def _written(self, items: Any, parts: list[str]) -> str:
        """Return the expression for a list or tuple with these parts."""
        if type(items) is tuple:
            return "(" + "".join(f"{part}, " for part in parts) + ")"
        size = len(parts)
        kind = self.once(("list", size), "list", lambda k: self._define(f"{k} = listed({size})"))
        return f"{ast.unparse(kind)}({', '.join(parts)})"

    def once(self, key: Any, name: str, define: Callable[[str], None]) -> ast.expr:
        """Return the expression that stands for `key`, defined when it is first used."""
        if key not in self._names:
            k = f"{name.lstrip('_')}_{len(self._names)}"
            self._names[key] = self._names[k] = ast.Name(k, ast.Load())
            define(k)
            self._names[key] = self._names[k]
        return self._names[key]

    def _function(self, function: FunctionType, k: str, is_method: bool) -> None:
        """Define a function, without `self` if it is a method."""
        self._open.append(function)
        rewriter = Rewriter(self, function, tree_of(function), is_method)
        self.define_function(rewriter.rewritten(k), function)
        if rewriter.lists.changes_shared():
            self.changing.add(function)
        self._open.pop()

    def define_function(self, new: ast.FunctionDef, function: FunctionType) -> None:
        """Define a function that was rewritten."""
        written = ast.unparse(ast.fix_missing_locations(new))
        lines_of = zip(_statements(ast.parse(written).body[0]), _statements(new), strict=True)
        self._define(written, (function.__code__.co_filename, dict(lines_of)))

    def _define(self, written: str, origin: tuple[str, dict[int, int]] = ("", {})) -> None:
        self.definitions.append(written)
        self._origins.append(origin)

    def location_of(self, line: int) -> str:
        """Return the user's file and line for a line of the module; empty if it has none."""
        line -= HEAD.count("\n")
        for written, (file, lines) in zip(self.definitions, self._origins, strict=True):
            if line in lines:
                return f"{file}:{lines[line]}"
            line -= written.count("\n") + SPACE.count("\n")
        return ""


def module_source(
    game: Game[Any, Any], numba: str, before: Sequence[NotCompiledError] = ()
) -> tuple[str, RulesSource]:
    """Return the text of a game's module, and its source.

    Raises NotCompiledError with all that is not compiled, what was found `before` first.
    """
    try:
        source = RulesSource(game, "".join(sorted(characters(game))))
        if refused := [*before, *source.refused.values()]:
            first, *others = refused
            raise NotCompiledError(first.reason, first.location, tuple(map(str, others)))
        if source.characters != {*source.alphabet}:  # the rules have more than the positions
            source = RulesSource(game, "".join(sorted(source.characters)))
        positions = definitions(game, source.alphabet, source.width)
    except NotCompiledError:
        raise
    except Exception as error:  # the user's attributes and source can raise any
        raise NotCompiledError(f"{type(error).__name__}: {error}") from error
    texts = (Path(__file__).with_name(name).read_bytes() for name in LIBRARY)
    library = sha256(b"".join(texts)).hexdigest()
    about = {"spec": game.spec, "version": __version__, "numba": numba, "width": source.width}
    head = HEAD.format(**about, library=library)
    entries = [EXPAND, TIERS][: len(source.methods) - 2]
    tail = [entry.format(**source.methods) for entry in entries]
    return head + SPACE.join([*source.definitions, *positions, *tail]), source


def _statements(function: ast.AST) -> Iterator[int]:
    """Yield the lines of a function's statements."""
    return (node.lineno for node in ast.walk(function) if isinstance(node, ast.stmt))
