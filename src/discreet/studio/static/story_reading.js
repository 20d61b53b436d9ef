// Screen 6: a table of a hundred clinics, drawn and read: one number by itself, and the sum with its interval, as `dc.estimate` reads it.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, whenResized, widthFor } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, withGroup } from "./story_group.js";

const { readings, clinics, groups: clinicsInAll, n: clinicOf } = data();
const PEOPLE = clinicsInAll * clinicOf;
const KEPT = 20; // tables that are drawn at once
let [readTables, asking] = [[], 0];

const readingNow = () => readings[Number(document.querySelector("[name=reading]:checked").value)];
const counts = () => [inAll(), ...clinics]; // yours is the first
const truthNow = () => counts().reduce((sum, one) => sum + one, 0);

// The unbiased total of a table and the ends of its interval. Scores are whole numbers over one: their sum is exact.
export function readTotal(plan, numbers) {
  const sum = numbers.reduce((all, number) => all + BigInt(plan.scores[number]), 0n);
  const total = Number(sum) / Number(BigInt(plan.over));
  const seen = numbers.reduce((all, number) => all + plan.variances[number], 0);
  const bounded = (plan.half + Math.sqrt(Math.max(plan.half ** 2 + seen, 0))) ** 2;
  const spread = plan.z * Math.sqrt(Math.min(bounded, Math.max(seen, 0) + plan.flat, plan.worst));
  const [below, above] = plan.rest.map((rest) => (spread + rest) * (1 + 1e-9));
  const inside = Math.min(Math.max(total, 0), PEOPLE);
  const [low, high] = [Math.max(inside - below, 0), Math.min(inside + above, PEOPLE)];
  const ends = [Math.ceil(low - 1e-9 * (1 + low)), Math.floor(high + 1e-9 * (1 + high))];
  return { total, low: Math.min(ends[0], Math.floor(inside)), high: Math.max(ends[1], Math.ceil(inside)) };
}

const holds = ({ low, high }) => low <= truthNow() && truthNow() <= high;

// The table as it is published: yours is marked.
function drawTable(numbers, fresh) {
  const [wide, across] = [widthFor(byId("reading-table")), 25];
  const [step, tall] = [wide / across, narrow.matches ? 19 : 27];
  const parts = Array.from({ length: clinicsInAll }, (_, k) => {
    const [x, y] = [(k % across) * step, Math.floor(k / across) * tall + 2];
    const cell = [shape("rect", { class: k ? "cell" : "cell yours", x: x + 1, y, width: step - 2, height: tall - 2, rx: 3 })];
    if (!numbers) return cell;
    const number = shape("text", { class: `${k ? "printed" : "printed yours"}${fresh ? " coming" : ""}`, x: x + step / 2, y: y + tall / 2 + 5 }, numbers[k]);
    number.style.animationDelay = `${k * 6}ms`;
    return [...cell, number];
  }).flat();
  redraw(byId("reading-table"), [wide, 4 * tall + 4], parts, numbers ? `The ${clinicsInAll} published numbers: ${numbers.join(" ")}. Yours is the first.` : "Nothing is published yet.");
}

