// Screen 5: the usual noise beside the fair one, at any true count.

import { byId, data } from "./page.js";
import { drawBars, whenResized } from "./story_bars.js";

function showUsual() {
  const { n, usual, fair, compared } = data();
  const count = Number(byId("usual-count").value);
  const top = Math.max(...[usual, fair].flatMap((side) => side.chances.flat()));
  for (const [name, side] of [["usual", usual], ["fair", fair]]) {
    drawBars(byId(`${name}-bars`), { chances: side.chances[count], colour: side.colour, top, truth: count, strong: [0, n], small: true,
      words: `The chances of the numbers 0 to ${n}: ${side.texts[count].join(", ")}` });
    byId(`${name}-ends`).textContent = side.ends[count];
  }
  byId("usual-shown").textContent = count;
  byId("usual-says").textContent = compared[count];
}

export function startUsual() {
  byId("usual-count").value = data().others;
  byId("usual-count").addEventListener("input", showUsual);
  whenResized(showUsual);
  showUsual();
}
