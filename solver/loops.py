"""Loops that numba compiles once on a machine and keeps."""

from functools import partial
from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.core.cgutils import int32_t, voidptr_t
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


def _prefetch(_, array, place):  # type: ignore[no-untyped-def]
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
