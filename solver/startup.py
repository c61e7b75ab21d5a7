"""Lightweight substitutes for modules that are slow to import, so that the agent starts fast.

Importing `typing` takes a third of the agent's start-up time, and importing `hashlib`, which loads
OpenSSL, takes as long as answering a query. Modules that the agent imports therefore set
`TYPE_CHECKING = False`, which type checkers treat as true, import `typing` only under that
condition, and use from here:

- `Any`, for annotations;
- `NamedTuple` and `record`: a named tuple without `typing`;
- `Typed`: the base class of classes that are generic in a game's position type `P` and move type
  `M`, without `typing.Generic`;
- `sha256`: without OpenSSL.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from hashlib import sha256
    from typing import Any, Generic, NamedTuple

    from typing_extensions import TypeVar  # type checkers bring it along

    P = TypeVar("P", bound=Hashable, default=Any)
    M = TypeVar("M", bound=Hashable, default=Any)
    T = TypeVar("T")

    class Typed(Generic[P, M]):
        """Base of classes that are generic in the types of positions and moves."""
else:
    try:
        from _sha2 import sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256  # Python 3.11
        except ImportError:
            from hashlib import sha256

    Any = NamedTuple = P = M = T = object

    class Typed:
        """Base of classes that are generic in the types of positions and moves."""

        def __class_getitem__(cls, types):
            return cls


__all__ = ["Any", "M", "NamedTuple", "P", "Typed", "named_tuple", "sha256"]


def named_tuple(cls: type[T]) -> type[T]:
    """Return the named tuple type described by an annotated subclass of this NamedTuple."""
    fields = namedtuple(cls.__name__, cls.__annotations__)  # type: ignore[misc]  # noqa: PYI024
    body = {
        name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")
    }
    return type(cls.__name__, (fields,), body)  # pyright: ignore[reportReturnType]
