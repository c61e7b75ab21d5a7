"""How the API answers: methods, headers, caching, compression, and the page's files."""

from __future__ import annotations

import gzip
import json
import re
import struct
from html import unescape
from typing import Any
from urllib.parse import urljoin

import pytest

from solver import TableAgent, __version__
from solver.web import pages
from solver.web.app import create_app
from tests.conftest import SHIPPED
from tests.support.asgi import Answer, Client

API = "/api/v1"
READ = ["/healthz", f"{API}/games", f"{API}/tictactoe/explain", "/app.js"]  # of each kind
CACHED = [f"{API}/tictactoe{name}" for name in ("", "/picture", "/player?name=perfect")]
BATCH = f"{API}/tictactoe/batch"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    page = tmp_path_factory.mktemp("page")
    (page / "index.html").write_text("<!doctype html><title>page</title>")
    (page / "style.css").write_text("body { color: black }\n" * 100)
    (page / "early.js").write_text("")
    (page / "app.js").write_text("export const x = 1;\n")
    (page / ".hidden").write_text("no")
    (page / "folder").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "PAGE", page)
        return Client(create_app([TableAgent()]))


@pytest.fixture(scope="module")
def real() -> Client:
    """Return a client of the server with its own page."""
    return Client(create_app([TableAgent()]))


