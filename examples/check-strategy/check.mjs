// Checks the graph of a strategy file, as docs/reference/strategies.md describes it, without the
// rules of the game: `node check.mjs STRATEGY.txt`, or `check(bytes)` in a page, which resolves to
// the number of nodes and rejects with the first wrong line.

const MOST_BYTES = 268435456;
const MOST_LINE = 65536;
const NUMBER = /^[1-9][0-9]{0,8}$/;

class Wrong extends Error {}

function require(condition, line, reason) {
  if (!condition) throw new Wrong(`line ${line}: ${reason}`);
}

async function sha256(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function decode(bytes) {
  require(bytes.length <= MOST_BYTES, 1, `a file of more than ${MOST_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Wrong("line 1: the file is not UTF-8");
  }
}

function* linesOf(text) {
  const encoder = new TextEncoder();
  for (let start = 0, number = 1; start < text.length; number++) {
    const stop = text.indexOf("\n", start);
    require(stop >= 0, number, "a line without an end");
    const line = text.slice(start, stop);
    require(!/[\0-\x08\x0b-\x1f]/.test(line), number, "a control character");
    const isLong = line.length >= MOST_LINE / 3 && encoder.encode(line).length >= MOST_LINE;
    require(!isLong, number, `a line of more than ${MOST_LINE} bytes`);
    yield line;
    start = stop + 1;
  }
}

export async function check(bytes) {
  const lines = [...linesOf(decode(bytes))];
  const hash = await sha256(bytes.subarray(0, Math.max(0, bytes.length - 72)));
  require(lines.pop() === `sha256 ${hash}`, lines.length + 1, `not 'sha256 ${hash}'`);

  const header = (place, pattern) => {
    const match = pattern.exec(lines[place] ?? "");
    require(match && !match[0].includes("\t"), place + 1, `not ${pattern.source}`);
    return match;
  };
  header(0, /^perfectplay strategy 1$/);
  header(1, /^game .+$/su);
  const [, side, result] = header(2, /^claim (first|second) (wins|holds)$/);
  header(3, /^symmetry (?:yes|no)$/);
  const [, stated] = header(4, /^nodes ([1-9][0-9]{0,8})$/);
  const [wins, nodes] = [result === "wins", lines.length - 5];
  require(Number(stated) === nodes, 5, `${stated} nodes are stated, but there are ${nodes}`);

  const turns = lines.slice(5).map((line) => line[0]);
  const isOwn = (node) => turns[node - 1] !== "t";
  const led = new Uint8Array(nodes + 1);
  led[1] = 1;
  require(isOwn(1) === (side === "first"), 6, "the wrong side begins");
  for (let node = 1; node <= nodes; node++) {
    const at = node + 5;
    const fields = lines[at - 1].split("\t");
    require(fields.length === 4 && fields.every(Boolean), at, "not four fields");
    const [who, next, move] = fields;
    require(["m", "f", "t"].includes(who), at, "who is to move must be m, f or t");
    require(led[node], at, "no node with a smaller number leads here");
    if (next.startsWith("=")) {
      const allowed = next === "=won" || (next === "=drawn" && !wins);
      require(allowed, at, "an end that the claim does not allow");
      require(who !== "f" && move === "-", at, "a move after the end of the game");
      continue;
    }
    require(isOwn(node) || move === "-", at, "the move of the other side is -");
    const numbers = next.split(" ");
    require(!isOwn(node) || numbers.length === 1, at, "two moves where the claimant chooses one");
    let before = 0;
    for (const word of numbers) {
      require(NUMBER.test(word) && Number(word) > before, at, "numbers must ascend");
      before = Number(word);
      require(before <= nodes, at, `there is no node ${before}`);
      require(isOwn(before) !== isOwn(node), at, `node ${before} has the wrong side to move`);
      require(!wins || before > node, at, `node ${before} does not come later`);
      if (before > node) led[before] = 1;
    }
  }
  return nodes;
}

if (typeof process !== "undefined" && process.argv[1]?.endsWith("check.mjs")) {
  const { readFileSync } = await import("node:fs");
  try {
    console.log(`right: ${await check(readFileSync(process.argv[2]))} nodes`);
  } catch (error) {
    console.log(error instanceof Wrong ? `wrong: ${error.message}` : String(error));
    process.exitCode = error instanceof Wrong ? 1 : 2;
  }
}
