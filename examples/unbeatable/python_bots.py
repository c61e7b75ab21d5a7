"""The bots of Python packages, as functions that `perfectplay grade --convention text` can ask.

Each takes the board as nine characters (X, O and . for an empty cell), the legal moves and the side
to move, and returns a cell from 0, or a dict of cells to probabilities where the package chooses
evenly from known cells. Each calls the code of its package, installed in BOT_FOLDER, unchanged.
"""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from itertools import chain
from typing import Any

FOLDER = os.environ["BOT_FOLDER"]
sys.path.insert(0, FOLDER)
os.environ["HOME"] = FOLDER  # one keeps a file of scores there
time.sleep = lambda seconds: None  # some bots pause so that a person can follow

Answer = int | dict[int, float] | None


def marks(board: str, empty: Any, x: Any = "X", o: Any = "O") -> list[Any]:
    """Return the board as a list, in the package's own marks."""
    return [{".": empty, "X": x, "O": o}[mark] for mark in board]


def own_marks(board: str, side: str, empty: Any, own: Any, other: Any) -> list[Any]:
    """Return the board as a list for a bot whose marks are always the same, on either side."""
    return marks(board, empty, *((own, other) if side == "X" else (other, own)))


def rows(marks: list[Any]) -> list[list[Any]]:
    """Return a list of nine as three rows."""
    return [marks[0:3], marks[3:6], marks[6:9]]


def changed(before: Any, after: Any) -> int | None:
    """Return the cell in which two boards differ."""
    pairs = enumerate(zip(before, after, strict=True))
    return next((cell for cell, (old, new) in pairs if old != new), None)


def cell(place: tuple[int, int]) -> int:
    """Return the cell of a row and a column that count from 0."""
    return 3 * place[0] + place[1]


def evenly(moves: list[int]) -> dict[int, float]:
    """Return equal probabilities."""
    return {move: 1 / len(moves) for move in moves}


def ai_tictactoe(board: str, moves: list[int], side: str) -> Answer:
    from ai_tictactoe.tictactoe import TicTacToeAI

    game = TicTacToeAI()
    game.board = rows(marks(board, " "))
    return cell(game.get_ai_move())


def easyai_6(board: str, moves: list[int], side: str) -> Answer:
    return easyai(board, side, 6)


def easyai_9(board: str, moves: list[int], side: str) -> Answer:
    return easyai(board, side, 9)


def easyai(board: str, side: str, depth: int) -> int:
    from easyAI import AI_Player, Negamax
    from easyAI.games.TicTacToe import TicTacToe

    player = AI_Player(Negamax(depth))
    game = TicTacToe([player, player])
    game.board = marks(board, 0, 1, 2)
    game.current_player = 1 if side == "X" else 2
    return int(game.get_move()) - 1


def eldar_tic_tac_toe(board: str, moves: list[int], side: str) -> Answer:
    from tic_tac_toe.ai import AI
    from tic_tac_toe.board import Board

    game = Board()
    game.cells = marks(board, None)
    return AI(game, "hard").move()


def jogo_da_velha_python(board: str, moves: list[int], side: str) -> Answer:
    from core import ia

    best: list[int] = []
    ia.random.choice = best.extend  # it makes a random one of these
    ia.jogada_ia(own_marks(board, side, " ", "O", "X"), "Impossível")
    return evenly(best)


def jokettt(board: str, moves: list[int], side: str) -> Answer:
    from jokettt.board.board import Board
    from jokettt.players.minimaxplayer import MinimaxPlayer

    game = Board("x", "o", rows(marks(board, "_", "x", "o")))
    return cell(MinimaxPlayer(side.lower()).move(game))


def lealtictactoe(board: str, moves: list[int], side: str) -> Answer:
    from lealtictactoe import main

    names = [row + column for row in "ABC" for column in "123"]
    taken = {mark: [n for n, m in zip(names, board, strict=True) if m == mark] for mark in "XO"}
    free: list[str] = []
    main.random.choice = free.extend  # if no line needs an answer, it makes a random one of these
    answer = main.LealTicTacToe.bestgame(taken["O" if side == "X" else "X"], taken[side])
    return evenly([names.index(name) for name in free or [answer]]) if free or answer else None


def perfect_game_player(board: str, moves: list[int], side: str) -> Answer:
    from pgameplayer.minimax_tree import minimax
    from pgameplayer.solvers.tictactoe import TicTacToeNode

    before = rows(marks(board, ".", "x", "o"))
    after, _ = minimax(TicTacToeNode(before), side == "X")
    return changed(chain(*before), chain(*after))


@cache
def saro476_tree() -> Any:
    from minmax.minmax import MinMaxTree, PlayerType
    from tictactoe.ai.TNode import TNode
    from tictactoe.game.GameEnums import Player

    tree = MinMaxTree({Player.PLAYER_X: PlayerType.USER, Player.PLAYER_O: PlayerType.AI})
    TNode(tree, 0).expand(-1)
    return tree


def saro476_tictactoe(board: str, moves: list[int], side: str) -> Answer:
    from tictactoe.game.GameEnums import Player

    state = sum(3**place * mark for place, mark in enumerate(marks(board, 0, 1, 2)))
    return saro476_tree().get_node(state).best_move(Player.PLAYER_O).value


def sphsebot25(board: str, moves: list[int], side: str) -> Answer:
    sys.path.insert(0, os.path.join(FOLDER, "ebotsphs25"))  # the rest imports plotting libraries
    from tictactoe import computer_move

    return computer_move(marks(board, " "))


