"""Find a game's kernel and compare it with the Python rules.

`find_kernel` returns the kernel of a built-in game that is as it was made, or one that a user's
class defines (not one that it inherits, which would not know of other changes), or else one made by
compiling the rules. Only kernels that `check_kernel` has compared with the Python rules on sampled
positions are returned, so that nothing is solved with an unchecked one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.errors import NotCompiledError, is_interrupt, missing_extra, missing_part
from solver.games import by_hand
from solver.rules.check_kernel import check_kernel
from solver.rules.kernel import LayeredKernel, TieredKernel

if TYPE_CHECKING:
    from solver.rules.game import Game


def find_kernel(
    game: Game[Any, Any], handwritten: bool = True, in_full: bool = False
) -> tuple[LayeredKernel | TieredKernel | None, str]:
    """Return a game's kernel after checking it, or None and a remark that says why there is none.

    A kernel written by hand is taken if `handwritten` is true. The remark is one line, with the
    first reason why rules are not compiled; `in_full`, it has a line for each.

    Raises KernelError if the kernel contradicts the Python rules.
    """
    if game.one_process:
        return None, f"the rules of {game.spec} are not compiled: they compare positions"
    try:
        written = by_hand(game, "kernel") if handwritten else None
        kernel = None if written is None else written.kernel()
        if kernel is None:
            from solver.compiling.kernel import CompiledKernel

            kernel = CompiledKernel(game)
    except ImportError as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        if error.name is None:  # installed, but broken
            return None, f"this is slow, because numba fails to load: {error}"
        lacking = missing_part(error) or missing_extra("compiling rules", "fast")
        return None, f"this is slow: {lacking}"
    except NotCompiledError as error:
        reason = error.in_full() if in_full else str(error)
        return None, f"the rules of {game.spec} are not compiled, which is slow: {reason}"
    except RuntimeError as error:  # numba has no folder for its cache
        return None, f"this is slow, because {error}; set NUMBA_CACHE_DIR to a writable folder"
    check_kernel(game, kernel)
    assert isinstance(kernel, LayeredKernel | TieredKernel)
    return kernel, ""
