"""The command that serves the page and the HTTP API: serve."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from solver.cli.app import app, complete_games


@app.command()
def serve(
    host: Annotated[
        str, typer.Option("--host", help="Listen at this address; 0.0.0.0 for the whole network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Listen at this port; 0 for a free one.")
    ] = 8000,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="Serve this game's table too; a name, or your own as FILE.py:CLASS. Again for"
            " more.",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="FILE",
            help="Serve this table too; of a game of your own with --game. Again for more.",
            show_default=False,
        ),
    ] = None,
    static: Annotated[
        str | None,
        typer.Option(
            "--static",
            metavar="DIR",
            help="Write the page with tic-tac-toe into DIR as one file, index.html, that needs no"
            " server.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve the page to play and explore, and the HTTP API.

    Tic-tac-toe is always there. It listens on this machine alone unless told otherwise.
    """
    from solver.web.catalogue import open_agents
    from solver.web.server import listen, run, url_of

    agents = open_agents(game or (), table or ())
    if static is not None:
        from solver.web.single_file import write_single

        path = write_single(static, agents[0])
        typer.echo(f"wrote {path}: {os.path.getsize(path):,} bytes")
        return
    taken = listen(host, port)
    games = ", ".join(agent.game.spec for agent in agents)
    said = f"serving {games} at {url_of(taken)} (Ctrl-C ends it)"
    run(agents, taken, lambda: typer.echo(said))
