"""What keeps the agent's start light: stand-ins for modules that are slow to import.

Importing `typing` takes a third of the agent's start-up time, and `hashlib`, which loads OpenSSL,
as long as an answer. Modules that the agent imports therefore set `TYPE_CHECKING = False`, which
type checkers read as true, import from `typing` only under it, and take from here:

- `NamedTuple` and `record`, a named tuple without `typing`;
- `Typed`, the generic base class of what depends on a game's positions `P` and moves `M`;
- `sha256` without OpenSSL.
"""

from __future__ import annotations

from collections import namedtuple

try:
    from _sha2 import sha256  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # Python 3.11
    except ImportError:
        from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Generic, NamedTuple, TypeVar

    P = TypeVar("P", bound=Hashable)
    M = TypeVar("M", bound=Hashable)

    class Typed(Generic[P, M]):
        """Depends on the types of a game's positions and moves."""
else:
    NamedTuple = P = M = object

    class Typed:
        """Depends on the types of a game's positions and moves."""

        def __class_getitem__(cls, types):
            return cls


__all__ = ["M", "NamedTuple", "P", "Typed", "record", "sha256"]


def record(cls: type) -> type:
    """Return the named tuple described by an annotated subclass of this module's NamedTuple."""
    fields = namedtuple(cls.__name__, cls.__annotations__)  # type: ignore[misc]  # noqa: PYI024
    body = {
        name: value for name, value in vars(cls).items() if name not in ("__dict__", "__weakref__")
    }
    return type(cls.__name__, (fields,), {**body, "__slots__": ()})
