"""Running the application: the address, and the end in good order."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from typing import TYPE_CHECKING

import uvicorn

from solver.web.app import create_app
from solver.web.http_protocol import Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from solver.agent.agent import TableAgent

BACKLOG = 512  # connections that wait to be taken
GRACE = 8  # seconds for requests in flight when the server is told to end
FILES = 4096  # connections and files that may be open, where the system allows as many
RESTING = 5  # seconds that a connection may rest between requests


class Server(uvicorn.Server):
    """A server that ends in peace: a signal to stop is no failure."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        """Call `ready` once it serves, and can be told to stop."""
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals to stop while the server runs."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        stops = (signal.SIGINT, signal.SIGTERM)
        before = {stop: signal.signal(stop, self.handle_exit) for stop in stops}
        try:
            yield
        finally:
            for stop, handler in before.items():
                signal.signal(stop, handler)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; raises OSError, which names it."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        taken = socket.socket(family, kind, protocol)
        try:
            if hasattr(socket, "SO_REUSEADDR") and hasattr(signal, "SIGHUP"):  # not on Windows
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(address)
            taken.listen(BACKLOG)
        except BaseException:
            taken.close()
            raise
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OSError(f"cannot listen at {host} port {port}: {reason}") from error
    return taken


def url_of(taken: socket.socket) -> str:
    """Return the address of a page behind a socket that listens."""
    host, port = taken.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(agents: Sequence[TableAgent], taken: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until a signal says to stop, and finish what is in flight."""
    _allow_files(FILES)
    config = uvicorn.Config(
        create_app(agents),
        http=Protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=RESTING,
        timeout_graceful_shutdown=GRACE,
    )
    Server(config, ready).run(sockets=[taken])


def _allow_files(most: int) -> None:
    """Raise how many connections may be open, where the system lets us."""
    try:
        import resource
    except ImportError:  # Windows has another limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
