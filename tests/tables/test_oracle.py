"""Oracles answer as tables do, from a book where there is one, and within a limit of nodes."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scripts.book import BookMaker
from solver import TableAgent, load_game, open_agent
from solver.errors import SearchLimitError
from solver.files import save
from solver.games import connect4_search
from solver.rules.search import node_limit, pause, searching, watching
from solver.tables import oracle
from solver.tables.oracle import Oracle, find_oracle
from solver.tables.store import user_path
from solver.value import outcome
from tests.support.tables import mapped_table

SIZE = "connect4:4x4"


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty folder of tables."""
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    return tmp_path


def store_book(name: str, depth: int, folder: Path) -> None:
    maker = BookMaker(load_game(name), depth, str(folder / "x.work"))
    with maker.work:
        save(user_path(name, ".book"), maker.make(1, lambda *_: None))


@pytest.mark.parametrize("depth", [None, 4])
def test_answers_are_those_of_a_table(depth: int | None, tables: Path) -> None:
    if depth is not None:
        store_book(SIZE, depth, tables)
    found, table = open_agent(SIZE), TableAgent(mapped_table(SIZE))
    assert isinstance(found.table, Oracle)
    game = found.game
    generator = random.Random(4)
    for _ in range(100):
        text = game.text(mapped_table(SIZE).entry(generator.randrange(80_000))[0])
        assert found.scores(text) == table.scores(text)
        assert found.best_move(text) == table.best_move(text)
        assert found.outcome(text) == table.outcome(text)
        assert found.distance(text) == table.distance(text)
        assert found.line(text) == table.line(text)


@pytest.mark.parametrize("quick", [0, 20_000, oracle.QUICK])
def test_a_move_is_found_soon(quick: int, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the outcome, however few nodes are left for the distance, and is else the best."""
    monkeypatch.setattr(oracle, "QUICK", quick)
    monkeypatch.setattr(connect4_search, "SLICE", 100)
    found, table = open_agent(SIZE), mapped_table(SIZE)
    rules: Any = found.table
    generator, differ = random.Random(4), 0
    for _ in range(200):
        p = table.entry(generator.randrange(80_000))[0]
        move, scores = rules.soon(p), dict(table.move_scores(p))
        best = table.best(p)
        assert (move is None) == (best is None)
        assert move is None or outcome(scores[move]) == outcome(scores[best])
        differ += move != best
    assert (differ == 0) == (quick == oracle.QUICK)


def test_without_numba_a_book_answers_to_its_depth(
    tables: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_book(SIZE, 4, tables)
    for module in ("connect4_search", "connect4_kernel"):
        monkeypatch.delitem(sys.modules, f"solver.games.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    agent = open_agent(SIZE)
    assert agent.outcome("123") == 0
    with pytest.raises(ImportError, match="needs the extra 'fast'"):
        agent.outcome("12341")


def test_a_limit_of_nodes(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect4_search, "SLICE", 1000)
    agent, limits, known = open_agent("connect4:5x4"), 0, []
    start = agent.game.initial()
    while True:
        try:
            with node_limit(2000):
                scores = agent.scores_at(start)
            break
        except SearchLimitError as error:  # what was found is kept
            limits += 1
            known.append(dict(error.known))
    assert limits > 3
    right = {each.label: each.outcome for each in scores}
    assert all(each.items() <= right.items() for each in known)
    assert scores == open_agent("connect4:5x4").scores_at(start)
    assert any(known)


@pytest.mark.slow
def test_threads_share_an_oracle(tables: Path) -> None:
    game: Any = load_game("connect4:5x4")
    agent = TableAgent(find_oracle(game))
    texts = ["".join(random.Random(n).choices("12345", k=4)) for n in range(20)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(agent.scores, texts))
    assert found == [TableAgent(find_oracle(game)).scores(text) for text in texts]


def test_searches_at_once_are_watched_and_an_error_ends_them_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    paused, started = list[int](), threading.Barrier(2)

    def count(number: int) -> int:
        pause(number)
        return number

    def search(number: int) -> int:
        started.wait(10)
        if not number:
            raise SearchLimitError("too many nodes")
        for _ in range(1000):
            pause(1)
            time.sleep(0.01)
        return number

    def search_all(search: Callable[[int], int], numbers: range) -> list[int]:
        with searching() as start:
            return [task.result() for task in [start(search, n) for n in numbers]]

    with watching(paused.append):
        assert search_all(count, range(5)) == [*range(5)]
        assert sorted(paused) == [*range(5)]
        with pytest.raises(SearchLimitError, match="too many"):
            search_all(search, range(2))
    assert len(paused) < 500


def test_threads_share_a_book() -> None:
    """Its keys are made when they are first asked for."""
    oracle = find_oracle(load_game("connect4"))
    assert oracle is not None
    book = oracle.book
    assert book is not None
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(book.keys, [5] * 8)]
    assert [len(keys) for keys in found] == [book.counts[5]] * 8
