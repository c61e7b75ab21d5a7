"""The web application: from a request to the endpoint or the page's file at its address."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import lru_cache, partial
from threading import Event, Thread
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.agent.agent import TableAgent
from solver.errors import (
    SearchLimitError,
    TableFormatError,
    UnknownPositionError,
    described,
    printable,
)
from solver.rules.search import node_limit
from solver.value import Outcome
from solver.web.api import ENDPOINTS
from solver.web.cards import SHORT
from solver.web.catalogue import NODES, Catalogue, ServedGame
from solver.web.client_positions import custom_rules_error
from solver.web.endpoint import Endpoint
from solver.web.messages import (
    CONTENT_POLICY,
    IMMUTABLE,
    REVALIDATE,
    Reply,
    RequestError,
    error_reply,
    read_body,
    read_query,
    revalidated,
    send_reply,
)
from solver.web.pages import Pages
from solver.web.shipped_puzzles import shipped_position, shipped_rows

Handler = Callable[[Scope, Receive], Awaitable[Reply]]

MIN_COMPRESSED = 1_000  # bytes
MOST_BUSY = 2  # players that look ahead, and cards that are drawn, at once
LONGEST_CACHED = 300  # characters of a query whose reply is cached
READ = ("GET", "HEAD", "OPTIONS")
MAX_ADDRESS = 16_000  # bytes, as sent
MAX_HEADERS = 64_000  # bytes of their lines, as sent
CLIENT_LEFT = "the handler is closed"  # how uvloop says that a connection ended during an answer
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"cross-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"etag"),
)


class Guard:
    """ASGI middleware that checks requests, adds security headers and catches all errors."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = message["headers"] = [*message["headers"], *SECURITY]
                if not any(name == CONTENT_POLICY[0] for name, _ in headers):
                    headers.append(CONTENT_POLICY)
            await send(message)

        try:
            _check_head(scope)
            await self.app(scope, receive, send_guarded)
        except RequestError as error:
            await send_reply(error_reply(error), scope, send_guarded)
        except Exception as error:
            cause = printable(described(error))
            if not (started and CLIENT_LEFT in cause):
                print(f"perfectplay: internal server error: {cause}", file=sys.stderr, flush=True)
            if started:
                raise
            reply = error_reply(RequestError(500, "internal server error"))
            await send_reply(reply, scope, send_guarded)


def _check_head(scope: Scope) -> None:
    """Raise RequestError if the address or the headers are too long, or the Host is not one."""
    query, headers = scope["query_string"], scope["headers"]
    if len(scope["raw_path"]) + bool(query) + len(query) > MAX_ADDRESS:
        raise RequestError(414, f"the address has more than {MAX_ADDRESS:,} characters")
    if sum(len(name) + len(value) + len(b": \r\n") for name, value in headers) > MAX_HEADERS:
        raise RequestError(431, f"the headers have more than {MAX_HEADERS:,} bytes")
    hosts = sum(name == b"host" for name, _ in headers)
    if hosts > 1 or (not hosts and scope["http_version"] != "1.0"):
        raise RequestError(400, f"the request has {hosts} Host headers; it must have one")


