"""Connections: how long a request may take to come, and how long an answer to go.

uvicorn closes a connection that rests between requests. It waits for ever for the rest of a
request, and for a reader who does not read; here both have an end.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

import orjson
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

if TYPE_CHECKING:
    from uvicorn.config import Config
    from uvicorn.server import ServerState

MOST_CONNECTIONS = 1_000  # beyond them the one that has waited longest is closed
MOST_HEAD = 64_000  # bytes before a body
COMING = 15.0  # seconds for a request to come; a handler refuses a slow body a little sooner
GOING = 60.0  # seconds for an answer to be read


class Flow(FlowControl):
    """Leaves a connection alone that is being closed; uvloop would raise."""

    def pause_reading(self) -> None:
        """Let what comes wait."""
        if not self._transport.is_closing():
            super().pause_reading()

    def resume_reading(self) -> None:
        """Take what comes again."""
        if not self._transport.is_closing():
            super().resume_reading()


class Protocol(HttpToolsProtocol):
    """A connection that cannot be held open by doing little."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._coming: asyncio.TimerHandle | None = None
        self._going: asyncio.TimerHandle | None = None
        self._head = 0  # bytes of the request so far; -1 once its head is whole
        self._since = self.loop.time()
        self._asked: deque[RequestResponseCycle] = deque()  # requests without their answer yet

    @property
    def resting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give a new connection its time."""
        super().connection_made(transport)
        self.flow = Flow(transport)
        self._await_request()
        if len(self.connections) > MOST_CONNECTIONS:
            known = [c for c in self.connections if isinstance(c, Protocol) and c is not self]
            waiting = [c for c in known if c.resting and not c.transport.is_closing()]
            min(waiting, key=lambda c: c._since, default=self).close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers, and tell all requests that nobody waits; uvicorn tells the last."""
        for request in self._asked:
            request.disconnected = True
            request.message_event.set()
        self._asked.clear()
        super().connection_lost(exc)
        self._stop_coming()
        self._stop_going()

    def data_received(self, data: bytes) -> None:
        """Read what has come, unless it is too much before the body."""
        if self._coming is None:
            self._await_request()
        if self._head >= 0:
            self._head += len(data)
        super().data_received(data)
        if self._head > MOST_HEAD and not self.transport.is_closing():
            self._refuse(431, f"the headers have more than {MOST_HEAD:,} bytes")

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        """Note that the head of a request is whole."""
        self._head = -1
        super().on_headers_complete()
        self._asked.append(self.cycle)

    def on_message_complete(self) -> None:
        """Note that a request is whole."""
        self._stop_coming()
        self._head = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Note that an answer is on its way."""
        if self._asked:
            self._asked.popleft()
        self._since = self.loop.time()
        super().on_response_complete()
        if self.transport.is_closing():
            self._await_reader()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has rested."""
        self.close()

    def pause_writing(self) -> None:
        """Give the other side its time to read."""
        super().pause_writing()
        self._await_reader()

    def resume_writing(self) -> None:
        """Note that it has read."""
        super().resume_writing()
        self._stop_going()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(400, "this is no HTTP request that can be read")

    def close(self) -> None:
        """Close the connection once the other side has read what it was sent."""
        if not self.transport.is_closing():
            self.transport.close()
            self._await_reader()

    def _await_request(self) -> None:
        self._coming = self.loop.call_later(COMING, self.close)

    def _await_reader(self) -> None:
        if self._going is None:
            self._going = self.loop.call_later(GOING, self.transport.abort)

    def _stop_coming(self) -> None:
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None

    def _stop_going(self) -> None:
        if self._going is not None:
            self._going.cancel()
            self._going = None

    def _refuse(self, status: int, message: str) -> None:
        """Answer what the application never sees, and close the connection."""
        body = orjson.dumps({"error": message})
        head = [
            STATUS_LINE[status],
            b"content-type: application/json\r\ncache-control: no-store\r\n",
            b"x-content-type-options: nosniff\r\n",
            b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body),
        ]
        self.transport.write(b"".join([*head, body]))
        self.close()
