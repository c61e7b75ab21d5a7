"""The source of a module for numba: a game's four methods, written without `self`, texts and dicts.

The methods, and whatever of the user's functions, base classes and constants they use, are
rewritten one by one: `self.NAME` and global names become functions and constants of the module,
texts become calls of `text`, and what numba does in another way than Python becomes a call of
`solver.compiling.values`. What has no such form raises NotCompiledError with the user's line.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from types import FunctionType, ModuleType
from typing import Any

from solver.compiling import values
from solver.compiling.position_source import characters, definitions
from solver.compiling.values import WORD
from solver.errors import NotCompiledError
from solver.rules.game import Game
from solver.value import Outcome
from solver.version import __version__

METHODS = ("moves", "play", "primitive", "tier")
BUILTINS = (abs, bool, divmod, enumerate, int, len, max, min, range, reversed, sorted, sum, zip)
RENAMED = {list: "list", tuple: "list", any: "any_of", all: "all_of"}
OPERATORS = {ast.LShift: "shifted", ast.RShift: "shifted_back", ast.Mult: "times"}
BITWISE = ("bit_count", "bit_length")  # methods of numbers
REFUSED = {
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.JoinedStr: "an f-string",
    ast.Try: "try",
    ast.With: "with",
    ast.Lambda: "lambda",
    ast.Dict: "a dict that is made anew",
    ast.DictComp: "a dict that is made anew",
    ast.Set: "a set that is made anew",
    ast.SetComp: "a set that is made anew",
    ast.Div: "/, which gives a float",
    ast.Pow: "**",
    ast.Yield: "yield",
    ast.YieldFrom: "yield from",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.FunctionDef: "a function within a function",
    ast.ClassDef: "class",
}
SPACE = "\n\n\n"  # between definitions
RESERVED = {*vars(values), "np", "compiled", "entry", "text", "WIDTH", "pack", "unpack", "expand"}
LONG = 64  # items of a tuple of numbers, above which it becomes an array
HEAD = """\
\"\"\"The rules of {spec}, compiled by perfectplay {version} with numba {numba}.\"\"\"

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker({width}), {width}

