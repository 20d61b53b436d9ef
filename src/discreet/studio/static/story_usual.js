// Screen 5: the usual noise beside the one that is asked for, at any true count, and a hundred numbers of each.

import { byId, data } from "./page.js";
import { drawBars, dropDots, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";

const SIDES = ["usual", "asked"];
const NONE = { usual: [], asked: [] };
let pile = NONE;

const kindOf = (side) => (side === "usual" ? "usual" : document.querySelector("[name=noise]:checked").value);
const countNow = () => Number(byId("usual-count").value);

function showUsual(fresh = false) {
  const [count, last] = [countNow(), data().n];
  const top = Math.max(...Object.keys(data().asked).concat("usual").flatMap((kind) => data()[kind].chances.flat())); // one scale for all
  for (const side of SIDES) {
    const { name, chances, texts, truths, colour, ends } = data()[kindOf(side)];
    const where = drawBars(byId(`${side}-bars`), { chances: chances[count], colour, top, truth: count, strong: [count], small: true,
      words: `${name}: the chances of the numbers 0 to ${last}: ${texts[count].join(", ")}` });
    dropDots(byId(`${side}-bars`), where, pile[side], fresh ? 0 : pile[side].length, count);
    byId(`${side}-name`).textContent = name;
    byId(`${side}-truth`).textContent = truths[count];
    byId(`${side}-ends`).textContent = ends[count];
  }
  const asked = data().asked[kindOf("asked")];
  byId("usual-shown").textContent = `${count} of ${last}`;
  byId("usual-for").textContent = asked.for;
  const [usual, ours] = SIDES.map((side) => timesOver(pile[side].filter((number) => number === count).length));
  const expected = SIDES.map((side) => (pile[side].length * data()[kindOf(side)].chances[count][count]).toFixed(1));
  byId("usual-says").textContent = pile.asked.length
    ? `In ${pile.asked.length} draws the usual noise said the truth ${usual}, this one ${ours}. Expected: ${expected.join(" and ")}.` : asked.says[count];
}

async function drawBoth() {
  const [count, kinds] = [countNow(), SIDES.map(kindOf)];
  const [usual, asked] = await Promise.all(kinds.map((kind) => drawNumbers(100, count, data()[kind].way)));
  if (count !== countNow() || kinds[1] !== kindOf("asked")) return; // they belong to another count or noise
  pile = { usual, asked };
  showUsual(true);
}

export function startUsual() {
  byId("usual-count").value = data().first;
  byId("usual-count").addEventListener("input", () => {
    pile = NONE;
    showUsual();
  });
  for (const radio of document.querySelectorAll("[name=noise]")) radio.addEventListener("change", async () => {
    const again = pile.asked.length > 0;
    pile = NONE;
    showUsual();
    if (again) await drawBoth(); // the same, with other noise
  });
  byId("usual-draw").addEventListener("click", drawBoth);
  whenResized(showUsual);
  showUsual();
}
