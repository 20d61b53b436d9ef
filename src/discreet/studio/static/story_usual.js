// Screen 7: the usual noise beside the one that is asked for, at any true count.

import { byId, data } from "./page.js";
import { drawBars, whenResized } from "./story_bars.js";

const { small, n: usualOf, first: firstCount } = data();
const kinds = Object.entries(data().noises[small]);
const highest = Math.max(...kinds.flatMap(([, { chances }]) => chances.flat())); // one scale for both, and for every count

function showUsual() {
  const count = Number(byId("usual-count").value);
  for (const [side, { name, chances, texts, truths, ends, colour }] of kinds) {
    drawBars(byId(`${side}-bars`), { chances: chances[count], colour, top: highest, truth: count, strong: [count], small: true,
      words: `${name}: the chances of the numbers 0 to ${usualOf}: ${texts[count].join(", ")}` });
    byId(`${side}-truth`).textContent = truths[count];
    byId(`${side}-ends`).textContent = ends[count];
  }
  byId("usual-shown").textContent = `${count} of ${usualOf}`;
}

export function startUsual() {
  byId("usual-count").value = firstCount;
  byId("usual-count").addEventListener("input", showUsual);
  whenResized(showUsual);
  showUsual();
}
