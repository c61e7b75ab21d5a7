"""A language model plays tic-tac-toe: how often does it keep the outcome, and break the rules?

    python examples/language_model.py http://localhost:11434/v1 MODEL [--positions 50] [--seed 0]

It asks any server with OpenAI's chat completions API, one question for each position, and sends
the key in OPENAI_API_KEY if that is set. The positions are drawn at random from those in which some
move is worse than another, no two of them symmetric. Illegal moves are counted apart, and so are
replies without a move, which is what the format costs; the rates are over the legal moves.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from solver import TableAgent, prompt, score_reply

PATIENCE = 300  # seconds for an answer


def ask(url: str, model: str, question: str) -> str:
    """Return the model's reply to a question; raises OSError or ValueError if there is none."""
    body = {"model": model, "temperature": 0, "messages": [{"role": "user", "content": question}]}
    request = Request(f"{url.rstrip('/')}/chat/completions", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if key := os.environ.get("OPENAI_API_KEY"):
        request.add_header("Authorization", f"Bearer {key}")
    with urlopen(request, timeout=PATIENCE) as answer:
        data = answer.read()
    try:
        return str(json.loads(data)["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"the answer has no message: {data[:200]!r}") from error


def positions(agent: TableAgent, count: int, seed: int) -> list[Any]:
    """Return up to `count` positions in which some move is worse than another."""
    choices = [
        p
        for p, _ in agent.table.positions()
        if len({score for _, score in agent.table.move_scores(p)}) > 1
    ]
    return random.Random(seed).sample(choices, min(count, len(choices)))


def main() -> None:
    """Ask about every position and print the results."""
    parser = argparse.ArgumentParser(description="Ask a language model to play tic-tac-toe.")
    parser.add_argument("url", help="the API's address, such as http://localhost:11434/v1")
    parser.add_argument("model", help="the model's name")
    parser.add_argument("--positions", type=int, default=50, help="how many questions to ask")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the positions")
    options = parser.parse_args()
    if options.positions < 1:
        parser.error("--positions must be 1 or more")
    agent = TableAgent()
    game = agent.game
    regrets: list[int] = []
    perfect = unmarked = 0
    illegal: list[str] = []
    for number, p in enumerate(positions(agent, options.positions, options.seed)):
        question = prompt(agent, p)
        if number == 0:
            print(f"The first prompt:\n\n{question}\n")
        try:
            reply = ask(options.url, options.model, question)
        except HTTPError as error:
            reason = " ".join(error.read(200).decode(errors="replace").split())
            sys.exit(f"{error.url}: {error}: {reason}")
        except (OSError, HTTPException, ValueError) as error:
            sys.exit(f"{options.url}: {error}")
        found = score_reply(agent, p, reply)
        if found.regret is not None:
            regrets.append(found.regret)
            perfect += found.optimal
        else:
            unmarked += found.legal is None
            illegal.append(f"{game.text(p)}: {reply[-60:]!r}: {found.reason}")
    count = len(regrets)
    print(f"{options.model}: {count} legal moves, {len(illegal) - unmarked} illegal ones", end="")
    print(f", {unmarked} replies without a move")
    if regrets:
        print(f"of the legal moves: good {regrets.count(0) / count:.1%}", end="")
        print(f", perfect {perfect / count:.1%}, mean regret {sum(regrets) / count:.3f}")
    for line in illegal:
        print(f"no legal move at {line}")


if __name__ == "__main__":
    main()
