"""Rewrites one function of a game for numba, or refuses what is not known to mean the same there.

Local names get a `_` at their end, and those of comprehensions a number, so that they differ from
the names of the module. Operators become calls of `solver.compiling.values`.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from contextlib import suppress
from copy import deepcopy
from functools import reduce
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, cast

from solver.compiling.functions import parameters
from solver.compiling.lists import LAZY, Lists, root_of
from solver.errors import NotCompiledError

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.FloorDiv: "over",
    ast.Mod: "modulo",
    ast.LShift: "shifted",
    ast.RShift: "shifted_back",
}
# The other parts of the syntax that are compiled; docs/reference/compiled-rules.md has the reasons.
KNOWN = """
And AnnAssign Assign Attribute AugAssign BinOp BitAnd BitOr BitXor BoolOp Break Call Compare
Constant Continue Eq Expr For Gt GtE If IfExp In Invert Is IsNot List ListComp Load Lt LtE Name Not
NotEq NotIn Or Pass Return Slice Store Subscript Tuple USub UnaryOp While
""".split()  # noqa: SIM905
YIELDS = ast.Yield | ast.YieldFrom
INSTEAD: dict[Any, str] = {
    ast.Assert: "assert: leave it out",
    ast.Raise: "raise: leave the case out, or return an outcome",
    ast.UAdd: "+ before a value: leave it out",
    ast.JoinedStr: "an f-string: join texts with +",
    ast.Try: "try: ask with if before",
    ast.Match: "match: write if and elif",
    ast.NamedExpr: ":=: write an assignment before",
    ast.Lambda: "lambda: write a function with def, or a comprehension",
    ast.Dict | ast.DictComp: "a dict that is made anew: make it outside the rules, or write if",
    ast.Set | ast.SetComp: "a set that is made anew: write a tuple, or make it outside the rules",
    ast.Div: "/, which gives a float: write //",
    ast.Pow: "**: write <<, * or a constant",
    YIELDS: "yield: return a list",
    ast.FunctionDef: "a function within a function: define it outside",
    ast.Import | ast.ImportFrom: "import: write it at the top of the file",
    ast.Delete: "del: make a new list",
    ast.Starred: "* in a call or an assignment: name each value",
    ast.GeneratorExp: "a generator that is not the one argument of any, all, sum, min, max, tuple,"
    " list or sorted: write a list",
    ast.Global: "global: return the value, or make it a part of the position",
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, bool]] = {  # negated
    ast.Eq: ("equal", False),
    ast.NotEq: ("equal", True),
    ast.Lt: ("less", False),
    ast.LtE: ("more", True),
    ast.Gt: ("more", False),
    ast.GtE: ("less", True),
    ast.In: ("within", False),
    ast.NotIn: ("within", True),
}
FUNCTIONS: dict[Any, tuple[int, int, str]] = {  # how many arguments, and what is called instead
    all: (1, 1, "all"),
    any: (1, 1, "any"),
    divmod: (2, 2, "divided"),
    enumerate: (1, 1, "enumerate"),
    len: (1, 1, "len"),
    list: (1, 1, "list"),
    max: (1, 99, "greatest"),
    min: (1, 99, "least"),
    range: (1, 3, "range"),
    sorted: (1, 1, "ordered"),
    sum: (1, 1, "total"),
    tuple: (1, 1, "list"),
    zip: (1, 99, "zip"),
}
GATHERING = list, max, min, sorted, sum, tuple  # which take a generator
CONSUMING = list, tuple, *LAZY  # what the last two return is consumed once
METHODS = {"append": 1, "bit_count": 0, "count": 1, "join": 1}  # and how many arguments


class Rewriter(ast.NodeTransformer):
    """Rewrites one function."""

    def __init__(
        self, source: Any, function: FunctionType, tree: ast.FunctionDef, is_method: bool
    ) -> None:
        self.source, self.function, self.tree = source, function, tree
        self.line = tree.lineno
        names = parameters(function)
        self.itself = names[0] if is_method and names else None
        self.parameters = names[is_method:]
        tables = symtable.symtable(ast.unparse(tree), "", "exec").get_children()
        table = next(table for table in tables if table.get_name() == tree.name)
        names = [*self.parameters, *cast(symtable.Function, table).get_locals()]
        self.scopes = [{name: f"{name}_" for name in names if name != self.itself}]
        self.consumed: set[int] = set()  # iterators that are used at once
        self.lists = Lists(deepcopy(tree), self._known, source.changing)

    def rewritten(self, name: str) -> ast.FunctionDef:
        """Return the function under another name, with nothing but plain parameters."""
        body = [self.visit(statement) for statement in self.tree.body]
        for node, reason in self.lists.conflicts():
            self.source.refuse(NotCompiledError(reason, self._location(node.lineno)))
        return self._defined(name, [f"{parameter}_" for parameter in self.parameters], body)

    def _defined(self, name: str, names: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
        arguments = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])
        new = ast.FunctionDef(name, arguments, body, [ast.Name("compiled", ast.Load())])
        return ast.copy_location(new, self.tree)

    def visit(self, node: ast.AST) -> Any:
        before, self.line = self.line, getattr(node, "lineno", self.line)
        try:
            name = type(node).__name__
            if name not in KNOWN and type(node) not in OPERATORS:
                other = (way for of, way in INSTEAD.items() if isinstance(node, of))
                raise NotCompiledError(f"it uses {next(other, name.lower())}")
            if getattr(node, "orelse", None) and isinstance(node, ast.For | ast.While):
                raise NotCompiledError("it uses else after a loop: set a name before break")
            new = super().visit(node)
        except NotCompiledError as error:
            refusal = NotCompiledError(error.reason, error.location or self._location(self.line))
            if not isinstance(node, ast.stmt):
                raise refusal from None
            self.source.refuse(refusal)  # and see what else is refused
            new = ast.Pass()
            inner = [*getattr(node, "body", ()), *getattr(node, "orelse", ())]
            if isinstance(held := getattr(node, "value", None), YIELDS) and held.value:
                inner.append(ast.copy_location(ast.Expr(held.value), node))
            for statement in inner:
                self.visit(statement)
        self.line = before
        return ast.copy_location(new, node) if isinstance(new, ast.expr | ast.stmt) else new

    def _location(self, line: int) -> str:
        return f"{self.function.__code__.co_filename}:{line}"

    def resolve(self, node: ast.AST) -> tuple[Any, bool] | None:
        """Return what a global name or an attribute stands for, and whether it is a method."""
        written = getattr(node, "id", getattr(node, "attr", ""))
        if written.startswith("__"):  # which Python reads as _CLASS__NAME within a class
            raise NotCompiledError(f"it uses {written}: write a name without two underscores")
        if isinstance(node, ast.Name) and not self._local(node.id) and node.id != self.itself:
            for names in (self.function.__globals__, vars(builtins)):
                if node.id in names:
                    return names[node.id], False
            raise NotCompiledError(f"{node.id} is not defined")
        if not isinstance(node, ast.Attribute):
            return None
        if isinstance(node.value, ast.Name) and node.value.id == self.itself:
            by_class = self.function in self.source.class_methods
            return cast(tuple[Any, bool], self.source.attribute(node.attr, by_class))
        owner = self.resolve(node.value)
        if owner and isinstance(owner[0], ModuleType | type) and hasattr(owner[0], node.attr):
            return getattr(owner[0], node.attr), False
        return None

    def _local(self, name: str) -> str:
        """Return what a local variable is called; empty if it is none."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), "")

    def visit_Name(self, node: ast.Name) -> Any:
        if name := self._local(node.id):
            return ast.Name(name, node.ctx)
        if node.id == self.itself or not isinstance(node.ctx, ast.Load):
            raise NotCompiledError(f"it hands {node.id} over, or sets it")
        return self._constant(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            raise NotCompiledError(f"it changes {ast.unparse(node)}: return the value")
        return self._constant(node)

    def _constant(self, node: ast.expr) -> Any:
        name = ast.unparse(node)
        meaning = self.resolve(node)
        if meaning is None:
            raise NotCompiledError(f"it uses {name}, which is no constant")
        return self.source.constant(meaning[0], name.rpartition(".")[2])

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self.source.constant(node.value, repr(node.value))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.ctx, ast.Load):
            root = root_of(node)
            if not self._is_local(root):
                raise NotCompiledError(f"it changes {ast.unparse(root)}: make a new list")
            if isinstance(node.slice, ast.Slice):
                raise NotCompiledError("it changes a slice: change the items, or make a new list")
        elif type(table := self._known(node.value)) is dict:
            name = ast.unparse(node.value).rpartition(".")[2]
            return _call(self.source.lookup(table, name), self.visit(node.slice))
        self.generic_visit(node)
        return node

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        self.generic_visit(node)
        if node.step:
            raise NotCompiledError("a slice has a step: write a comprehension")
        return node

    def _known(self, node: ast.AST) -> Any:
        """Return what an expression stands for; None if that is refused where it is rewritten."""
        with suppress(NotCompiledError):
            meaning = self.resolve(node)
            return meaning[0] if meaning else None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        called = node.func
        meaning = self.resolve(called)
        if meaning is None:
            if not isinstance(called, ast.Attribute):
                self.visit(called)
                raise NotCompiledError(
                    f"it calls {ast.unparse(called)}, which is no known function"
                )
            return self._method(node, called)
        function, is_method = meaning
        if isinstance(function, FunctionType):
            name = self.source.function(function, is_method)
            return _call(name, *self._arguments(node, function, is_method))
        return self._builtin(node, function)

    def _arguments(self, node: ast.Call, function: FunctionType, is_method: bool) -> list[ast.expr]:
        """Return the arguments of a call, one for each parameter."""
        wanted = len(parameters(function)) - is_method
        if len(node.args) != wanted or node.keywords:
            raise NotCompiledError(
                f"it calls {function.__name__} with a keyword or a default: give {wanted} arguments"
                " in order"
            )
        return [*map(self.visit, node.args)]

    def _method(self, node: ast.Call, called: ast.Attribute) -> ast.expr:
        """Return a call of a method of a text, a list or a number."""
        name, owner = called.attr, called.value
        is_known = len(node.args) == METHODS.get(name) and not node.keywords
        if name == "append" and is_known and self._is_local(root_of(owner)):
            function = ast.Attribute(self.visit(owner), name, ast.Load())
            return _call(function, self.visit(node.args[0]))
        if name == "join" and is_known and ast.unparse(owner) == "''":
            return _call(name, self.visit(node.args[0]))
        if name in ("bit_count", "count") and is_known:
            return _call(name, *map(self.visit, (owner, *node.args)))
        raise _unknown_arguments(called)

    def _is_local(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and self._local(node.id) != ""

    def _builtin(self, node: ast.Call, function: Any) -> ast.expr:
        """Return a call of one of Python's functions, or of Outcome."""
        count, name, kind = len(node.args), ast.unparse(node.func), type(function)
        if kind is not type and kind is not BuiltinFunctionType:  # which may claim to equal one
            raise NotCompiledError(
                f"it calls {name} of type {kind.__name__}: write a function with def, without a"
                " decorator"
            )
        least, most, new = FUNCTIONS.get(function, (1, 0, ""))
        if node.keywords or not least <= count <= most:
            raise _unknown_arguments(node.func)
        first = node.args[0]
        if function in (any, all):
            return self._searched(first, function is any)
        if function in (min, max) and count > 1:
            numbers = [_call("whole", self.visit(argument)) for argument in node.args]
            return _call(new, ast.Tuple(numbers, ast.Load()))
        if function in LAZY and id(node) not in self.consumed:
            raise NotCompiledError(f"it keeps the iterator of {name}: write list(...) around it")
        if isinstance(first, ast.GeneratorExp) and function in GATHERING:
            call = _call(new, self.visit_ListComp(first))
        else:
            visit = self._iterable if function in CONSUMING else self.visit
            call = _call(new, *map(visit, node.args))
        return _call("frozen", call) if function is tuple else call

    def _iterable(self, node: ast.expr) -> Any:
        """Return what is run over once and at once."""
        self.consumed.add(id(node))
        new = self.visit(node)
        is_iterator = ast.unparse(new).startswith(("enumerate(", "zip("))  # which no call returns
        return new if is_iterator else _call("items", new)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        """Return a call of a new function: numba drops unused values from one with a comprehension.

        A value that is not used may still raise an error.
        """
        loops, item = self._comprehension(node)
        made = ast.Name("made", ast.Store())
        append = ast.parse("made.append", mode="eval").body
        after = ast.Return(ast.Name("made", ast.Load()))
        before = ast.Assign([made], ast.List([], ast.Load()))
        return self._hoisted(node, loops, [before], ast.Expr(_call(append, item)), after)

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> tuple[Any, ast.expr]:
        """Return the loops and the item of a comprehension, whose variables are its own."""
        first = self._iterable(node.generators[0].iter)
        nodes = [n for loop in node.generators for n in ast.walk(loop.target)]
        self.source.count += 1
        names = [n.id for n in nodes if isinstance(n, ast.Name)]
        self.scopes.append({name: f"{name}_in{self.source.count}" for name in names})
        loops: list[ast.comprehension] = []
        for loop in node.generators:
            source = self._iterable(loop.iter) if loops else first
            target = self._loop_target(loop.target)
            loops.append(ast.comprehension(target, source, [*map(self.visit, loop.ifs)], 0))
        item = self.visit(node.elt)
        self.scopes.pop()
        return loops, item

    def _searched(self, node: ast.expr, is_any: bool) -> ast.expr:
        """Return a call of a new function that does what any or all does, and stops as early."""
        if not isinstance(node, ast.GeneratorExp):
            name = ast.Name("item", ast.Load())
            loop = ast.comprehension(ast.Name("item", ast.Store()), node, [], 0)
            node = ast.copy_location(ast.GeneratorExp(name, [loop]), node)
        loops, item = self._comprehension(node)
        test = item if is_any else ast.UnaryOp(ast.Not(), _call("truth", item))
        branch = ast.If(test, [ast.Return(ast.Constant(is_any))], [])
        return self._hoisted(node, loops, [], branch, ast.Return(ast.Constant(not is_any)))

    def _hoisted(
        self, node: ast.expr, loops: Any, before: list[ast.stmt], body: ast.stmt, after: ast.stmt
    ) -> ast.expr:
        """Return a call of a new function that runs loops."""
        for loop in reversed(loops):
            for test in reversed(loop.ifs):
                body = ast.If(test, [body], [])
            body = ast.For(loop.target, loop.iter, [body], [])
        outer = {name for scope in self.scopes for name in scope.values()}
        used = [n.id for n in ast.walk(body) if isinstance(n, ast.Name) and n.id in outer]
        names = sorted({*used})

        def define(k: str) -> None:
            new = self._defined(k, names, [*before, body, after])
            for made in ast.walk(new):
                ast.copy_location(made, node)
            self.source.define_function(new, self.function)

        self.source.count += 1
        called = self.source.once(("loop", self.source.count), "loop", define)
        return _call(called, *(ast.Name(n, ast.Load()) for n in names))

    def visit_List(self, node: ast.List) -> Any:
        if not node.elts:  # numba must know what it holds: numbers, unless it is assigned to
            return ast.parse("[0][:0]", mode="eval").body
        return self._joined(node) or super().generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        if joined := self._joined(node):
            return _call("frozen", joined)
        return super().generic_visit(node)

    def _joined(self, node: ast.List | ast.Tuple) -> ast.expr | None:
        """Return the list [a, *b, c] as [a] + list(b) + [c]; None if no item has a star."""
        if not any(isinstance(item, ast.Starred) for item in node.elts):
            return None
        parts: list[ast.expr] = [
            _call("list", self._iterable(item.value))
            if isinstance(item, ast.Starred)
            else ast.List([self.visit(item)], ast.Load())
            for item in node.elts
        ]
        return reduce(lambda a, b: _call("plus", a, b), parts)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.visit(node.op)
        return _operation(node.op, self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.visit(node.op)
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, _call("truth", value))
        if isinstance(value, ast.Constant) and type(value.value) is int:
            number = -value.value if isinstance(node.op, ast.USub) else ~value.value
            return self.source.constant(number, ast.unparse(node))
        return _call("minus", ast.Constant(-1 if isinstance(node.op, ast.Invert) else 0), value)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if not all(map(is_simple, node.comparators[:-1])):
            raise NotCompiledError(
                "the middle of a chain of comparisons is a call: assign it before"
            )
        values = [node.left, *node.comparators]
        pairs = [
            self._compared(*deepcopy((a, op, b)))
            for a, op, b in zip(values, node.ops, values[1:], strict=False)
        ]
        return ast.BoolOp(ast.And(), pairs) if len(pairs) > 1 else pairs[0]

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
        if isinstance(operator, ast.Is | ast.IsNot):
            if isinstance(right, ast.Constant) and right.value is None:
                return ast.Compare(self.visit(left), [operator], [self.visit(right)])
            raise NotCompiledError("it uses is with something else than None: write ==")
        a, values = self.visit(left), self._known(right)
        if isinstance(operator, ast.In | ast.NotIn) and any(
            type(values) is kind for kind in (set, frozenset, dict)
        ):
            name = ast.unparse(right).rpartition(".")[2]
            b = self.source.constant(sorted(values, key=repr), name)
        else:
            b = self.visit(right)
        name, is_negated = COMPARISONS[type(operator)]
        call = _call(name, a, b)
        return ast.UnaryOp(ast.Not(), call) if is_negated else call

    def visit_For(self, node: ast.For) -> ast.stmt:
        source, target = self._iterable(node.iter), self._loop_target(node.target)
        return ast.For(target, source, [*map(self.visit, node.body)], [])

    def _loop_target(self, node: ast.expr) -> Any:
        """Return what a loop sets, which are names."""
        if any(isinstance(part, ast.Subscript | ast.Attribute) for part in ast.walk(node)):
            raise NotCompiledError(f"a loop sets {ast.unparse(node)}: write a name there")
        return self._target(node)

    def _target(self, node: ast.expr) -> Any:
        """Return what is assigned to."""
        if isinstance(node, ast.Tuple | ast.List):
            return ast.Tuple([self._target(item) for item in node.elts], node.ctx)
        return self.visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        is_text = isinstance(node.value, ast.Constant)  # such as the docstring
        return ast.Pass() if is_text else ast.Expr(self.visit(node.value))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.visit(node.op)
        if isinstance(node.op, ast.Mult) or not is_simple(node.target):
            raise NotCompiledError(f"it uses {ast.unparse(node)}: write = and the operation")
        is_list = isinstance(node.target, ast.Name) and node.target.id in self.lists.made
        target, value = self.visit(node.target), self.visit(node.value)
        before = ast.parse(ast.unparse(target), mode="eval").body
        if not isinstance(node.op, ast.Add):
            return ast.Assign([target], _operation(node.op, before, value))
        if is_list:
            return ast.Expr(_call(ast.Attribute(before, "extend", ast.Load()), value))
        return ast.Assign([target], _call("added", before, value))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.Pass()
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        targets = [*map(self._target, node.targets)]
        if isinstance(node.value, ast.List) and not node.value.elts:
            return ast.Assign(targets, node.value)  # numba finds out what the empty list holds
        value = self.visit(node.value)
        tuples = [target for target in targets if isinstance(target, ast.Tuple)]
        if tuples and len(targets) > 1:
            raise NotCompiledError("it assigns to several names and tuples: write two statements")
        if tuples and not isinstance(value, ast.Tuple):
            places = ast.Tuple([ast.Constant(0) for _ in tuples[0].elts], ast.Load())
            value = _call("fixed", value, places)
        return ast.Assign(targets, value)


def is_simple(node: ast.AST) -> bool:
    """Return whether an expression may be computed twice: it calls and binds nothing."""
    kinds = ast.Call | ast.ListComp | ast.GeneratorExp
    return not any(isinstance(part, kinds) for part in ast.walk(node))


def _unknown_arguments(called: ast.expr) -> NotCompiledError:
    return NotCompiledError(
        f"it calls {ast.unparse(called)}, which is not compiled with these arguments: write a loop"
        " or a function with def"
    )


def _call(function: str | ast.expr, *arguments: ast.expr) -> ast.expr:
    named = ast.Name(function, ast.Load()) if isinstance(function, str) else function
    return ast.Call(named, list(arguments), [])


def _operation(operator: ast.operator, a: ast.expr, b: ast.expr) -> ast.expr:
    name = OPERATORS.get(type(operator))
    return _call(name, a, b) if name else ast.BinOp(a, operator, b)
