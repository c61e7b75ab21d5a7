"""The command serve: the page and the HTTP API."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from solver.cli import options
from solver.cli.output import working
from solver.errors import needs_extra


def serve(
    host: Annotated[
        str, options.option("--host", "ADDRESS", "Listen here; 0.0.0.0 stands for all networks.")
    ] = "127.0.0.1",
    port: Annotated[
        int,
        options.option(
            "--port", "PORT", "Listen at this port; 0 for a free one.", min=0, max=65535
        ),
    ] = 8000,
    game: Annotated[
        list[str] | None, options.game(f"Serve this game too: a {options.GAME_NAME} Repeatable.")
    ] = None,
    table: Annotated[
        list[str] | None,
        options.option(
            "--table",
            "FILE",
            "Serve this table too; one of a custom game also needs --game. Repeatable.",
        ),
    ] = None,
    static: Annotated[
        str | None,
        options.option(
            "--static",
            "DIR",
            "Write the page with the first game, of at most 10,000 positions up to symmetries of"
            " the cells, to DIR/index.html, which works without a server.",
        ),
    ] = None,
) -> None:
    """Serve the page for playing and exploring, and the HTTP API.

    The page starts with the first game that is named. Tic-tac-toe is always served; if no game is
    named, so are Connect 4 and the built-in games that are solved within half a second. Only this
    machine can connect unless --host says otherwise. Before opening it to the internet, put a
    reverse proxy such as nginx or Caddy in front. It adds TLS and limits connections and heads of
    requests that never end, which this server does not.
    """
    from solver.web.catalogue import offered, open_agents

    agents = open_agents(game or (), table or ()) if game or table or static else offered()
    if static is not None:
        from solver.web.single import write_single

        with working(f"writing the page of {agents[0].game.spec}"):
            path = write_single(static, agents[0])
        typer.echo(f"wrote {path}: {os.path.getsize(path):,} bytes")
        return
    with needs_extra("serving", "web"):
        from solver.web.server import listen, run, url_of
    listener = listen(host, port)
    games = ", ".join(agent.game.spec for agent in agents)
    named = games if game or table else f"{len(agents)} games"
    message = f"serving {named} at {url_of(listener)} (Ctrl-C stops it)"
    run(agents, listener, lambda: typer.echo(message))
