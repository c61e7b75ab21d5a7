"""Installs published bots, grades each over every position, and writes docs/unbeatable.md.

    python examples/unbeatable/grade_all.py [BOT ...]

Takes the bots from bots.toml and grades the named ones and those that results.json lacks. Needs
pip; for bots in JavaScript Node and npm; for the one in C git and a compiler. What it installs goes
to build/unbeatable.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from solver import Grade, grade
from solver.arena.audit import REPEATS

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "unbeatable"
RESULTS = HERE / "results.json"
LIMIT = 60.0  # seconds for an answer: some search the whole game tree in Python
TOTAL = 7200.0  # seconds for all answers of a bot
Bot = dict[str, Any]


def main(chosen: list[str]) -> None:
    """Grade the chosen bots and those without a result."""
    bots = tomllib.loads((HERE / "bots.toml").read_text(encoding="utf-8"))["bot"]
    if unknown := set(chosen) - bots.keys():
        raise SystemExit(f"no bot {min(unknown)!r}; the bots are: {', '.join(bots)}")
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, bot in bots.items():
        if name in results and name not in chosen:
            continue
        print(f"{name}: installing", flush=True)
        install(bot)
        print(f"{name}: grading", flush=True)
        results[name] = summary(grade_bot(name, bot))
        print(f"{name}: {results[name]}", flush=True)
        ordered = {name: results[name] for name in bots if name in results}
        lines = (
            f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in ordered.items()
        )
        RESULTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    for script in ("examples.unbeatable.page", "scripts.docs"):  # the pictures, then the tables
        run(sys.executable, "-m", script, cwd=ROOT)


def folder_of(bot: Bot) -> Path:
    """Return the folder into which a bot is installed."""
    return BUILD / f"{bot['package'].replace('/', '-')}-{bot['version']}"


def install(bot: Bot) -> None:
    """Install a bot into its folder, unless it is there; raises SystemExit if that fails."""
    folder = folder_of(bot)
    if folder.exists():
        return
    draft = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    installer = {"Python": install_python, "JavaScript": install_npm, "C": install_c}
    try:
        installer[bot["language"]](bot, draft)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"{bot['package']} cannot be installed: {error}") from error
    draft.rename(folder)


def install_python(bot: Bot, folder: Path) -> None:
    """Install a package and what it needs, apart from this environment."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    packages = [f"{bot['package']}=={bot['version']}", *bot.get("needs", ())]
    run(*pip, "--no-deps", "--target", str(folder), *packages)


def install_npm(bot: Bot, folder: Path) -> None:
    """Install a package without running its scripts, and compile it if it has to be."""
    (folder / "package.json").write_text("{}\n", encoding="utf-8")
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
    run(*npm, f"{bot['package']}@{bot['version']}", cwd=folder)
    source = folder / "node_modules" / bot["package"]
    if (source / "binding.gyp").exists():
        run("npx", "--yes", "--package", "node-gyp@10", "node-gyp", "rebuild", cwd=source)


def install_c(bot: Bot, folder: Path) -> None:
    """Compile a program from a repository."""
    source = folder / "source"
    run("git", "clone", "--quiet", f"https://github.com/{bot['package']}", str(source))
    run("git", "checkout", "--quiet", bot["version"], cwd=source)
    define = f'-DSOURCE="{source / bot["file"]}"'
    run("cc", "-w", define, str(HERE / "c_bot.c"), "-o", str(folder / "bot"))


def run(*command: str, cwd: Path | None = None) -> None:
    """Run a command; raises CalledProcessError if it fails."""
    subprocess.run(command, cwd=cwd, check=True)


def grade_bot(name: str, bot: Bot) -> Grade:
    """Return a bot's grade."""
    folder = folder_of(bot)
    os.environ["BOT_FOLDER"] = str(folder)
    os.environ["NODE_PATH"] = str(folder / "node_modules")
    return grade(
        player(name, bot),
        seats=bot.get("seats", "both"),
        convention="text",
        deterministic=bot.get("deterministic", False),
        limit=LIMIT,
        total=TOTAL,
        progress=report,
    )


def report(done: int, total: int) -> None:
    """Print the progress now and then."""
    if done % 500 == 0:
        print(f"  {done:,} of {total:,} positions", flush=True)


def player(name: str, bot: Bot) -> str:
    """Return the name by which `perfectplay grade` knows a bot."""
    if bot["language"] == "Python":
        return f"{HERE / 'python_bots.py'}:{name}"
    command = ["node", str(HERE / "npm_bots.js"), name]
    if bot["language"] == "C":
        command = [str(folder_of(bot) / "bot")]
    return f"command:{shlex.join(command)}"


def summary(found: Grade) -> dict[str, Any]:
    """Return what the page shows of a grade; raises RuntimeError if the grade is incomplete."""
    if found.reachable is None or found.never_loses is None:
        raise RuntimeError(f"{found.player} was not graded to the end: {found.faults[-1:]}")
    result: dict[str, Any] = {
        "graded": datetime.date.today().isoformat(),
        "method": found.method,
        "asked": REPEATS if found.method == "sampled" else 1,
        "never_loses": found.never_loses,
        "optimal": found.optimal,
        "positions": found.reachable.positions,
        "perfect_move_rate": round(found.reachable.perfect_move_rate, 4),
    }
    if found.losing_line is not None:
        result["seat"] = found.losing_seat
        result["lost_game"] = [move.label for move in found.losing_line]
        if found.losing_fault:
            position = found.losing_line[-1].position if found.losing_line else "." * 9
            fault = next(fault for fault in found.faults if fault.position == position)
            result["fault"] = fault.detail
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Install published bots, and grade them.")
    parser.add_argument("bots", metavar="BOT", nargs="*", help="grade these again")
    main(parser.parse_args().bots)
