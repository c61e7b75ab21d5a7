"""The page as one file, opened from disk without a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from solver import TableAgent
from solver.web.single import write_single
from tests.web.browser.visits import (
    Visits,
    address,
    badges,
    ending,
    mark,
    play_games,
    status,
    winner,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="package")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the file."""
    return Path(write_single(str(tmp_path_factory.mktemp("single")), TableAgent())).as_uri()


@pytest.fixture
def disk(visits: Visits, file: str) -> Visits:
    visits.site = file
    return visits


def opened(disk: Visits, hash_: str = "") -> Page:
    """Open the file offline."""
    return disk(hash_, offline=True)


def requested(disk: Visits) -> set[str]:
    """Return the addresses of requests, except those of data in the file itself."""
    return {url.partition("#")[0] for url in disk.requests if not url.startswith("data:")}


def test_it_plays_without_requests(disk: Visits, file: str) -> None:
    agent = TableAgent()
    page = opened(disk, "#o=perfect")
    expect(status(page)).to_have_text("Your turn: X to move.")
    expect(page.locator("#game")).to_be_hidden()
    for result, keys in play_games(page, 5):
        assert result == ending(agent, keys["moves"], 0)
        assert winner(agent, keys["moves"]) != "X"
    url = page.url
    page.reload()
    expect(status(page)).to_have_text(re.compile("You lost|A draw"))
    assert page.url == url
    assert requested(disk) == {file}


def test_the_cards_are_shown_then_asked_until_they_are_known(disk: Visits) -> None:
    page = opened(disk)
    page.click("#learn")
    text, button = page.locator("#learn-text"), page.locator("#learn-next")
    for words in ("Begin in the centre", "takes a corner", "takes an edge"):
        expect(text).to_contain_text(words)
        button.click()
    for cell in (0, 5, 8, 4):  # the first card, which is missed, comes again
        expect(button).to_be_hidden()
        page.locator("#learn-board .cell").nth(cell).click()
        expect(text).to_contain_text("Right" if cell else "1 is not on the card")
        button.click()
    expect(page.locator("#learning")).to_be_hidden()
    expect(page.locator("#pitch")).to_have_text("Can you beat it?")
    expect(page).to_have_url(re.compile("o=perfect"))


@pytest.mark.large
def test_it_shows_values_puzzles_and_the_map(disk: Visits, file: str) -> None:
    agent = TableAgent()
    page = opened(disk, "#moves=4,1&o=human&values=1")
    scores = agent.scores(".O..X....")
    assert badges(page) == sorted((s.move, mark(s.outcome, s.distance)) for s in scores)
    expect(page.locator("#line button").first).to_be_visible()
    page.click("#tab-puzzles")
    page.click("#solution")
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^The move is \d"))
    page.click("#tab-map")
    expect(page.locator("#map-replies button")).to_have_count(8)
    page.locator("#map-replies button").first.click()
    expect(page.locator("#map-where")).to_have_text(re.compile(r"^X 1; O 2, X \d"))
    assert address(page)["view"] == "map"
    assert requested(disk) == {file}
