// The same group publishes a number every month. What somebody who knows everybody else's answer may believe of yours moves with
// each number, within a bound that grows: epsilon adds up. Numbers are drawn by the real sampler; chances are those of the picture.

import { NARROW } from "./layout.js";
import { asked, byId, data, limitOfSureness, pictured, sureness } from "./page.js";

const MOST = 24; // months
const FURTHER = 20; // other ways that it could have gone
const TOSS_UP = "50%";
const DOT = 3.5; // half the room of one that stands for a run
const LINE = { top: 14, base: 186, high: 236, left: 66 };
let monthly = [[], []]; // what either side published, month by month
let further = []; // what your design would have published in other runs
let [drawing, skipped] = [0, 0];

const monthsNow = () => Number(byId("months").value);
const odds = (surest) => 1 / (1 + Math.exp(-surest));

// What they believe after each month, from a toss-up: every number multiplies the odds by how much likelier your yes makes it. What
// is rounded for the screen may be a hair outside of the bound, or zero; it is not.
function beliefs(side, published = monthly[side]) {
  const { ratio, bound } = data();
  const others = Number(byId("others").value);
  let sum = 0;
  return [0.5, ...published.map((answer) => {
    sum += Math.log(Math.min(bound, Math.max(1 / bound, ratio[side][answer][others])));
    return odds(sum);
  })];
}

// A hand on another control, or another setting: what was published belongs to what was.
export function forgetMonths() {
  drawing += 1;
  [monthly, further] = [[[], []], []];
  showMonths();
}

// An exported page carries numbers that were drawn when it was made: it begins two years later in them each time.
async function drawMonths(count) {
  const kept = data().draws?.[count];
  if (!kept) return (await asked(`/draw/${MOST * (1 + FURTHER)}?${pictured(count)}`)).json();
  skipped = (skipped + MOST) % (kept[0].length - MOST + 1);
  return kept.map((side) => [...side.slice(skipped), ...side.slice(0, skipped)]);
}

export async function publishMonths() {
  const mine = ++drawing;
  const count = Number(byId("others").value) + Number(byId("your-yes").checked);
  const fresh = await drawMonths(count);
  if (mine !== drawing) return; // something else was asked for since
  monthly = fresh.map((side) => side.slice(0, MOST));
  further = Array.from({ length: Math.min(FURTHER, Math.floor(fresh[1].length / MOST) - 1) }, (_, k) => fresh[1].slice(MOST * (k + 1), MOST * (k + 2)));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const last = monthsNow();
  for (let month = still ? last : 1; month <= last && mine === drawing; month += 1) {
    byId("months").value = month;
    showMonths(month === last);
    if (month < last) await new Promise((next) => { setTimeout(next, 220); });
  }
}

const shape = (name, attributes, words = "") => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = words;
  return made;
};

export function showMonths(said = true) {
  const { bound, n, beside, own, same } = data();
  const [months, surest] = [monthsNow(), Math.log(bound)];
  byId("months-shown").textContent = months;
  byId("months").setAttribute("aria-valuetext", `${months} months`);
  drawPicture(months, surest);
  if (!said || !n) return;
  const shown = (value) => Number(value.toPrecision(3));
  const most = limitOfSureness(odds(months * surest));
  const bounds = `Epsilon adds up: ${months} × ${shown(surest)} = ${shown(months * surest)}. After ${months === 1 ? "one month" : `${months} months`} ` +
    `they may be ${most.startsWith("over") ? `${most} sure of you, never certain` : `up to ${most} sure of you, never more`}.`;
  const [left, right] = [0, 1].map((side) => sureness(beliefs(side)[months] ?? 0.5).replace(/^50\.0%$/, TOSS_UP));
  const moved = right === TOSS_UP ? `After these numbers their belief in your “yes” is still ${TOSS_UP}` : `These numbers took their belief in your “yes” from ${TOSS_UP} to ${right}`;
  byId("months-words").textContent = monthly[1].length
    ? `${bounds} ${moved}${same ? "" : ` (${beside}: ${left})`}. The faint lines are ${further.length} other runs of ${own}, and each dot is the end of one: chance decides which way it goes.`
    : bounds;
  byId("months-numbers").textContent = monthly[1].length ? `Published by ${own}: ${monthly[1].slice(0, months).join(", ")}.` : "";
}

