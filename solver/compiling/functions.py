"""What is known of a user's function: its source, if that is what runs, and its parameters."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import warnings
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from types import CodeType, FunctionType

from solver.errors import NotCompiledError


def tree_of(function: FunctionType) -> ast.FunctionDef:
    """Return the source of a function; raises NotCompiledError unless it gives the same code."""
    code, name = function.__code__, function.__qualname__
    location = f"{code.co_filename}:{code.co_firstlineno}"
    if function.__closure__:
        raise NotCompiledError(
            f"{name} uses variables of another function, as decorators do, or super(): write it"
            " with def, without a decorator",
            location,
        )
    if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise NotCompiledError(f"{name} has * or ** parameters: name each of them", location)
    if getattr(function, "__builtins__", None) is not vars(builtins):
        raise NotCompiledError(f"{name} has builtins of its own: write their names", location)
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    if not text:
        raise NotCompiledError(f"{name} has no source: write it in a file", location)
    tree, codes = _parsed(text, code.co_filename)
    if code not in codes:
        raise NotCompiledError(f"{name} is not what its source says now: start again", location)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if first == code.co_firstlineno:
                return deepcopy(node)  # which is rewritten
    raise NotCompiledError(f"{name} is no plain function: write it with def", location)


@lru_cache(maxsize=4)
def _parsed(text: str, file: str) -> tuple[ast.Module, frozenset[CodeType]]:
    """Return the tree of a module, and its code and that of its functions."""
    with warnings.catch_warnings(action="ignore"):
        module = compile(text, file, "exec", dont_inherit=True)
        return ast.parse(text), frozenset(_codes(module))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a module's code and those of its functions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def parameters(function: FunctionType) -> list[str]:
    """Return the names of a function's parameters."""
    return [*function.__code__.co_varnames[: function.__code__.co_argcount]]
