"""Loops that numba compiles once on a machine and keeps."""

from functools import partial
from typing import Any

from numba import njit

# Nobody calls them from C: without the wrapper for that, compiling takes a fifth less time.
compiled: Any = partial(njit, cache=True, nogil=True, no_cfunc_wrapper=True)
inner: Any = partial(compiled, no_cpython_wrapper=True)
"""For functions that only compiled ones call: calling one from Python fails."""