"""


EXPAND = """\
@entry
def expand(keys, outcomes, children, at):
    # Fill in outcomes and children; return the number of columns that would be needed, or -1 at a
    # row whose rules must be asked in Python. If they raise an error, `at` has the row, too.
    most = 0
    for row in range(len(keys)):
        at[0] = row
        p = unpack(np.int64(keys[row]))
        over = {primitive}(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in {moves}(p):
                child = pack({play}(p, m))
                if child < 0:
                    return -1
                if count < children.shape[1]:
                    children[row, count] = child
                count += 1
            if count == 0:
                return -1
        for column in range(count, children.shape[1]):
            children[row, column] = -1
        most = max(most, count)
    return most

"""


TIERS = """\
@entry
def tiers(keys, found):
    for row in range(len(keys)):
        found[row] = {tier}(unpack(np.int64(keys[row])))
"""


class RulesSource:
    """The definitions of a game's compiled rules, and the user's lines that they come from."""

    def __init__(self, game: Game[Any, Any], alphabet: str = "") -> None:
        self.game, self.alphabet = game, alphabet
        self.width = max(1, (len(alphabet) - 1).bit_length())
        self.characters = set(alphabet)
        self.definitions: list[str] = []
        self._origins: list[tuple[str, dict[int, int]]] = []  # the user's file and lines of each
        self._names: dict[Any, ast.expr] = {}
        wanted = METHODS if type(game).tier is not Game.tier else METHODS[:3]
        self.methods = {name: ast.unparse(self.attribute(name)) for name in wanted}

    def attribute(self, name: str) -> ast.expr:
        """Return the expression for an attribute of the game."""
        found = inspect.getattr_static(type(self.game), name, None)
        if isinstance(found, staticmethod):
            found = found.__func__
            return self._once(found, name, lambda k: self._function(found, k, False))
        found = inspect.unwrap(found) if callable(found) else found
        if isinstance(found, FunctionType):
            return self._once(found, name, lambda k: self._function(found, k, True))
        return self.constant(getattr(self.game, name), name)

    def constant(self, value: Any, name: str) -> ast.expr:
        """Return the expression for a constant; raises NotCompiledError if there is none."""
        if value is None or isinstance(value, bool):
            return ast.Constant(value)
        if isinstance(value, Outcome):
            return ast.parse(f"Outcome.{value.name}", mode="eval").body
        if isinstance(value, int):
            if value.bit_length() >= WORD:
                raise NotCompiledError(f"{name} has more than {WORD} bits")
            return ast.Constant(int(value))
        if isinstance(value, str):
            return self.literal(value)
        function = inspect.unwrap(value) if callable(value) else None
        if isinstance(function, FunctionType):
            return self._once(function, name, lambda k: self._function(function, k, False))
        if isinstance(value, list | tuple | set | frozenset | range):
            items = sorted(value) if isinstance(value, set | frozenset) else list(value)
            return self._once((name, repr(items)), name, lambda k: self._sequence(items, k, name))
        raise NotCompiledError(f"{name} is a {type(value).__name__}")

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
                same, found = (ast.unparse(self.constant(x, name)) for x in (key, value))
                lines.append(f"    if key == {same}:\n        return {found}")
            self._define("\n".join([*lines, "    raise KeyError"]))

        return self._once(("dict", name, repr(table)), f"get_{name}", define)

    def translation(self, table: dict[int, Any], name: str) -> ast.expr:
        """Return the array that translates codes as `str.translate` does characters."""
        images = {chr(key): chr(v) if isinstance(v, int) else v for key, v in table.items()}
        if any(type(image) is not str or len(image) != 1 for image in images.values()):
            raise NotCompiledError(f"{name} does not map characters to characters")
        self.characters |= set("".join([*images, *images.values()]))
        codes = [max(0, self.alphabet.find(images.get(c, c))) for c in self.alphabet]
        define = lambda k: self._define(f"{k} = np.array({codes or [0]}, np.int64)")  # noqa: E731
        return self._once(("translation", name, repr(table)), f"translation_{name}", define)

    def _sequence(self, items: list[Any], k: str, name: str) -> None:
        """Define a constant sequence."""
        if all(isinstance(item, int) for item in items):
            numbers = [int(item) for item in items]
            long = len(numbers) > LONG or not numbers
            written = f"np.array({numbers}, np.int64)" if long else _tuple(numbers)
            self._define(f"{k} = {written}")
        elif all(isinstance(item, list | tuple | range) for item in items) and all(
            isinstance(n, int) for item in items for n in item
        ):
            even = len({len(item) for item in items}) == 1 and len(items[0]) > 0
            rows = [_tuple(item) if even else f"np.array({[*item]}, np.int64)" for item in items]
            self._define(f"{k} = {_tuple(rows)}")
        else:
            parts = [ast.unparse(self.constant(item, name)) for item in items]
            self._define(f"@compiled\ndef make_{k}():\n    return {_tuple(parts)}")
            self._names[k] = ast.parse(f"make_{k}()", mode="eval").body

    def _once(self, key: Any, name: str, define: Callable[[str], None]) -> ast.expr:
        """Return the expression that stands for `key`, defined when it is first used."""
        if key not in self._names:
            k = f"{name.lstrip('_')}_{len(self._names)}"
            self._names[key] = self._names[k] = ast.Name(k, ast.Load())
            define(k)
            self._names[key] = self._names[k]
        return self._names[key]

    def _function(self, function: FunctionType, k: str, is_method: bool) -> None:
        """Define a function, without `self` if it is a method."""
        if function.__closure__:
            raise NotCompiledError(f"{function.__qualname__} uses variables of another function")
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise NotCompiledError(f"{function.__qualname__} has no source") from None
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise NotCompiledError(f"{function.__qualname__} is no plain function")
        ast.increment_lineno(tree, first - 1)
        new = Rewriter(self, function, tree, is_method).rewritten(k)
        written = ast.unparse(ast.fix_missing_locations(new))
        lines_of = zip(_statements(ast.parse(written).body[0]), _statements(new), strict=True)
        self._define(written, (function.__code__.co_filename, dict(lines_of)))

    def _define(self, written: str, origin: tuple[str, dict[int, int]] = ("", {})) -> None:
        self.definitions.append(written)
        self._origins.append(origin)

    def place_of(self, line: int) -> str:
        """Return the user's file and line for a line of the module; empty if it has none."""
        line -= HEAD.count("\n")
        for written, (file, lines) in zip(self.definitions, self._origins, strict=True):
            if line in lines:
                return f"{file}:{lines[line]}"
            line -= written.count("\n") + SPACE.count("\n")
        return ""


class Rewriter(ast.NodeTransformer):
    """Rewrites one function."""

    def __init__(
        self, source: RulesSource, function: FunctionType, tree: ast.FunctionDef, is_method: bool
    ) -> None:
        self.source, self.function, self.tree = source, function, tree
        self.line = tree.lineno
        arguments = tree.args.args
        self.itself = arguments.pop(0).arg if is_method and arguments else None
        self.local = {argument.arg for argument in arguments}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.local.add(node.id)
        self.lists = {
            ast.unparse(node.targets[0])
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.ListComp)
        }

    def rewritten(self, name: str) -> ast.FunctionDef:
        """Return the function under another name."""
        tree = self.tree
        tree.name, tree.returns = name, None
        tree.decorator_list = [ast.Name("compiled", ast.Load())]
        for argument in tree.args.args:
            argument.annotation, argument.arg = None, _safe(argument.arg)
        if isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
            tree.body = tree.body[1:] or [ast.Pass()]
        tree.args.defaults = [self.visit(default) for default in tree.args.defaults]
        tree.body = [self.visit(statement) for statement in tree.body]
        return tree

    def visit(self, node: ast.AST) -> Any:
        before, self.line = self.line, getattr(node, "lineno", self.line)
        try:
            for kind, what in REFUSED.items():
                if isinstance(node, kind):
                    raise NotCompiledError(f"it uses {what}")
            new = super().visit(node)
        except NotCompiledError as error:
            place = error.place or f"{self.function.__code__.co_filename}:{self.line}"
            raise NotCompiledError(error.reason, place) from None
        self.line = before
        return ast.copy_location(new, node) if isinstance(new, ast.expr) else new

    def value_of(self, node: ast.AST) -> Any:
        """Return what a global name or an attribute of self stands for, or None."""
        if isinstance(node, ast.Name) and node.id not in self.local:
            return self.function.__globals__.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute) and self._is_self(node.value):
            return getattr(self.source.game, node.attr, None)
        return None

    def _is_self(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == self.itself

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.local or not isinstance(node.ctx, ast.Load):
            return ast.Name(_safe(node.id), node.ctx)
        if node.id == self.itself:
            raise NotCompiledError("it hands self over")
        if node.id not in self.function.__globals__ and not hasattr(builtins, node.id):
            raise NotCompiledError(f"{node.id} is not defined")
        value = self.value_of(node)
        if value is Outcome:
            return ast.Name("int", ast.Load())
        if callable(value) and value in RENAMED.keys() | {*BUILTINS}:
            return ast.Name(RENAMED.get(value, node.id), ast.Load())
        return self.source.constant(value, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if self._is_self(node.value):
            if not isinstance(node.ctx, ast.Load):
                raise NotCompiledError(f"it changes self.{node.attr}")
            if not hasattr(self.source.game, node.attr):
                raise NotCompiledError(f"self has no {node.attr}")
            return self.source.attribute(node.attr)
        value = self.value_of(node.value)
        if value is Outcome or (isinstance(value, type) and issubclass(value, Game)):
            return self.source.constant(getattr(value, node.attr), node.attr)
        if isinstance(value, ModuleType):
            if value is not math and value.__name__.split(".")[0] in sys.stdlib_module_names:
                raise NotCompiledError(f"it uses the module {value.__name__}")
            return self.source.constant(getattr(value, node.attr), node.attr)
        return ast.Attribute(self.visit(node.value), node.attr, node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, float | complex | bytes):
            raise NotCompiledError(f"it uses {node.value!r}")
        return self.source.literal(node.value) if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        table = self.value_of(node.value)
        if isinstance(table, dict):
            name = ast.unparse(node.value).rpartition(".")[2]
            return _call(self.source.lookup(table, name), self.visit(node.slice))
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = node.func
        if isinstance(called, ast.Attribute):
            if called.attr == "join" and ast.unparse(called.value) in ("''", '""'):
                return _call("join", *map(self.visit, node.args))
            if called.attr in BITWISE and not node.args:
                return _call(called.attr, self.visit(called.value))
            table = self.value_of(node.args[0]) if called.attr == "translate" else None
            if isinstance(table, dict):
                name = ast.unparse(node.args[0]).rpartition(".")[2]
                images = self.source.translation(table, name)
                return _call("translated", self.visit(called.value), images)
        value = self.value_of(called)
        if value is Outcome:
            return _call("int", *map(self.visit, node.args))
        if value in (list, tuple) and not node.args:
            raise NotCompiledError(f"{ast.unparse(node)} does not say what it holds")
        node.func = self.visit(called)
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(word) for word in node.keywords if word.arg != "strict"]
        return node

    def visit_List(self, node: ast.List) -> Any:
        if not isinstance(node.ctx, ast.Load):
            return node
        if not node.elts:  # numba must know what it holds: numbers, unless it is assigned to
            return ast.parse("[0][:0]", mode="eval").body
        return self._joined(node) or super().generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self._joined(node) or super().generic_visit(node)

    def _joined(self, node: ast.List | ast.Tuple) -> ast.expr | None:
        """Return the list [a, *b, c] as [a] + list(b) + [c]; None if no item has a star."""
        if not any(isinstance(item, ast.Starred) for item in node.elts):
            return None
        parts: list[ast.expr] = [
            _call("list", self.visit(item.value))
            if isinstance(item, ast.Starred)
            else ast.List([self.visit(item)], ast.Load())
            for item in node.elts
        ]
        return reduce(lambda a, b: ast.BinOp(a, ast.Add(), b), parts)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return self.visit(ast.copy_location(ast.ListComp(node.elt, node.generators), node))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.visit(node.op)
        self.generic_visit(node)
        name = OPERATORS.get(type(node.op))
        return _call(name, node.left, node.right) if name else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.visit(node.op)
        name = OPERATORS.get(type(node.op))
        if name and not isinstance(node.target, ast.Name):
            raise NotCompiledError(f"write {ast.unparse(node)} without =")
        if name and isinstance(node.target, ast.Name):
            before = ast.Name(_safe(node.target.id), ast.Load())
            value = _call(name, before, self.visit(node.value))
            return ast.copy_location(ast.Assign([self.visit(node.target)], value), node)
        self.generic_visit(node)
        if isinstance(node.op, ast.Add) and ast.unparse(node.target) in self.lists:
            extend = ast.parse(f"{ast.unparse(node.target)}.extend", mode="eval").body
            return ast.copy_location(ast.Expr(_call(extend, node.value)), node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        if isinstance(node.value, ast.List) and not node.value.elts:
            node.targets = [self.visit(target) for target in node.targets]
            return node  # numba finds out what the empty list holds
        self.generic_visit(node)
        if isinstance(target, ast.Tuple) and not isinstance(node.value, ast.Tuple):
            node.value = _call("fixed", node.value, ast.Constant(len(target.elts)))
        return node


def module_source(game: Game[Any, Any], numba: str) -> tuple[str, RulesSource]:
    """Return the text of a game's module, and its source; raises NotCompiledError."""
    source = RulesSource(game, "".join(sorted(characters(game))))
    if source.characters != {*source.alphabet}:  # the rules have more than the positions
        source = RulesSource(game, "".join(sorted(source.characters)))
    head = HEAD.format(spec=game.spec, version=__version__, numba=numba, width=source.width)
    positions = definitions(game, source.alphabet, source.width)
    entries = [EXPAND, TIERS][: len(source.methods) - 2]
    tail = [entry.format(**source.methods) for entry in entries]
    return head + SPACE.join([*source.definitions, *positions, *tail]), source


def _statements(function: ast.AST) -> Iterator[int]:
    """Yield the lines of a function's statements."""
    return (node.lineno for node in ast.walk(function) if isinstance(node, ast.stmt))


def _safe(name: str) -> str:
    """Return a name for a variable that is no name of the module."""
    return f"{name}_" if name in RESERVED or re.search(r"_\d+$", name) else name


def _call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    named = ast.Name(function, ast.Load()) if isinstance(function, str) else function
    return ast.Call(named, list(arguments), [])


def _tuple(items: Iterable[Any]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"
