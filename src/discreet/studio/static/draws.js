// Answers from the real sampler fall as dots onto the column: a bar is full when its answer came as often as its exact
// chance says. Where motion is not wanted, the dots are simply there.

import { asked, byId, controls, data, element } from "./page.js";
import { shownCount } from "./pictures.js";

const FULL = 100; // draws that fill the bars, or as many as there are, if more
const SPACE = "http://www.w3.org/2000/svg";
let drawn = [[], []];

export function clearDraws() {
  drawn = [[], []];
  for (const dot of document.querySelectorAll("#column .dot")) dot.remove();
  byId("column").classList.remove("drawn");
  byId("tally").textContent = "Draw an answer and watch it fall: a bar is full when its answer came as often as its exact chance says.";
  fillTable();
}

// An exported page carries answers that were drawn when it was made.
async function sampled(times) {
  const kept = data().draws?.[shownCount()];
  if (!kept) return (await asked(`/draw/${times}${controls()}`)).json();
  const from = drawn[0].length % kept[0].length;
  return kept.map((side) => side.slice(from, from + times));
}

export async function draw(times) {
  if (times === 0) return clearDraws();
  const count = shownCount();
  const fresh = await sampled(times);
  if (count !== shownCount()) return;
  const before = drawn[0].length;
  drawn = drawn.map((side, k) => [...side, ...fresh[k]]);
  byId("column").classList.add("drawn");
  place(before);
  byId("tally").textContent = tally(count);
  fillTable();
}

const tallies = (side) => drawn[side].reduce((sums, answer) => { sums[answer] += 1; return sums; }, Array(data().n + 1).fill(0));

function tally(count) {
  const times = drawn[0].length;
  const [left, right] = [0, 1].map((side) => {
    const expected = (times * data().chances[side][count][count]).toFixed(1);
    return `${tallies(side)[count]} times (${expected} expected)`;
  });
  const once = `: the answer was ${drawn[1].at(-1)}, left ${drawn[0].at(-1)}`;
  return `Drawn ${times === 1 ? `once${once}` : `${times} times`} from a true count of ${count}. ` +
    `Your design told the truth ${right}; left: ${left}.`;
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
    let k = 0;
    drawn[side].forEach((answer, when) => {
      if (answer !== Number(at)) return;
      const dot = document.createElementNS(SPACE, "circle");
      const y = base - (Math.floor(k / across) + 0.5) * across * share;
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

const exactly = new Map(); // the exact chances of a column, by setting and count

export async function fractions(count) {
  const kept = data().exact?.[count];
  if (kept) return kept;
  const query = new URLSearchParams(controls().slice(1));
  query.set("count", count);
  const key = String(query);
  if (!exactly.has(key)) {
    if (exactly.size > 100) exactly.clear();
    exactly.set(key, asked(`/exact?${key}`).then((answer) => answer.json()));
  }
  return exactly.get(key);
}

export async function fillTable() {
  if (!byId("column-details").open || document.body.dataset.valid === "no") return;
  const count = shownCount();
  const sums = [0, 1].map(tallies);
  const times = drawn[0].length;
  const exact = await fractions(count).catch(() => [[], []]);
  if (count !== shownCount()) return;
  const head = element("tr");
  const titles = ["answer", "left: chance", "exactly", "drawn", "expected", "your design: chance", "exactly", "drawn", "expected"];
  for (const title of titles) head.append(element("th", title, { scope: "col" }));
  const rows = sums[0].map((_, answer) => {
    const row = element("tr", "", answer === count ? { class: "yours" } : {});
    row.append(element("th", String(answer), { scope: "row" }));
    for (const side of [0, 1]) {
      const chance = data().chances[side][count][answer];
      for (const text of [chance.toFixed(4), exact[side][answer] ?? "", times ? sums[side][answer] : "", times ? (times * chance).toFixed(1) : ""]) {
        row.append(element("td", String(text)));
      }
    }
    return row;
  });
  const body = element("tbody");
  body.append(...rows);
  const top = element("thead");
  top.append(head);
  byId("column-table").replaceChildren(top, body);
}