// Where the other runs have come to, a dot for each: those that agree stand in a row.
function ends(months, { x, y, edge }, colour) {
  const rows = new Map();
  for (const published of further) {
    const level = Math.round(y(beliefs(1, published.slice(0, months)).at(-1)) / (2 * DOT)) * 2 * DOT;
    rows.set(level, (rows.get(level) ?? 0) + 1);
  }
  const step = Math.min(2 * DOT, (edge - x(months)) / (1 + Math.max(...rows.values())));
  return [...rows].flatMap(([level, many]) => Array.from({ length: many }, (_, k) =>
    shape("circle", { class: "end", cx: x(months) + (k + 1.5) * step, cy: level, r: 0.45 * Math.min(step, 2 * DOT), fill: colour })));
}

function drawPicture(months, surest) {
  const narrow = matchMedia("(max-width: 560px)").matches;
  const wide = narrow ? NARROW : 760;
  const { top, base, high, left } = LINE;
  const end = narrow ? 44 : 86; // room for dots where the last month ends
  const x = (month) => left + ((wide - left - end) * month) / MOST;
  const y = (belief) => base - (base - top) * belief;
  const all = Array.from({ length: MOST + 1 }, (_, month) => month);
  const upTo = (last) => [...all.slice(0, last + 1).map((k) => `${x(k)},${y(odds(k * surest))}`),
    ...all.slice(0, last + 1).reverse().map((k) => `${x(k)},${y(odds(-k * surest))}`)].join(" ");
  const size = narrow ? 16 : 12.5;
  const parts = [shape("polygon", { points: upTo(MOST), fill: "#5b7085", "fill-opacity": 0.07 }),
    shape("polygon", { points: upTo(months), fill: "#5b7085", "fill-opacity": 0.14, class: "may" })];
  for (const belief of [0, 0.5, 1]) {
    parts.push(shape("line", { x1: left, x2: wide - end, y1: y(belief), y2: y(belief), stroke: "#767676", "stroke-opacity": belief ? 0.3 : 1 }),
      shape("text", { x: left - 7, y: y(belief) + 4, "text-anchor": "end", "font-size": size }, `${100 * belief}%`));
  }
  for (const sign of [1, -1]) parts.push(shape("polyline", { points: all.map((k) => `${x(k)},${y(odds(sign * k * surest))}`).join(" "),
    fill: "none", stroke: "#1c2127", "stroke-width": 2, "stroke-dasharray": "7 4" }));
  for (const month of all.filter((k) => k % (narrow ? 6 : 2) === 0)) {
    parts.push(shape("text", { x: x(month), y: base + 18, "text-anchor": "middle", "font-size": size }, month));
  }
  parts.push(shape("text", { x: (left + wide - end) / 2, y: high - 6, "text-anchor": "middle", "font-size": size }, "months published"),
    shape("text", { x: -(top + base) / 2, y: 16, "text-anchor": "middle", "font-size": size, transform: "rotate(-90)" }, "belief in your yes"));
  const colours = [...document.querySelectorAll("#sides .swatch rect")].map((one) => one.getAttribute("fill"));
  const line = (path) => path.map((belief, k) => `${x(k)},${y(belief)}`).join(" ");
  for (const published of further) {
    parts.push(shape("polyline", { class: "further", points: line(beliefs(1, published.slice(0, months))), fill: "none", stroke: colours.at(-1), "stroke-opacity": 0.28 }));
  }
  parts.push(...ends(months, { x, y, edge: wide }, colours.at(-1)));
  for (const side of data().same ? [1] : [0, 1]) {
    if (!monthly[side].length) continue;
    const [path, colour] = [beliefs(side).slice(0, months + 1), colours.at(side - 2)];
    parts.push(shape("polyline", { points: line(path), fill: "none", stroke: colour, "stroke-width": 2.5 }));
    path.forEach((belief, k) => {
      const dot = shape("circle", { class: "belief", "data-side": side, cx: x(k), cy: y(belief), r: k === path.length - 1 ? 5.5 : 3, fill: colour });
      if (k) dot.append(shape("title", {}, `month ${k}: published ${monthly[side][k - 1]}, belief ${sureness(belief)}`));
      parts.push(dot);
    });
  }
  const picture = byId("months-drawn");
  picture.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  picture.replaceChildren(...parts);
}

export function startMonths() {
  document.addEventListener("input", ({ target }) => {
    if (target.id === "months") {
      drawing += 1; // a hand on it stops what runs
      showMonths();
    } else if (target.id === "your-yes") forgetMonths();
  });
  document.addEventListener("click", ({ target }) => { if (target.closest("[data-publish]")) publishMonths(); });
  matchMedia("(max-width: 560px)").addEventListener("change", () => { if (document.body.dataset.valid === "yes") showMonths(false); });
}
