"""Loops that numba compiles once on a machine and keeps."""

from functools import partial
from typing import Any

from numba import njit
from numba.core import types
from numba.extending import intrinsic

# Nobody calls them from C: without the wrapper for that, compiling takes a fifth less time.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
compiled: Any = partial(njit, **OPTIONS)
inner: Any = partial(njit, **OPTIONS, no_cpython_wrapper=True)
"""For functions that only compiled ones call: calling one from Python fails."""


def _set_bits(_, bits):  # type: ignore[no-untyped-def]
    """Return the number of bits of a number that are set."""
    return types.int64(bits), lambda _context, builder, _signature, args: builder.ctpop(args[0])


count_bits: Any = intrinsic(_set_bits)
