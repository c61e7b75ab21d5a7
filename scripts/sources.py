"""The package as it was at an earlier commit, to be measured beside today's."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile

from scripts.sections import ROOT

COMMIT = "e7b97ae"


def unpack(folder: str) -> tuple[str | None, str]:
    """Write the package of the commit into a folder; return where, or None and why not."""
    command = ["git", "-C", str(ROOT), "archive", COMMIT, "solver"]
    try:
        done = subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        return None, "git is not installed"
    except subprocess.CalledProcessError:
        return None, "the commit is not in this repository"
    old = os.path.join(folder, "old")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(old, filter="data")
    return old, ""