@pytest.mark.parametrize("path", READ)
def test_head_is_get_without_a_body_and_options_lists_methods(client: Client, path: str) -> None:
    get, head, options = (client.send(method, path) for method in ("GET", "HEAD", "OPTIONS"))
    assert get.status == head.status == 200
    assert get.headers == head.headers
    assert int(get.headers["content-length"]) == len(get.body)
    assert (options.status, options.body) == (204, b"")
    assert options.headers["allow"] == "GET, HEAD, OPTIONS"
    assert options.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
        wrong = client.send(method, path)
        assert (wrong.status, wrong.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
        assert f"{method} is not allowed here" in wrong.error


def test_nothing_is_found_by_no_method(client: Client) -> None:
    assert [client.send(m, "/nothing").status for m in ("GET", "HEAD", "POST")] == [404] * 3


def test_a_batch_is_posted(client: Client) -> None:
    get, head = (client.send(method, BATCH) for method in ("GET", "HEAD"))
    assert get.headers == head.headers
    for method in ("GET", "HEAD", "PUT", "DELETE"):
        wrong = client.send(method, BATCH)
        assert (wrong.status, wrong.headers["allow"]) == (405, "POST, OPTIONS")
    options = client.send("OPTIONS", BATCH, origin="https://elsewhere.example")
    assert options.headers["access-control-allow-methods"] == "POST, OPTIONS"
    assert "content-type" in options.headers["access-control-allow-headers"]
    answer = client.post(BATCH, {"positions": ["........."]})
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", [*READ, "/none", f"{API}/chess", f"{API}/tictactoe?position=X"])
def test_every_answer_has_security_headers(client: Client, path: str) -> None:
    headers = client.get(path, origin="https://elsewhere.example").headers
    assert headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "geolocation=()" in headers["permissions-policy"]
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert re.search(r"script-src 'self'( 'sha256-[^']*')?; style-src 'self'; ", policy)
    assert "frame-ancestors 'none'" in policy
    assert "server" not in headers


@pytest.mark.parametrize("path", CACHED)
def test_answers_are_cached_under_the_checksum_of_the_table(client: Client, path: str) -> None:
    """Forever if the address has the tag of the table, too; else a browser revalidates them."""
    answer = client.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    tag = answer.headers["etag"]
    current = client.get(f"{API}/games").json["games"][0]["tag"]
    assert current == f"{json.loads(SHIPPED.read_bytes())['sha256'][:32]}-{__version__}"
    assert tag == f'W/"{current}"'
    separator = "&" if "?" in path else "?"
    forever = client.get(f"{path}{separator}tag={current}")
    assert forever.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (forever.body, forever.headers["etag"]) == (answer.body, tag)
    other = client.get(f"{path}{separator}tag=0123-{__version__}")
    assert (other.status, other.headers["cache-control"]) == (404, "no-store")
    assert f"the tag of tictactoe is {current} here" in other.json["error"]
    for known in (tag, tag.removeprefix("W/"), f'"x", {tag}', "*"):
        again = client.get(path, if_none_match=known)
        assert (again.status, again.body) == (304, b"")
        assert again.headers["etag"] == tag
        assert "content-length" not in again.headers
    assert client.get(path, if_none_match='"x"').status == 200
    wrong = client.get(path.partition("?")[0] + "?wrong=1", if_none_match=tag)
    assert (wrong.status, wrong.headers["cache-control"]) == (400, "no-store")
    assert "etag" not in wrong.headers


def test_other_answers_are_revalidated_or_not_stored(client: Client) -> None:
    for path in ("/", "/app.js", f"{API}/games", f"{API}/openapi.json"):
        answer = client.get(path)
        assert answer.headers["cache-control"] == "no-cache"
        assert client.get(path, if_none_match=answer.headers["etag"]).status == 304
    health = client.get("/healthz")
    assert health.json == {"status": "ok"}
    assert health.headers["cache-control"] == "no-store"
    assert "etag" not in health.headers


def test_long_answers_are_compressed_if_the_client_accepts_it(client: Client) -> None:
    path = f"{API}/tictactoe/explain"
    plain, small = client.get(path), client.get(path, accept_encoding="br, gzip")
    assert small.headers["content-encoding"] == "gzip"
    assert small.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert gzip.decompress(small.body) == plain.body
    assert len(small.body) < len(plain.body) / 3
    assert small.headers["etag"] == plain.headers["etag"]
    short = client.get("/healthz", accept_encoding="gzip")
    assert "content-encoding" not in short.headers


def test_the_pages_files(client: Client) -> None:
    index = client.get("/")
    assert index.body == b"<!doctype html><title>page</title>"
    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert client.get("/index.html").body == index.body
    assert client.get("/?position=X...O....").body == index.body
    assert client.get("/app.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert client.get("/style.css").headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        *("/none", "/.hidden", "/folder", "/folder/", "/../page/app.js", "/..%2fapp.js"),
        *("/..%2f..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/app.py", "/%2fetc%2fpasswd", "/app.js%00"),
        *("/app.js/", "/./app.js", "/..\\app.py", "/C:\\x", "/api", "/api/v1", "/healthz/", "/API"),
        *("//app.js", "/page/app.js", "/app.py", "/handlers.py", "/%ff%fe", "/\xe9"),
        "/" + "a" * 5000,
    ],
)
def test_no_other_file_is_reached(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 404
    assert answer.error
    shown = client.get(path, accept="text/html,*/*")
    assert shown.status == 404
    assert shown.error if path.startswith("/api/") else b"#view=games" in shown.body


@pytest.mark.parametrize(
    ("headers", "origin"),
    [
        ({}, "http://x"),
        ({"host": "games.example", "x_forwarded_proto": "https"}, "https://games.example"),
        ({"host": '"><script>'}, "http://&quot;&gt;&lt;script&gt;"),
    ],
)
def test_the_page_names_a_picture_for_previews_of_links(
    real: Client, headers: dict[str, Any], origin: str
) -> None:
    """Whole addresses, with the host of the request, and without markup from it."""
    page = real.get("/?game=tictactoe&moves=4", **headers).body.decode()
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    found = re.search(r'<meta property="og:image" content="(.*?)(/api/v1/.*?)">', page)
    assert found
    assert found[1] == origin
    assert size_of(real.get(unescape(found[2]))) == (1200, 630)


def size_of(answer: Answer) -> tuple[int, int]:
    """Return the width and the height of a PNG."""
    assert answer.headers["content-type"] == "image/png"
    width, height = struct.unpack(">II", answer.body[16:24])
    return width, height


def previewed(client: Client, path: str, **headers: Any) -> list[str]:
    """Return the title and the picture of a link, behind the long address of a short one."""
    answer = client.get(path, **headers)
    if answer.status == 302:
        answer = client.get(urljoin(f"http://x{path}", answer.headers["location"])[8:], **headers)
    page = answer.body.decode()
    return [unescape(s) for s in re.findall(r'property="og:(?:title|image)" content="(.*?)"', page)]


def test_a_link_is_previewed_with_its_puzzle_or_game(real: Client) -> None:
    """Below a proxy's path, too; what is neither is previewed as the page."""
    headers: dict[str, Any] = {"host": "a.example", "x-forwarded-prefix": "/games/"}
    start = "http://a.example/games/api/v1/tictactoe/card?"
    puzzle = previewed(real, "/p/5", **headers)
    assert puzzle == ["Tic-tac-toe puzzle no. 5: find the one good move", f"{start}puzzle=5"]
    assert puzzle == previewed(real, "/?game=tictactoe&view=puzzles&puzzle=5", **headers)
    title, picture = previewed(real, "/g/tictactoe/15", **headers)
    assert title == "Tic-tac-toe: X to move. Your turn?"
    assert picture == f"{start}moves=0%2C4"
    title, over = previewed(real, "/?game=tictactoe&moves=0,3,1,4,2&x=human&o=perfect", **headers)
    assert title == "Tic-tac-toe: X has won after 5 moves. Can you?"
    one = previewed(real, "/?game=tictactoe&view=puzzles&puzzle=X...O....:X", **headers)
    assert one[0] == "Tic-tac-toe puzzle: X to move. Your turn?"
    pictures = [
        real.get(found.partition("/games")[2]) for found in (puzzle[1], picture, over, one[1])
    ]
    assert len({each.body for each in pictures}) == 4
    assert {size_of(each) for each in pictures} == {(1200, 630)}
    plain = previewed(real, "/", **headers)
    assert size_of(real.get(plain[1].partition("/games")[2])) == (1200, 630)
    for query in ("moves=0,0", "view=puzzles&puzzle=99999", "view=map&moves=0", "game=%ff&moves=1"):
        assert previewed(real, f"/?game=tictactoe&{query}", **headers) == plain
    assert real.get("/api/v1/tictactoe/card?puzzle=99999").status == 400


def test_a_short_address_leads_to_the_long_one(real: Client) -> None:
    """Also if it is wrong, which the page says."""
    for short, query in {
        "/p/332": "../?game=tictactoe&view=puzzles&puzzle=332",
        "/p/tictactoe/332": "../../?game=tictactoe&view=puzzles&puzzle=332",
        "/g/tictactoe/5192": "../../?game=tictactoe&moves=4,0,8,1",
        "/g/tictactoe/55": "../../?game=tictactoe&moves=4,%3F5",
        "/g/chess/e4": "../../?game=chess&moves=%3Fe4",
        "/p/chess/1": "../../?game=chess&view=puzzles&puzzle=1",
        "/g/tictactoe": "../?game=tictactoe",
        "/p/": "../?game=tictactoe&view=puzzles&puzzle=",
    }.items():
        assert real.get(short).headers["location"] == query


def test_cards_are_drawn_by_few_threads_and_without_the_extra_are_the_sample(
    real: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.web.app.MOST_BUSY", 0)
    busy = Client(create_app([TableAgent()])).get("/api/v1/tictactoe/card")
    assert (busy.status, busy.headers["retry-after"]) == (503, "1")
    assert "cards are drawn here already" in busy.error
    monkeypatch.setattr(pages, "picture_format", lambda: "svg")
    with_moves = "/?game=tictactoe&moves=0"
    assert previewed(Client(create_app([TableAgent()])), with_moves)[1] == "http://x/card.png"


def test_only_the_board_at_embed_may_be_framed_by_other_sites(real: Client) -> None:
    policies = [real.get(path).headers["content-security-policy"] for path in ("/", "/embed")]
    assert [policy.rpartition("; ")[2] for policy in policies] == [
        "frame-ancestors 'none'",
        "frame-ancestors *",
    ]
