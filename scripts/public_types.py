"""Checks that type checkers know the type of every public name and of all its members.

    python -m scripts.public_types      exit 1 and list the names whose type is unknown

The public names are those in the Python reference. Pyright says what a user's type checker sees;
a type that different checkers may infer differently counts as unknown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pkgutil import resolve_name

from scripts.docs import API
from scripts.sections import DOCS, ROOT

COMMAND = ["basedpyright", "--verifytypes", "solver", "--ignoreexternal", "--outputjson"]


def main() -> int:
    """Print the public names whose type is unknown, and how many are known."""
    # without these paths pyright finds neither the package nor what that imports
    paths = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    done = subprocess.run(
        [sys.executable, "-m", *COMMAND],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        check=False,
    )
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    counts = {True: 0, False: 0}
    for name in API.findall((DOCS / "reference" / "python.md").read_text(encoding="utf-8")):
        public = resolve_name(name)
        places = f"{name}.", f"{public.__module__}.{public.__qualname__}."
        members = [symbol for symbol in symbols if f"{symbol['name']}.".startswith(places)]
        for symbol in members or [{"name": name, "isTypeKnown": False, "diagnostics": []}]:
            is_known = symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]
            counts[is_known] += 1
            if not is_known:
                print(symbol["name"], *(each["message"] for each in symbol["diagnostics"]))
    print(f"the types of {counts[True]} of {sum(counts.values())} public symbols are known")
    return 1 if counts[False] or not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
