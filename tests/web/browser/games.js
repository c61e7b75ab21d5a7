/**
 * Plays games for the human on the page by clicking random moves, as fast as the page answers.
 * Returns [status, address] at the end of each game.
 */
async ({ games, seed }) => {
  const PATIENCE = 120000; // milliseconds for one answer
  const byId = (id) => document.getElementById(id);
  const over = () => byId("status").classList.contains("over");
  const mine = () => !over() && document.querySelector("#board [aria-disabled=false]") !== null;
  const plies = () => byId("chart").children.length - 1;
  const until = async (holds) => {
    const begun = performance.now();
    while (!holds()) {
      if (!byId("notice").hidden) throw new Error(byId("notice").textContent);
      if (performance.now() - begun > PATIENCE) throw new Error(`stuck at ${location.hash}`);
      await new Promise((done) => setTimeout(done));
    }
  };
  let drawn = seed;
  const draw = (count) => {
    drawn = (drawn * 48271) % 2147483647;
    return drawn % count;
  };
  const playOne = async () => {
    if (over()) byId("new").click();
    await until(mine);
    while (!over()) {
      const open = document.querySelectorAll("#board .cell[aria-disabled=false]");
      const before = plies();
      open[draw(open.length)].click();
      await until(() => plies() > before && (over() || mine()));
    }
    return [byId("status").textContent, location.href];
  };
  const played = [];
  for (let game = 0; game < games; game += 1) played.push(await playOne());
  return played;
};
