"""Loops that numba compiles once on a machine and keeps.

It compiles them again when their own file has changed, not another. So no loop calls one of another
file, but takes it as a pointer; the intrinsics below are the exception.
"""

from functools import partial
from typing import Any

import numba.cpython.hashing  # noqa: F401 -- provides the secrets of hashes
from numba import njit
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.cgutils import int32_t, ir, voidptr_t  # type: ignore[attr-defined]
from numba.core.runtime.nrt import rtsys
from numba.extending import intrinsic

PRIVATE = "_load_overload", "_guard_against_spurious_io_errors"  # what `Cache` takes of numba


class Cache(FunctionCache):
    """The compiled code of a function, loaded without what numba needs only to compile more.

    That takes several times as long as all else of loading the functions of a solve; it is loaded
    when one is compiled. What compiled code may call is there nevertheless, since the modules
    imported above provide it.
    """

    def load_overload(self, sig, target_context):  # type: ignore[no-untyped-def]
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]


def _loop(function, **options):  # type: ignore[no-untyped-def]
    """Return what `njit` does, which loads its code faster."""
    loop: Any = njit(cache=True, nogil=True, **options)(function)
    if loop is not function and all(hasattr(FunctionCache, name) for name in PRIVATE):
        # else NUMBA_DISABLE_JIT is set, or numba loads in another way
        loop._cache = Cache(function)  # type: ignore[no-untyped-call]
    return loop


# Nobody calls them from C: without the wrapper for that, compiling takes a fifth less time.
compiled: Any = partial(_loop, no_cfunc_wrapper=True)
inner: Any = partial(compiled, no_cpython_wrapper=True)
"""For functions that only compiled ones call: calling one from Python fails."""


def _set_bits(_, bits):  # type: ignore[no-untyped-def]
    """Return the number of bits of a number that are set."""
    return types.int64(bits), lambda _context, builder, _signature, args: builder.ctpop(args[0])


count_bits: Any = intrinsic(_set_bits)


def _prefetch(_, array, index):  # type: ignore[no-untyped-def]
    """Fetch an item of an array into the cache, without waiting for it."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        start = context.make_array(signature.args[0])(context, builder, args[0]).data
        item = builder.bitcast(builder.gep(start, args[1:]), voidptr_t)
        kind = ir.FunctionType(ir.VoidType(), [item.type, *[int32_t] * 3])
        function = builder.module.declare_intrinsic("llvm.prefetch", [item.type], kind)
        builder.call(function, [item, *map(int32_t, (0, 3, 1))])  # to read, often, data
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


prefetch: Any = intrinsic(_prefetch)
