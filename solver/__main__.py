"""Run the command line: the program perfectplay, or `python -m solver`.

Importing the commands takes a moment, in which Ctrl-C must not print a traceback. So they are
imported by `main`, which handles it.
"""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(50_000)  # loading numba is a tenth slower if it is collected more often
    try:
        from solver.cli import main as run

        run()
    except (KeyboardInterrupt, Exception) as error:
        from solver.errors import is_interrupt

        if not is_interrupt(error):
            raise
        print("perfectplay: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
