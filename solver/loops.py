"""Loops that numba compiles once on a machine and keeps."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numba.cpython.hashing  # noqa: F401 -- provides the secrets of hashes
from numba import njit
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys
from numba.extending import intrinsic

# Nobody calls them from C: without the wrapper for that, compiling takes a fifth less time.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}


class Cache(FunctionCache):  # type: ignore[misc]
    """The compiled code of a function, loaded without what numba needs only to compile more.

    That takes several times as long as all else of loading the functions of a solve. What compiled
    code may call is there nevertheless, since the modules imported above provide it.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def compiled(*given: Any, **options: Any) -> Any:
    """Compile a function as `numba.njit` does; as there, a signature may be given, or options."""
    if not given or not callable(given[0]):
        return partial(_compiled, signatures=given, **options)
    return _compiled(*given, **options)


def _compiled(function: Callable[..., Any], signatures: Sequence[str] = (), **options: Any) -> Any:
    loop = njit(**OPTIONS | options)(function)
    if loop is not function:  # else NUMBA_DISABLE_JIT is set
        loop._cache = Cache(function)
        for signature in signatures:
            loop.compile(signature)
        loop.disable_compile(bool(signatures))
    return loop


inner = partial(compiled, no_cpython_wrapper=True)
"""For functions that only compiled ones call: calling one from Python fails."""


def _set_bits(_, bits):  # type: ignore[no-untyped-def]
    """Return the number of bits of a number that are set."""
    return types.int64(bits), lambda _context, builder, _signature, args: builder.ctpop(args[0])


count_bits: Any = intrinsic(_set_bits)