class Resource:
    """The resource at an address: checks the method, then sends the handler's reply."""

    def __init__(self, handler: Handler, methods: tuple[str, ...] = READ) -> None:
        self.handler, self.methods = handler, methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; raises RequestError, which `Guard` answers."""
        allowed = ", ".join(self.methods)
        if scope["method"] not in self.methods:
            method = "GET" if scope["method"] == "HEAD" else scope["method"][:20]
            message = f"{method} is not allowed here; the methods are {allowed}"
            raise RequestError(405, message, allow=allowed)
        preflight = scope["method"] == "OPTIONS"
        reply = _preflight(allowed) if preflight else await self.handler(scope, receive)
        await send_reply(reply, scope, send)


def _preflight(allowed: str) -> Reply:
    """Return the reply that permits requests from pages of other sites."""
    headers = (
        (b"allow", allowed.encode()),
        (b"access-control-allow-methods", allowed.encode()),
        (b"access-control-allow-headers", b"content-type, if-none-match"),
        (b"access-control-max-age", b"86400"),
    )
    return Reply(b"", status=204, headers=headers)


class Dispatcher:
    """Parses the requests for all endpoints, and calls the endpoints or their caches."""

    def __init__(self, agents: Sequence[TableAgent]) -> None:
        self.catalogue = Catalogue(agents)
        self.cached = {each.path: lru_cache(each.cache)(each.reply) for each in ENDPOINTS}
        sizes = {each.threads for each in ENDPOINTS} - {0}
        self.pools = {size: anyio.CapacityLimiter(size) for size in sizes}
        self.searching, self.drawing = (anyio.CapacityLimiter(MOST_BUSY) for _ in range(2))

    async def reply(self, endpoint: Endpoint, scope: Scope, receive: Receive) -> Reply:
        """Return the reply to a request for an endpoint; raises RequestError."""
        query = read_query(scope, endpoint.query)
        cached = endpoint.cache and len(scope["query_string"]) <= LONGEST_CACHED
        answer = self.cached[endpoint.path] if cached else endpoint.reply
        if not endpoint.names_game:
            reply = answer(self.catalogue)
            return revalidated(reply) if endpoint.cache else reply
        game = self.catalogue.find(scope["path_params"]["game"])
        cache_control = _cache_control(game, query.get("tag"))
        values: list[Any] = [parameter.parse(query) for parameter in endpoint.parameters]
        if endpoint.body:
            values.append(await read_body(scope, receive))
        left = Event()
        if endpoint.threads or game.pool:  # custom rules, however slow, only hold up their own game
            pool = self._pool(endpoint, game, values)
            ask = partial(anyio.to_thread.run_sync, limiter=pool, abandon_on_cancel=True)
            end = asyncio.ensure_future(_note_end(receive, left))
            try:
                reply = await ask(self.call, answer, game, values, left)
            finally:
                end.cancel()
        else:
            reply = self.call(answer, game, values, left)
        if not endpoint.cache:
            return reply
        return reply._replace(etag=game.etag, cache_control=cache_control)

    def _pool(
        self, endpoint: Endpoint, game: ServedGame, values: list[Any]
    ) -> anyio.CapacityLimiter:
        """Return the pool of threads for a request; raises RequestError if it takes no more."""
        if endpoint.busy:
            return _free(self.drawing, endpoint.busy)
        if game.pool and (game.is_custom or not endpoint.is_quick):
            return game.pool
        if not (endpoint.is_search and endpoint.is_search(*values)):
            return self.pools[endpoint.threads]
        return _free(self.searching, "players are searching")

    def call(
        self, answer: Callable[..., Reply], game: ServedGame, values: list[Any], left: Event
    ) -> Reply:
        """Call an endpoint, or its cache; raises RequestError for errors in the request.

        A search ends soon after the client has left.
        """

        def watch(_: int) -> None:
            if left.is_set():
                raise SearchLimitError("the client has left")

        try:
            with node_limit(NODES, watch):
                return answer(game, *values)
        except (Exception, SystemExit, KeyboardInterrupt) as error:  # rules cannot stop the server
            raise _request_error(game, error) from error


def _free(pool: anyio.CapacityLimiter, busy: str) -> anyio.CapacityLimiter:
    """Return a pool of threads; raises RequestError if all are taken."""
    if not pool.available_tokens:
        message = f"{MOST_BUSY} {busy} here already: ask again"
        raise RequestError(503, message, retry_after="1")
    return pool


async def _note_end(receive: Receive, left: Event) -> None:
    """Set an event when the client leaves; the body has been read."""
    while (await receive())["type"] != "http.disconnect":
        pass
    left.set()


def _request_error(game: ServedGame, error: BaseException) -> RequestError:
    """Return how an error is answered; reraise an error of built-in rules that is a bug."""
    with suppress(BaseException):  # of its `str`, which may be the rules' own
        if isinstance(error, SearchLimitError):
            known = {label: str(outcome) for label, outcome in error.known.items()}
            return RequestError(503, str(error), known, retry_after="1")
        if isinstance(error, TableFormatError):
            return RequestError(503, f"{game.game.spec} is unavailable: {error}")
        if isinstance(error, ValueError | UnknownPositionError):
            return RequestError(400 if isinstance(error, ValueError) else 404, str(error))
    status = 400 if isinstance(error, Exception) else 500
    return RequestError(status, custom_rules_error(game.agent, error))


def _cache_control(game: ServedGame, tag: str | None) -> str:
    """Return how clients may cache the reply to a request with this tag; raises RequestError."""
    if tag in (None, game.tag):
        return REVALIDATE if tag is None else IMMUTABLE
    spec, given = game.game.spec, printable(tag or "", 60)
    raise RequestError(404, f"the tag of {spec} is {game.tag} here, not {given}")


def _warm_up(catalogue: Catalogue) -> None:
    """Search once in games whose puzzles ship, since the first search compiles its code."""
    for served in catalogue.games.values():
        if served.description["searched"] and (rows := shipped_rows(served.game)):
            table: Any = served.agent.table
            p = shipped_position(served.game, rows[0][0])
            with suppress(ImportError, TableFormatError):
                table.exceeds(p, Outcome.DRAW)
                table.probe(p)


def create_app(agents: Sequence[TableAgent], ready: Callable[[], None] = lambda: None) -> Starlette:
    """Return the page and the API for some agents, one of them for tic-tac-toe.

    `ready` is called when the server has started.
    """
    dispatcher = Dispatcher(agents)
    pages = Pages(dispatcher.catalogue)
    routes = [
        Route(
            endpoint.path.replace("{game}", "{game:path}"),
            Resource(partial(dispatcher.reply, endpoint), endpoint.methods),
        )
        for endpoint in ENDPOINTS
    ]
    routes += [Route(path, Resource(pages.file)) for path in pages.paths]
    routes += [Route(path, Resource(pages.short)) for path in SHORT]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ready()
        Thread(target=_warm_up, args=[dispatcher.catalogue], daemon=True).start()
        yield

    compression = Middleware(GZipMiddleware, minimum_size=MIN_COMPRESSED, compresslevel=6)
    app = Starlette(routes=routes, middleware=[Middleware(Guard), compression], lifespan=lifespan)
    app.router.redirect_slashes = False
    app.router.default = Resource(pages.missing, (*READ, "POST"))
    return app
