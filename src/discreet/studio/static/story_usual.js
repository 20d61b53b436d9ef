// Screen 5: the usual noise beside the fair one, at any true count, and a hundred numbers of each.

import { byId, data } from "./page.js";
import { drawBars, dropDots, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";

const NOISES = ["usual", "fair"];
let pile = { usual: [], fair: [] };

const atEnds = (numbers) => numbers.filter((number) => number === 0 || number === data().n).length;

function showUsual(fresh = false) {
  const count = Number(byId("usual-count").value);
  const top = Math.max(...NOISES.flatMap((name) => data()[name].chances.flat()));
  for (const name of NOISES) {
    const { chances, texts, colour, ends } = data()[name];
    const where = drawBars(byId(`${name}-bars`), { chances: chances[count], colour, top, truth: count, strong: pile[name].length ? [] : [0, data().n], small: true,
      words: `The chances of the numbers 0 to ${data().n}: ${texts[count].join(", ")}` });
    dropDots(byId(`${name}-bars`), where, pile[name], fresh ? 0 : pile[name].length);
    byId(`${name}-ends`).textContent = ends[count];
  }
  byId("usual-shown").textContent = count;
  const [usual, fair] = NOISES.map((name) => timesOver(atEnds(pile[name])));
  byId("usual-says").textContent = pile.fair.length
    ? `In ${pile.fair.length} draws the usual noise said “nobody” or “everybody” ${usual}, fair noise ${fair}.`
    : data().compared[count];
}

async function drawBoth() {
  const count = Number(byId("usual-count").value);
  const [usual, fair] = await Promise.all(NOISES.map((name) => drawNumbers(100, count, data()[name].way)));
  if (count !== Number(byId("usual-count").value)) return; // they belong to another count
  pile = { usual, fair };
  showUsual(true);
}

export function startUsual() {
  byId("usual-count").value = data().others;
  byId("usual-count").addEventListener("input", () => {
    pile = { usual: [], fair: [] };
    showUsual();
  });
  byId("usual-draw").addEventListener("click", drawBoth);
  whenResized(showUsual);
  showUsual();
}
