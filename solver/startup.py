"""Named tuples without `typing`, whose import alone takes a third of an agent's start-up time.

Modules that an agent imports set `TYPE_CHECKING = False`, which type checkers read as true, and
take from `typing` only under it.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    NamedTuple = object

__all__ = ["NamedTuple", "record"]


def record(cls: type) -> type:
    """Return the named tuple that an annotated subclass of this module's NamedTuple describes."""
    fields = namedtuple(cls.__name__, cls.__annotations__)  # type: ignore[misc]  # noqa: PYI024
    body = {
        name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")
    }
    return type(cls.__name__, (fields,), {**body, "__slots__": ()})
