// Screen 7: the usual noise beside the one that is asked for, at any true count, and a hundred numbers of each.

import { byId, data, element } from "./page.js";
import { drawBars, dropDots, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { holdRoom } from "./story_moving.js";

const SIDES = ["usual", "asked"];
const NONE = { usual: [], asked: [] };
let pile = NONE;

const kindOf = (side) => (side === "usual" ? "usual" : document.querySelector("[name=noise]:checked").value);
const countNow = () => Number(byId("usual-count").value);
const noisesNow = () => data().noises[document.querySelector("[name=level]:checked").value];
const sideNow = (side) => noisesNow()[kindOf(side)];
const allSides = () => Object.values(data().noises).flatMap((kinds) => Object.values(kinds));

function showUsual(fresh = false) {
  const [count, last] = [countNow(), data().n];
  const top = Math.max(...allSides().flatMap(({ chances }) => chances.flat())); // one scale for all
  for (const side of SIDES) {
    const { name, chances, texts, truths, colour, ends } = sideNow(side);
    const where = drawBars(byId(`${side}-bars`), { chances: chances[count], colour, top, truth: count, strong: [count], small: true,
      words: `${name}: the chances of the numbers 0 to ${last}: ${texts[count].join(", ")}` });
    dropDots(byId(`${side}-bars`), where, pile[side], fresh ? 0 : pile[side].length, count);
    byId(`${side}-name`).textContent = name;
    byId(`${side}-truth`).textContent = truths[count];
    byId(`${side}-ends`).textContent = ends[count];
  }
  const asked = sideNow("asked");
  byId("usual-shown").textContent = `${count} of ${last}`;
  byId("usual-for").textContent = asked.for;
  byId("usual-gains").textContent = asked.gains;
  byId("usual-sums").textContent = asked.sums;
  const came = SIDES.map((side) => pile[side].filter((number) => number === count).length);
  const expected = SIDES.map((side) => (pile[side].length * sideNow(side).chances[count][count]).toFixed(1));
  byId("usual-says").textContent = pile.asked.length ? compared(pile.asked.length, came, expected) : asked.says[count];
}

// Of a hundred draws each, the one that says the truth less often may come out ahead: then that is called luck.
function compared(many, [usual, ours], expected) {
  const luck = Math.sign(ours - usual) !== Math.sign(expected[1] - expected[0]);
  return `In ${many} draws the usual noise said the truth ${timesOver(usual)}, this one ${timesOver(ours)}. Expected: ${expected.join(" and ")}.${luck ? " That was luck: draw again." : ""}`;
}

async function drawBoth() {
  const [count, ways] = [countNow(), SIDES.map((side) => sideNow(side).way)];
  const [usual, asked] = await Promise.all(ways.map((way) => drawNumbers(100, count, way)));
  if (count !== countNow() || ways[1] !== sideNow("asked").way) return; // they belong to another count or noise
  pile = { usual, asked };
  showUsual(true);
}

// What each kind of noise is for, and gains, is as long as it is: its place has room for every one, so that nothing below it moves.
function holdKinds() {
  for (const { for: purpose, gains, sums } of allSides()) {
    const part = element("p", "", { class: "kind reserved", "aria-hidden": "true" });
    part.append(element("span", purpose, { class: "purpose" }), " ", element("span", gains, { class: "gains" }), " ", element("span", sums, { class: "sums" }));
    byId("usual-kind").after(part);
  }
}

export function startUsual() {
  byId("usual-count").value = data().first;
  byId("usual-count").addEventListener("input", () => {
    pile = NONE;
    showUsual();
  });
  for (const radio of document.querySelectorAll("#usual [type=radio]")) radio.addEventListener("change", async () => {
    const again = pile.asked.length > 0;
    pile = NONE;
    showUsual();
    if (again) await drawBoth(); // the same, with other noise
  });
  byId("usual-draw").addEventListener("click", drawBoth);
  whenResized(showUsual);
  showUsual();
  holdKinds();
  holdRoom(byId("usual-says"), [...new Set(allSides().flatMap(({ says }) => says))].sort((one, other) => other.length - one.length).slice(0, 2));
}
