"""Checks that type checkers know the type of every public name and of all its members.

    python -m scripts.public_types      exit 1 and list the names whose type is unknown

The public names are those in the Python reference. Pyright says what a user's type checker sees;
a type that different checkers may infer differently counts as unknown.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from scripts.docs import API, resolve
from scripts.sections import DOCS, ROOT

COMMAND = ("basedpyright", "--verifytypes", "solver", "--ignoreexternal", "--outputjson")


def public_names() -> set[str]:
    """Return the documented names, and where their objects are defined."""
    listed = API.findall((DOCS / "reference" / "python.md").read_text(encoding="utf-8"))
    found = [resolve(name) for name in listed]
    return {*listed, *(f"{one.__module__}.{one.__qualname__}" for one in found)}


def public_symbols(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the symbols of a report that are public names or members of one."""
    names = public_names()
    return [
        symbol
        for symbol in report["typeCompleteness"]["symbols"]
        if any(f"{symbol['name']}.".startswith(f"{name}.") for name in names)
    ]


def unknown(symbol: dict[str, Any]) -> list[str]:
    """Return what is wrong with a symbol's type; nothing if it is known."""
    if symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]:
        return []
    messages = [" ".join(found["message"].split()) for found in symbol["diagnostics"]]
    return messages or ["a part of its type is unknown"]


def main() -> int:
    """Print the public names whose type is unknown, and how many are known."""
    command = [sys.executable, "-m", *COMMAND]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise RuntimeError(f"{COMMAND[0]} failed: {done.stdout}{done.stderr}")
    symbols = public_symbols(json.loads(done.stdout))
    wrong = {symbol["name"]: unknown(symbol) for symbol in symbols if unknown(symbol)}
    for name, messages in wrong.items():
        print(f"{name}: {'; '.join(messages)}")
    print(f"the types of {len(symbols) - len(wrong)} of {len(symbols)} public symbols are known")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
