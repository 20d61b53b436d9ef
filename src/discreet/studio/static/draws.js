// Drawn numbers fall as dots onto the column: a bar is full when its number came as often as its exact
// chance says. Where motion is not wanted, the dots are simply there.

import { drawnFrom } from "./chance.js";
import { asked, byId, capital, data, element, pictured } from "./page.js";
import { shownCount } from "./pictures.js";
import { fillColumn } from "./tables.js";

const FULL = 100; // draws that fill the bars, or as many as there are, if more
const NAME = 24; // the height of "truth" above the bars, as in `paired.py`
const SPACE = "http://www.w3.org/2000/svg";
let drawn = [[], []];

export const fillDrawn = () => fillColumn(drawn);

const NOTHING = "Draw a number to see what would be published, or click a person to change their answer.";
export const CHANGED = "The dashes are the chances before this change.";

export function clearDraws(words = NOTHING) {
  drawn = [[], []];
  for (const dot of document.querySelectorAll("#column .dot")) dot.remove();
  byId("column").classList.remove("drawn");
  say(words);
  fillColumn(drawn);
}

// The bars stand elsewhere: so do the dots, which fell before.
export function placeAgain() {
  if (drawn[0].length) place(drawn[0].length);
}

// So many answers to a true count, of both sides: from the studio's sampler; in an exported page from the exact chances that it carries.
export async function sampled(times, count) {
  const carried = data().weights?.[count];
  return carried ? carried.map((column) => drawnFrom(column, times)) : (await asked(`/draw/${times}?${pictured(count)}`)).json();
}

export async function draw(times) {
  if (times === 0) return clearDraws();
  const [count, numbers] = [shownCount(), data()];
  const fresh = await sampled(times, count);
  if (count !== shownCount() || numbers !== data()) return; // they belong to what was shown before
  const before = drawn[0].length;
  drawn = drawn.map((side, k) => [...side, ...fresh[k]]);
  byId("column").classList.add("drawn");
  place(before);
  say(tally(count));
  fillColumn(drawn);
}

// What was published last, in large type, and what it all came to, in a sentence.
function say(words) {
  byId("tally").textContent = words;
  [data().beside, data().own].forEach((name, side) => {
    const last = drawn[side].at(-1);
    const words = element("small", data().same ? "published" : name);
    if (drawn[side].length > 1) words.append(element("span", data().same ? " last" : ", last", { class: "roomy" }));
    byId(`said-${side}`).replaceChildren(words, element("b", last === undefined ? "?" : String(last)));
    byId(`said-${side}`).hidden = data().same && side === 0;
    byId(`said-${side}`).classList.toggle("right", last === shownCount());
  });
}

const tallies = (side) => drawn[side].reduce((sums, answer) => { sums[answer] += 1; return sums; }, Array(data().n + 1).fill(0));

function tally(count) {
  const times = drawn[0].length;
  const [left, right] = [0, 1].map((side) => {
    const expected = (times * data().chances[side][count][count]).toFixed(1);
    const came = tallies(side)[count];
    return times === 1 ? (came ? "the truth" : `${drawn[side][0]}, not the truth`) : `${came} times (${expected} expected)`;
  });
  if (data().same) return times === 1 ? `Drawn once from a true count of ${count}: ${right}.` : `Drawn ${times} times from a true count of ${count}. The truth came ${right}.`;
  if (times === 1) return `Drawn once from a true count of ${count}: ${data().own} published ${right}; ${data().beside}: ${left}.`;
  return `Drawn ${times} times from a true count of ${count}. ${capital(data().own)} published the truth ${right}; ${data().beside}: ${left}.`;
}

// Dots of a bar stand in rows; the rows are as high as the share of all draws that they stand for.
function place(before) {
  const picture = document.querySelector("#column .bars");
  const { base, scale } = picture.dataset;
  const share = scale / Math.max(FULL, drawn[0].length);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const dot of picture.querySelectorAll(".dot")) dot.remove();
  for (const bar of picture.querySelectorAll(".bar")) {
    const { side, at } = bar.dataset;
    const [x, width] = ["x", "width"].map((name) => Number(bar.getAttribute(name)));
    const across = Math.max(1, Math.round(width / Math.sqrt(width * share)));
    const radius = 0.46 * Math.min(across * share, width / across);
    const rows = Math.ceil(tallies(side)[at] / across);
    const step = Math.min(across * share, (base - NAME) / rows); // an answer that came far too often stays below the name of the truth
    let k = 0;
    drawn[side].forEach((answer, when) => {
      if (answer !== Number(at)) return;
      const dot = document.createElementNS(SPACE, "circle");
      const y = base - (Math.floor(k / across) + 0.5) * step;
      for (const [name, value] of Object.entries({
        class: "dot", r: Math.max(0.8, radius), cx: x + (k % across + 0.5) * (width / across), cy: y, fill: bar.getAttribute("fill"),
      })) dot.setAttribute(name, value);
      picture.append(dot);
      k += 1;
      if (when >= before && !still) {
        const delay = Math.min(1200, 14 * (when - before));
        dot.animate([{ transform: `translateY(${-y}px)`, opacity: 0 }, { transform: "none", opacity: 1 }],
          { duration: 380, delay, easing: "cubic-bezier(.4, 0, .9, .6)", fill: "backwards" });
      }
    });
  }
}
