"""Loops that numba compiles once on a machine and keeps."""

from functools import partial
from typing import Any

from numba import njit

# Nobody calls them from C: without the wrapper for that, compiling takes a fifth less time.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "no_cfunc_wrapper": True}
compiled: Any = partial(njit, **OPTIONS)
inner: Any = partial(njit, **OPTIONS, no_cpython_wrapper=True)
"""For functions that only compiled ones call: calling one from Python fails."""