// As much of the scale as the sums of this noise reach, in round steps: on all of it the best of them would be a speck.
function reachOf(plan) {
  const most = Math.max(2 * Number(plan.margin), ...readTables.flatMap(({ low, high }) => [truthNow() - low, high - truthNow()]));
  const [from, to] = [Math.max(0, truthNow() - most), Math.min(PEOPLE, truthNow() + most)];
  const step = [10, 20, 25, 50, 100, 200].find((one) => (to - from) / one <= (narrow.matches ? 4 : 6));
  const [first, last] = [Math.floor(from / step), Math.ceil(to / step)];
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

// Your clinic by itself and the newest sum, both from nobody to everybody; beneath, enlarged, the sums of the last tables, newest first.
function drawLines(fresh) {
  const plan = readingNow();
  const [wide, high] = roomFor(byId("reading-lines"), narrow.matches ? 0.4 : 0.5);
  const [left, end, base] = [narrow.matches ? 10 : 14, narrow.matches ? 10 : 14, high - 44];
  const strip = narrow.matches ? 62 : 74; // the newest sum among all people
  const top = strip + (narrow.matches ? 20 : 34);
  const along = (share) => left + (wide - left - end) * share;
  const ticks = reachOf(plan);
  const [from, to] = [ticks[0], ticks.at(-1)];
  const x = (people) => along((people - from) / (to - from));
  const lines = KEPT;
  const parts = ticks.flatMap((people) => [
    shape("line", { class: "grid", x1: x(people), x2: x(people), y1: top, y2: base }),
    shape("text", { class: "label tick", x: x(people), y: base + 18 }, people)]);
  parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: wide - end, y: base + 38 }, "smokers"));
  parts.push(shape("line", { class: "mark", x1: x(truthNow()), x2: x(truthNow()), y1: top - 6, y2: base }),
    shape("text", { class: "under", x: x(truthNow()), y: base + 38 }, `the truth: ${truthNow()}`));
  const newest = readTables.at(-1);
  if (newest) {
    const [low, most] = plan.single[newest.numbers[0]];
    for (const y of [30, strip]) parts.push(shape("line", { class: "all", x1: along(0), x2: along(1), y1: y, y2: y }));
    parts.push(shape("text", { class: "told yours", "text-anchor": "start", x: left, y: 18 }, `your ${narrow.matches ? `${inAll()},` : `clinic’s ${inAll()} was`} published as ${newest.numbers[0]}: ${narrow.matches ? "" : "read it as "}${low} to ${most} of ${clinicOf}`),
      shape("line", { class: "span yours", x1: along(low / clinicOf), x2: along(most / clinicOf), y1: 30, y2: 30 }),
      shape("text", { class: "told", "text-anchor": "start", x: left, y: strip - 12 }, `all ${clinicsInAll} together: ${newest.low} to ${newest.high} of ${PEOPLE}`),
      shape("line", { class: "span", x1: along(newest.low / PEOPLE), x2: along(newest.high / PEOPLE), y1: strip, y2: strip, stroke: plan.colour, "stroke-width": 5 }),
      shape("polygon", { class: "enlarged", points: `${along(from / PEOPLE)},${strip + 4} ${along(to / PEOPLE)},${strip + 4} ${along(1)},${top} ${along(0)},${top}` }));
  }
  const row = (base - top) / lines;
  readTables.slice(-lines).reverse().forEach((table, k) => {
    const y = top + (k + 0.5) * row;
    const look = `${holds(table) ? "" : " missed"}${k < fresh ? " coming" : ""}`;
    const made = [
      shape("line", { class: `span${look}`, x1: x(table.low), x2: x(table.high), y1: y, y2: y, stroke: plan.colour, "stroke-width": Math.min(4, row * 0.4) * (holds(table) ? 1 : 1.5) }),
      shape("circle", { class: `estimate${look}`, cx: x(Math.min(Math.max(table.total, from), to)), cy: y, r: Math.min(6, row * 0.45), fill: plan.colour })];
    if (!holds(table)) made.push(shape("text", { class: `cross${k < fresh ? " coming" : ""}`, "text-anchor": table.low > truthNow() ? "start" : "end", x: table.low > truthNow() ? 2 : wide - 2, y: y + 5 }, row < 15 ? "✗" : "✗ missed"));
    for (const one of made) one.style.animationDelay = `${600 + (fresh - k) * 50}ms`;
    parts.push(...made);
  });
  redraw(byId("reading-lines"), [wide, high], parts, newest
    ? `The truth is ${truthNow()}. The newest sum: ${Math.round(newest.total)}, between ${newest.low} and ${newest.high}. Of ${readTables.length} intervals ${readTables.filter(holds).length} hold the truth.`
    : `The truth is ${truthNow()} of ${PEOPLE}.`);
}

function showReading(fresh = 0) {
  drawTable(readTables.at(-1)?.numbers, fresh > 0);
  drawLines(fresh);
  byId("reading-says").replaceChildren(`${readAloud()} `, element("b", readTables.length ? readingNow().verdict : ""));
}

function readAloud() {
  const [plan, newest] = [readingNow(), readTables.at(-1)];
  if (!newest) return "Publish, and compare the sum with the truth.";
  if (readTables.length < KEPT) {
    const off = Math.abs(newest.total - truthNow());
    return `The sum, corrected for the noise: ${Math.round(newest.total)}, off by ${Math.round(off)}. A reader is told “${newest.low} to ${newest.high}”, usually about ±${plan.margin}.`;
  }
  return `${readTables.filter(holds).length} of ${readTables.length} intervals hold the truth; promised: ${plan.promised}. They reach about ±${plan.margin}.`;
}

async function publishTables(many) {
  const mine = ++asking;
  const [plan, true_] = [readingNow(), counts()];
  const drawn = [];
  for (let count = 0; count <= clinicOf; count += 1) drawn.push(await drawNumbers(many * true_.filter((one) => one === count).length, count, plan.way));
  if (mine !== asking) return; // something else was asked for since
  const fresh = Array.from({ length: many }, () => true_.map((count) => drawn[count].pop()));
  readTables = [...readTables, ...fresh.map((numbers) => ({ numbers, ...readTotal(plan, numbers) }))].slice(-KEPT); // what is counted is what is drawn
  showReading(many);
}

function startTables() {
  asking += 1;
  readTables = [];
  showReading();
}

export function startReading() {
  for (const button of document.querySelectorAll("[data-tables]")) button.addEventListener("click", () => publishTables(Number(button.dataset.tables)));
  for (const radio of document.querySelectorAll("[name=reading]")) radio.addEventListener("change", async () => {
    const many = Math.min(KEPT, readTables.length);
    startTables();
    if (many) await publishTables(many); // the same, published otherwise
  });
  whenResized(showReading);
  withGroup(startTables);
}
