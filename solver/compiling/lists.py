"""The lists that a function makes, changes and iterates over.

Where Python's iterator sees a change, compiled rules may iterate over a copy. So nothing that may
be the list that is iterated is changed meanwhile. A list is known to be another one if it has *one
name*: a local variable that is only set to new lists, and whose value is not set to another name,
put into anything, or passed to one of the rules' functions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

LAZY = (enumerate, zip)
COPYING = (list, sorted)
NEW = ast.BinOp | ast.Constant | ast.Tuple
CHOICES = ast.BoolOp | ast.IfExp
KEEPING = ast.Assign | ast.AnnAssign | ast.List | ast.Tuple | ast.ListComp | ast.GeneratorExp
SHARED = ""  # stands for a list that may have several names


class Lists:
    """The lists of one function.

    `resolve` returns what a global name or an attribute stands for, or None; `changing` has the
    functions that may change a list which others have, too.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        resolve: Callable[[ast.expr], Any],
        changing: Iterable[FunctionType],
    ) -> None:
        self.tree, self._resolve, self.changing = tree, resolve, changing
        nodes = [*ast.walk(tree)]
        self.parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        self.names = [node for node in nodes if isinstance(node, ast.Name)]
        stored = {node.id for node in self.names if isinstance(node.ctx, ast.Store)}
        arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.set = stored | arguments
        self.made = stored - arguments - {n.id for n in self.names if not self._is_made(n)}
        """The variables that are only set to new lists."""
        self.own = self.made - {n.id for n in self.names if not self._keeps_one_name(n)}
        """Those whose lists have one name."""

    def changes_shared(self) -> bool:
        """Return whether the function may change a list that others have, too."""
        return any(name == SHARED for name, _ in self._changes(self.tree))

    def conflicts(self) -> Iterator[tuple[ast.expr, str]]:
        """Yield each change of a list in a loop that may iterate over this list, and the reason."""
        for loop in ast.walk(self.tree):
            for source, parts in _iterations(loop):
                iterated = {*self._sources(source)}
                over = ast.unparse(source)
                for name, node in (change for part in parts for change in self._changes(part)):
                    if name in iterated:
                        yield (
                            node,
                            f"{ast.unparse(node)} may change {over} in a loop over it: write"
                            f" list({over}) there, or change a list that has one name",
                        )

    def resolve(self, node: ast.expr) -> Any:
        """Return what an expression stands for in all calls of the function; None if nothing."""
        root = root_of(node, ast.Attribute)
        is_set = isinstance(root, ast.Name) and root.id in self.set
        return None if is_set else self._resolve(node)

    def _changes(self, tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
        """Yield the name of each list that is changed in a part of the function, and where."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                yield self._name_of(node.value), node
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                if node.target.id in self.made:  # others are no lists: see `added`
                    yield self._name_of(node.target), node.target
            elif isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                    yield self._name_of(node.func.value), node
                elif self._is_called(node, self.changing):
                    yield SHARED, node

    def _is_called(self, node: ast.Call, functions: Iterable[Any]) -> bool:
        """Return whether one of some functions is called."""
        called = self.resolve(node.func)
        return any(called is function for function in functions)

    def _name_of(self, node: ast.expr) -> str:
        return node.id if isinstance(node, ast.Name) and node.id in self.own else SHARED

    def _sources(self, node: ast.expr) -> Iterator[str]:
        """Yield the names of the lists that an iteration goes over."""
        if isinstance(node, ast.Name) and node.id in self.own:
            yield node.id
        elif isinstance(node, ast.Call) and self._is_called(node, LAZY):
            for argument in node.args:
                yield from self._sources(argument)
        elif not self._is_new(node) and self.resolve(root_of(node)) is None:
            yield SHARED

    def _is_new(self, node: ast.expr | None) -> bool:
        """Return whether an expression is a value that nobody else has, or that is no list."""
        if isinstance(node, ast.Subscript):
            return isinstance(node.slice, ast.Slice)
        is_other = isinstance(node, ast.Call) and self._is_called(node, (tuple, range))
        return is_other or isinstance(node, NEW) or self._makes_list(node)

    def _makes_list(self, node: ast.expr | None) -> bool:
        """Return whether an expression makes a list, as it is written."""
        if isinstance(node, ast.BinOp):
            return self._makes_list(node.left) or self._makes_list(node.right)
        if isinstance(node, ast.Call):
            return self._is_called(node, COPYING)
        return isinstance(node, ast.List | ast.ListComp)

    def _is_made(self, node: ast.Name) -> bool:
        """Return whether a name is set to a new list here, if it is set."""
        parent = self.parents[node]
        if isinstance(node.ctx, ast.Load) or isinstance(parent, ast.AugAssign):
            return True
        is_alone = getattr(parent, "targets", [node]) == [node]
        if not isinstance(parent, ast.Assign | ast.AnnAssign):
            return False
        return is_alone and self._makes_list(parent.value)

    def _keeps_one_name(self, node: ast.Name) -> bool:
        """Return whether the use of a name leaves its value with one name."""
        parent = self.parents[node]
        while isinstance(parent, CHOICES):
            parent = self.parents[parent]
        if isinstance(parent, ast.Call):
            called = self.resolve(parent.func)
            return called is not None and not isinstance(called, FunctionType)
        return isinstance(node.ctx, ast.Store) or not isinstance(parent, KEEPING)


def _iterations(node: ast.AST) -> Iterator[tuple[ast.expr, list[Any]]]:
    """Yield what each loop of a statement or an expression goes over, and what it does."""
    if isinstance(node, ast.For):
        yield node.iter, node.body
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        for i, loop in enumerate(node.generators):
            later = node.generators[i + 1 :]
            inner = [part for after in later for part in (after.iter, *after.ifs)]
            yield loop.iter, [node.elt, *loop.ifs, *inner]


def root_of(node: ast.expr, kind: type[ast.Subscript | ast.Attribute] = ast.Subscript) -> ast.expr:
    """Return what the items or attributes that an expression names are of."""
    while isinstance(node, kind):
        node = node.value
    return node
