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
from typing import Any

from scripts.docs import API, resolve
from scripts.sections import DOCS, ROOT

COMMAND = ("basedpyright", "--verifytypes", "solver", "--ignoreexternal", "--outputjson")


def public_names() -> dict[str, set[str]]:
    """Return the documented names; for each, that of its definition too."""
    found = {}
    for name in API.findall((DOCS / "reference" / "python.md").read_text(encoding="utf-8")):
        one = resolve(name)
        found[name] = {name, f"{one.__module__}.{one.__qualname__}"}
    return found


def checked_types() -> list[dict[str, Any]]:
    """Return what pyright says about the symbols of the package.

    Without the paths in its environment it finds neither the package nor what that imports.
    """
    paths = os.pathsep.join([str(ROOT), sysconfig.get_path("purelib")])
    variables = {**os.environ, "PYTHONPATH": paths}
    command = [sys.executable, "-m", *COMMAND]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, check=False)
    report = json.loads(done.stdout or '{"generalDiagnostics": "no output"}')
    if report["generalDiagnostics"]:
        raise RuntimeError(f"{COMMAND[0]}: {report['generalDiagnostics']} {done.stderr.decode()}")
    symbols: list[dict[str, Any]] = report["typeCompleteness"]["symbols"]
    return symbols


def unknown(symbol: dict[str, Any]) -> list[str]:
    """Return what is wrong with a symbol's type; nothing if it is known."""
    if symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]:
        return []
    messages = [" ".join(found["message"].split()) for found in symbol["diagnostics"]]
    return messages or ["a part of its type is unknown"]


def judged(symbols: list[dict[str, Any]]) -> tuple[set[str], dict[str, list[str]]]:
    """Return the public names and members whose types are known; and what is wrong with others."""
    known, wrong = set[str](), dict[str, list[str]]()
    for name, places in public_names().items():
        members = [
            symbol
            for symbol in symbols
            if any(f"{symbol['name']}.".startswith(f"{place}.") for place in places)
        ]
        if not members:
            wrong[name] = ["the type checker does not know it"]
        for symbol in members:
            if unknown(symbol):
                wrong[symbol["name"]] = unknown(symbol)
            else:
                known.add(symbol["name"])
    return known, wrong


def main() -> int:
    """Print the public names whose type is unknown, and how many are known."""
    known, wrong = judged(checked_types())
    for name, messages in wrong.items():
        print(f"{name}: {'; '.join(messages)}")
    print(f"the types of {len(known)} of {len(known) + len(wrong)} public symbols are known")
    return 1 if wrong or not known else 0


if __name__ == "__main__":
    sys.exit(main())
