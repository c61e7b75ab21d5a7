"""The page of the language names what is compiled: each construct is drawn, all else is refused."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from solver.compiling import rewriter
from solver.compiling.functions import tree_of
from solver.compiling.source import RulesSource
from solver.errors import NotCompiledError
from tests.compiling.bodies import HEAD, Drawing
from tests.compiling.own_games import Small
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "compiled-rules.md").read_text()
OPERATORS = {kind.__name__ for kind in rewriter.OPERATORS}
CALLS = {f"{function.__name__}()" for function in rewriter.FUNCTIONS}
METHODS = {*rewriter.METHODS}
OUTSIDE = {"Module", "FunctionDef", "arguments", "arg", "comprehension", "keyword"}


def constructs(tree: ast.AST) -> Iterator[str]:
    """Yield the node types of a program, and the functions and methods of Python that it calls."""
    for node in ast.walk(tree):
        yield type(node).__name__
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield f"{node.func.id}()"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield f".{node.func.attr}()"


def named() -> set[str]:
    """Return the constructs in the first column of the page's tables."""
    rows = re.findall(r"^\| (.*?) \| ", PAGE.replace(r"\|", "¦"), re.MULTILINE)
    texts = [text.replace("¦", "|") for row in rows for text in re.findall("`(.*?)`", row)]
    programs = ["def rule(x):\n " + re.sub(r"(\w.*:) (\w+)$", r"\1\n  \2", t) for t in texts]
    found = {name for text in programs for name in constructs(ast.parse(text))}
    return found - OUTSIDE - {"f()", "rule()"}


def test_the_page_names_what_is_compiled_and_nothing_else() -> None:
    called = {name for name in named() if name.endswith("()")}
    assert called == CALLS | {f".{name}()" for name in METHODS}
    elsewhere_refused = {"Starred", "GeneratorExp"}
    assert named() - called == {*rewriter.KNOWN} | OPERATORS | elsewhere_refused


def test_every_construct_is_drawn_in_random_programs() -> None:
    drawn = {*constructs(ast.parse(HEAD))}  # the helpers that the programs call
    for seed in range(400):
        drawn |= {*constructs(ast.parse(f"class Rules:\n{Drawing(seed).body('f')}"))}
    assert named() - drawn == set()


def test_every_other_part_of_the_syntax_is_refused() -> None:
    source = RulesSource(Small())
    function: Any = Small.play
    rewriting = rewriter.Rewriter(source, function, tree_of(function.__wrapped__), True)
    kinds = [kind for kind in vars(ast).values() if isinstance(kind, type) and kind is not ast.expr]
    parts = ast.stmt, ast.expr, ast.operator, ast.unaryop, ast.cmpop, ast.boolop
    with warnings.catch_warnings(action="ignore"):  # of kinds that Python will not have
        every = [kind() for kind in kinds if issubclass(kind, parts) and kind not in parts]
    nodes = [node for node in every if type(node).__name__ not in named()]
    assert len(nodes) > 30
    for node in nodes:
        source.refused.clear()
        if not isinstance(node, ast.stmt):
            with pytest.raises(NotCompiledError, match="it uses "):
                rewriting.visit(node)
        else:
            rewriting.visit(node)
            assert [*source.refused] != []