def supernovattt(board: str, moves: list[int], side: str) -> Answer:
    from supernovattt import best_moves  # choose_move makes a random one of these

    return evenly(best_moves(marks(board, " ")))


def tactacai(board: str, moves: list[int], side: str) -> Answer:
    from tactacai.game import Game

    if len(moves) == 9:
        return evenly(moves)  # as in Game.ai_turn
    row, column, _ = Game().minimax(
        rows(own_marks(board, side, " ", "O", "X")), len(moves), "O", float("-inf"), float("inf")
    )
    return evenly([cell((row, column))])


def tic_tac_toe(board: str, moves: list[int], side: str) -> Answer:
    from tic_tac_toe import tic_tac_toe as package

    if len(moves) == 9:
        return evenly(moves)  # as in one_player
    game, other = marks(board, "-"), "O" if side == "X" else "X"
    package.COUNT, best = 0, []
    scores = package.minimax(game, side, side, other)
    for number in range(scores.count(max(scores))):  # it makes a random one of the best
        package.random.randrange = lambda start, stop, chosen=number: chosen
        best.append(package.the_move(game, scores))
    return evenly(best)


def tic_tac_toe_aiman(board: str, moves: list[int], side: str) -> Answer:
    sys.path.insert(0, os.path.join(FOLDER, "tic-tac-toe-aiman"))  # not a name that can be imported
    from game import TicTacToe

    game = TicTacToe()
    game.board = rows(marks(board, ""))
    return cell(game.best_move("hard"))


def tic_tac_toe_api_bot(board: str, moves: list[int], side: str) -> Answer:
    from tic_tac_toe import Bot, Field

    before = own_marks(board, side, "", "o", "x")
    field = Field(turn="bot")
    field.map = rows(before)
    Bot(field).make_move()
    return changed(before, chain(*field.map))


def tic_tac_toe_miked(board: str, moves: list[int], side: str) -> Answer:
    from tic_tac_toe_miked import ttt

    keys = (7, 8, 9, 4, 5, 6, 1, 2, 3)
    before = own_marks(board, side, " ", "A", "X")
    for key, mark in zip(keys, before, strict=True):
        ttt.cells[key] = mark
    ttt.ai(True)
    return changed(before, [ttt.cells[key] for key in keys])


def tictacai(board: str, moves: list[int], side: str) -> Answer:
    from tictacai.game.players import MinimaxComputerPlayer
    from tictacai.logic.models import GameState, Grid, Mark

    if len(moves) == 9:
        return evenly(moves)  # as in get_computer_move
    state = GameState(Grid(board.replace(".", " ")))
    return evenly([MinimaxComputerPlayer(Mark(side)).get_move(state).cell_index])


def tictaccode(board: str, moves: list[int], side: str) -> Answer:
    from TicTacCode.Board import Board

    text = "/".join("".join(row) for row in rows(marks(board, "-")))
    _, move = Board(side == "X", text).calculatePosition()
    return int(move[1]) - 1


def tictactai(board: str, moves: list[int], side: str) -> Answer:
    from tictactai.board import Board
    from tictactai.evaluator import get_best_move

    game = Board()
    game.set_board(marks(board, ""))
    return get_best_move(game, False)


def tictactoe_py(board: str, moves: list[int], side: str) -> Answer:
    from tictactoe import play_best_move

    before = tuple(marks(board, None))
    return changed(before, play_best_move(before, side)[0])


def tictactoe_vish(board: str, moves: list[int], side: str) -> Answer:
    from tictactoe.ai import AIPlayer
    from tictactoe.board import Board

    game = Board()
    game.grid = rows(marks(board, None))
    return cell(AIPlayer("hard").get_best_move(game))


def tictactoeai(board: str, moves: list[int], side: str) -> Answer:
    from TicTacToeAI import get_best_move

    return cell(get_best_move(rows(own_marks(board, side, " ", "X", "O")), "hard"))


def titato(board: str, moves: list[int], side: str) -> Answer:
    from titato.core.game.ai import AIDefault
    from titato.core.player.symbol import Symbol
    from titato.core.table.table import Table, TableParam

    symbols = {"X": Symbol("X"), "O": Symbol("O")}
    table = Table(TableParam(3, 3, 3))
    for place, mark in enumerate(board):
        if mark != ".":
            table.set_symbol_cell(*divmod(place, 3), symbols[mark])
    return cell(AIDefault.get_step(symbols[side], table.game_field, table.combinations))


def toetactic_dikembe(board: str, moves: list[int], side: str) -> Answer:
    from toetactic.board import Board
    from toetactic.player import Dikembe

    game = Board()
    game.cells = rows(marks(board, " "))
    return cell(Dikembe("Dikembe", side).choose_move(game, "O" if side == "X" else "X"))


def ttt_gauntlet(board: str, moves: list[int], side: str) -> Answer:
    from ttt.models import Board, Mark
    from ttt.opponents import opponent_for_level

    game = Board(cells=tuple(marks(board, Mark.EMPTY, Mark.X, Mark.O)))
    return opponent_for_level(3).choose_move(game, Mark[side])


def xo(board: str, moves: list[int], side: str) -> Answer:
    from xo.ai import evaluate  # the command makes a random one of its positions
    from xo.board import Board

    found = evaluate(Board.fromstring(board.lower()), side.lower()).positions
    return evenly([cell((row - 1, column - 1)) for row, column in found])
