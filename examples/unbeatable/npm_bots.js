// The bots of npm packages, as `perfectplay grade` asks a command: `node npm_bots.js NAME`.
//
// Reads lines `TURN<TAB>BOARD` and answers each with a cell from 1. Each function below takes the
// board as an array of "X", "O" and ".", and the side to move, and returns a cell from 0. Each calls
// the package's own code, unchanged. The packages are found in the folder that NODE_PATH names.

const other = (side) => (side === "X" ? "O" : "X");
const rows = (cells) => [cells.slice(0, 3), cells.slice(3, 6), cells.slice(6, 9)];
const differs = (before, after) => before.findIndex((mark, cell) => mark !== after[cell]);

const bots = {
  "ai-tic-tac-toe": (board, side) => {
    const grid = board.map((mark) => (mark === "." ? "" : mark.toLowerCase()));
    return require("ai-tic-tac-toe").getmove(grid, side.toLowerCase());
  },

  "discord-tictactoe": (board, side) => {
    const AI = require("discord-tictactoe/dist/src/tictactoe/ai/AI").default;
    const Game = require("discord-tictactoe/dist/src/tictactoe/Game").default;
    const game = new Game();
    board.forEach((mark, cell) => { game.board[cell] = ".XO".indexOf(mark); });
    while (game.currentPlayer !== ".XO".indexOf(side)) game.nextPlayer();
    return new AI("Unbeatable").operate(game).move;
  },

  "hubot-tictactoe": (board, side) => {
    require("coffee-script"); // from then on, require reads CoffeeScript
    const commands = [], brain = new Map();
    require("hubot-tictactoe/src/tictactoe")({
      respond: (pattern, answer) => commands.push([pattern, answer]),
      brain: { get: (key) => brain.get(key), set: (key, value) => brain.set(key, value), save() {} },
    });
    const message = { send() {}, message: { user: { name: "grader" } } };
    const start = side === "X" ? "ttt bot first" : "ttt bot start";
    commands.find(([pattern]) => pattern.test(start))[1](message);
    const bot = [...brain.values()][0];
    bot.game.setup(); // a board without the bot's first move
    bot.game.nextX = side === "X";
    board.forEach((mark, cell) => {
      if (mark === ".") return;
      bot.game.grid.insertCell({ x: Math.floor(cell / 3), y: cell % 3, value: mark });
    });
    try {
      bot.botMark(message);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // some moves are made, but not announced; Hubot logs the error and the game goes on
    }
    const after = bot.game.grid.cells.flat().map((cell) => (cell ? cell.value : "."));
    return differs(board, after);
  },

  "tic-tac-toe-ai-engine": (board) => {
    const state = board.map((mark) => (mark === "." ? "" : mark));
    return differs(state, require("tic-tac-toe-ai-engine").computeMove(state).nextBestGameState);
  },

  "tic-tac-toe-minimax": (board, side) => {
    const { ComputerMove } = require("tic-tac-toe-minimax").default;
    const cells = board.map((mark, cell) => (mark === "." ? cell : mark));
    return ComputerMove(cells, { huPlayer: other(side), aiPlayer: side }, "Hard");
  },

  "tic-tac-toe-minimax-engine": (board, side) => {
    const { default: TicTacToeEngine, Player } = require("tic-tac-toe-minimax-engine");
    const engine = new TicTacToeEngine(side === "X" ? Player.PLAYER_ONE : Player.PLAYER_TWO);
    engine.board = rows(board.map((mark) => ".XO".indexOf(mark)));
    const { x, y } = engine.getBestMove();
    return 3 * y + x;
  },

  "tictactoe-minimax-ai": (board, side) => {
    const cells = board.map((mark) => (mark === "." ? "_" : mark.toLowerCase()));
    const sides = { computer: side.toLowerCase(), opponent: other(side).toLowerCase() };
    return Number(require("tictactoe-minimax-ai").bestMove(rows(cells), sides));
  },
};

const bot = bots[process.argv[2]];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [side, board] = line.split("\t");
  process.stdout.write(`${bot([...board], side) + 1}\n`);
});
