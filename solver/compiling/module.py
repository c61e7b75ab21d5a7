"""The modules of compiled rules: files in a folder, each tried out in other processes at first.

Run as `python -m solver.compiling.module PATH`, this compiles a module or loads what was compiled,
and expands the keys that it reads. A compiler may end its process; so one process compiles a module
that is new on a machine, a second one loads it from the cache, and only then this one does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from glob import escape, glob
from hashlib import sha256
from types import ModuleType

from solver.errors import NotCompiledError
from solver.files import atomic_write

COLUMNS = 64
OLD = 30 * 24 * 3600  # seconds since a module was last loaded, after which it is removed
REFUSED = 3  # the exit status where numba does not compile a module


def load(text: str, sample: Callable[[], list[int]]) -> ModuleType:
    """Return the module with this text, whose name is a hash of it.

    `sample` returns keys that are expanded before, if the module is new on this machine. Raises
    NotCompiledError if the module cannot be stored or ends a process, and RuntimeError with what
    numba says if it does not compile it.
    """
    name = f"rules_{sha256(text.encode()).hexdigest()[:24]}"
    if name in sys.modules:
        return sys.modules[name]
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(os.environ.get("NUMBA_CACHE_DIR") or caches, "perfectplay")
    path = os.path.join(folder, f"{name}.py")
    try:
        os.makedirs(folder, exist_ok=True)
        if _read(path) != text:
            with atomic_write(path) as file:
                file.write(text.encode())
        mark, tried = f"{path[:-3]}.tried", _machine(path)
        if _read(mark) != tried:
            remove_old(folder)
            try_out(path, sample())
            with atomic_write(mark) as file:
                file.write(tried.encode())
    except OSError as error:
        raise NotCompiledError(
            f"the folder {folder} cannot be written ({error.strerror}): set NUMBA_CACHE_DIR to one"
            " that can"
        ) from error
    with suppress(OSError):
        os.utime(mark)  # it is in use
    return _module(path)


def remove_old(folder: str) -> None:
    """Remove the modules that no process has loaded for long, with what numba keeps of them."""
    for path in glob(f"{escape(folder)}/rules_*.py"):
        name = os.path.basename(path)[:-3]
        own = glob(f"{escape(folder)}/{name}.*")
        kept = glob(f"{escape(folder)}*/{name}.*") + glob(f"{escape(folder)}/*/{name}.*")
        with suppress(OSError):  # another process removes them, too
            if max(map(os.path.getmtime, own)) < time.time() - OLD:
                for file in kept:
                    os.remove(file)


def try_out(path: str, keys: list[int]) -> None:
    """Compile a module in another process, and load it and expand keys in a second one."""
    command = [sys.executable, "-m", __name__, path]
    for _ in range(2):
        done = subprocess.run(
            command, input=json.dumps(keys), capture_output=True, text=True, check=False
        )
        if done.returncode == REFUSED:
            raise RuntimeError(done.stdout)
        if done.returncode:
            end = f"exit status {done.returncode}"
            with suppress(ValueError):
                end = signal.Signals(-done.returncode).name
            raise NotCompiledError(f"once compiled, they end another process with {end}")


def expand(module: ModuleType, keys: list[int]) -> None:
    """Compile or load a module, and expand keys."""
    import numpy as np

    none = np.empty(0, np.int64)
    tiers = getattr(module, "tiers", None) or (lambda *_: None)
    module.expand(none, none.astype(np.int8), none.reshape(0, COLUMNS), none)
    tiers(none, none)
    for key in keys:
        row, at = np.array([key]), np.zeros(1, np.int64)
        with suppress(Exception):  # what the rules may raise in Python, too
            module.expand(row, np.empty(1, np.int8), np.empty((1, COLUMNS), np.int64), at)
            tiers(row, at)


def _module(path: str) -> ModuleType:
    """Return the module in a file, known by its name, by which numba's cache imports it."""
    module = ModuleType(os.path.basename(path)[:-3])
    module.__file__ = path
    exec(compile(_read(path), path, "exec"), vars(module))
    sys.modules[module.__name__] = module
    return module


def _read(path: str) -> str:
    """Return the text of a file; empty if there is none."""
    with suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
        return file.read()
    return ""


def _machine(path: str) -> str:
    """Return what numba's cache of a module depends on."""
    from numba.core.config import ll  # type: ignore[attr-defined]

    return f"{sys.version} {ll.get_host_cpu_name()} {os.stat(path).st_mtime_ns}"


if __name__ == "__main__":
    try:
        expand(_module(sys.argv[1]), json.load(sys.stdin))
    except Exception as error:  # numba raises errors of many types
        print(error)
        sys.exit(REFUSED)
