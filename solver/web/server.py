"""Running the application with uvicorn: where it listens, its limits and its graceful shutdown.

What belongs to a reverse proxy is left to it: TLS, and limits on the number of connections and on
the time that a request's head takes. `app.Guard` limits its size, but only once it is complete.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Sequence

import httptools  # noqa: F401 -- which uvicorn imports by its name
import uvicorn
from starlette.applications import Starlette

from solver.agent.agent import TableAgent
from solver.web.app import create_app

BACKLOG = 512  # connections that wait to be accepted
SHUTDOWN_SECONDS = 8  # for the requests in flight
STOPPING_SECONDS = 2  # for the threads after them
IDLE_SECONDS = 5  # between two requests of a connection
UNREAD_MILLISECONDS = 60_000  # until a client that reads nothing is disconnected; Linux only


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; raises OSError, which names the address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            if hasattr(socket, "SO_REUSEADDR") and hasattr(signal, "SIGHUP"):  # not on Windows
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # the connections inherit it
                option = socket.TCP_USER_TIMEOUT
                listener.setsockopt(socket.IPPROTO_TCP, option, UNREAD_MILLISECONDS)
            listener.bind(address)
            listener.listen(BACKLOG)
        except BaseException:
            listener.close()
            raise
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OSError(f"cannot listen at {host} port {port}: {reason}") from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the URL of the page behind a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(agents: Sequence[TableAgent], listener: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM, then finish the requests in flight.

    `ready` is called when the server has started, and these signals stop it.
    """
    serve_app(create_app(agents, ready), listener)


def serve_app(app: Starlette, listener: socket.socket) -> None:
    """Serve an application until SIGINT or SIGTERM, then finish the requests in flight.

    Requests that do not end, as where rules hang, are abandoned, and the process ends.
    """
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    for stop in (signal.SIGINT, signal.SIGTERM):  # uvicorn raises them again after its shutdown
        signal.signal(stop, signal.SIG_IGN)
    before = set(threading.enumerate())
    uvicorn.Server(config).run(sockets=[listener])
    left = set(threading.enumerate()) - before
    asked = {thread for thread in left if not thread.daemon}
    for thread in asked:
        thread.join(STOPPING_SECONDS / len(asked))
    if any(thread.is_alive() for thread in asked):
        print("perfectplay: stopped within a request that does not end", file=sys.stderr)
    if any(thread.is_alive() for thread in left):
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(0)  # since Python would wait for the threads
