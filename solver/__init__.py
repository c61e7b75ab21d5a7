"""Perfect play for small games, precomputed and proved.

>>> from solver import TableAgent
>>> TableAgent().best_move("X...O....")
1

The stub `__init__.pyi` lists the public names, for type checkers as well as for this module, which
imports each of them on first use, so that an agent starts fast.
"""

from __future__ import annotations

from solver.version import __version__ as __version__


def _public_names() -> dict[str, str]:
    """Return the modules of the public names, from the stub's lines `from M import N as N`."""
    stub = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
    imports = [line.split() for line in stub.splitlines() if line.startswith("from ")]
    return {words[-1]: words[1] for words in imports}


_MODULES = _public_names()
__all__ = sorted(_MODULES)  # noqa: PLE0605 -- it is a list


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
