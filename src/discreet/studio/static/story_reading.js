// Screen 5: a table of a hundred clinics, drawn and read: one number by itself, and the sum with its interval, as `dc.estimate` reads it.

import { byId, data } from "./page.js";
import { narrow, redraw, roomFor, shape, whenResized, widthFor } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, withGroup } from "./story_group.js";
import { holdRoom } from "./story_moving.js";

const { readings, clinics, groups: clinicsInAll, n: clinicOf } = data();
const PEOPLE = clinicsInAll * clinicOf;
const KEPT = 20; // tables that are drawn at once
let [readTables, waiting, newly, asking] = [[], null, 0, 0]; // `waiting`: a published table that nobody has added up yet

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
  const wide = widthFor(byId("reading-table"));
  const [across, shown, tall] = narrow.matches ? [10, 20, 30] : [20, clinicsInAll, 33]; // a phone shows fewer, to be read
  const [step, left] = [wide / across, clinicsInAll - shown];
  const parts = Array.from({ length: shown }, (_, k) => {
    const [x, y] = [(k % across) * step, Math.floor(k / across) * tall + 2];
    const cell = [shape("rect", { class: k ? "cell" : "cell yours", x: x + 1, y, width: step - 2, height: tall - 2, rx: 3 })];
    if (!numbers) return cell;
    const number = shape("text", { class: `${k ? "printed" : "printed yours"}${fresh ? " coming" : ""}`, x: x + step / 2, y: y + tall / 2 + 5 }, numbers[k]);
    number.style.animationDelay = `${k * 6}ms`;
    return [...cell, number];
  }).flat();
  const high = (shown / across) * tall + 4;
  if (left) parts.push(shape("text", { class: "label tick", "text-anchor": "start", x: 1, y: high + 15 }, `and ${left} more clinics`));
  redraw(byId("reading-table"), [wide, high + (left ? 20 : 0)], parts, numbers ? `The ${clinicsInAll} published numbers: ${numbers.join(" ")}. Yours is the first.` : "Nothing is published yet.");
}

// All on one scale, from nobody to everybody, for every noise: your clinic's number by itself, the newest sum, and beneath it the sums before.
function drawLines(table) {
  const plan = readingNow();
  const [wide, high] = roomFor(byId("reading-lines"), narrow.matches ? 0.4 : 0.5);
  const [left, base, small] = [10, high - 44, narrow.matches];
  const x = (share) => left + (wide - 2 * left) * share;
  const people = (sum) => x(sum / PEOPLE);
  const [alone, together] = small ? [32, 90] : [42, 112];
  const top = together + (small ? 10 : 18);
  const across = (y) => shape("line", { class: "all", x1: x(0), x2: x(1), y1: y, y2: y });
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    shape("line", { class: "grid", x1: x(share), x2: x(share), y1: together - 4, y2: base }),
    shape("text", { class: "label tick", "text-anchor": { 0: "start", 1: "end" }[share] ?? "middle", x: share ? x(share) + (share === 1 ? left : 0) : 0, y: base + 18 },
      { 0: "nobody", 1: small ? "everybody" : `everybody: ${PEOPLE}` }[share] ?? share * PEOPLE)]);
  const newest = readTables.at(-1);
  parts.push(shape("line", { class: "mark", x1: people(truthNow()), x2: people(truthNow()), y1: together - 10, y2: base }),
    shape("text", { class: "under", x: people(truthNow()), y: base + 38 }, `the truth: ${truthNow()}`), across(alone), across(together));
  if (table) {
    const [low, most] = plan.single[table[0]];
    parts.push(shape("text", { class: "told yours", "text-anchor": "start", x: 0, y: alone - 14 }, `${small ? "your clinic" : "your clinic by itself"}: ${table[0]} is read as ${low} to ${most} of ${clinicOf}`),
      shape("line", { class: "span yours", x1: x(low / clinicOf), x2: x(most / clinicOf), y1: alone, y2: alone }),
      shape("line", { class: "mark", x1: x(inAll() / clinicOf), x2: x(inAll() / clinicOf), y1: alone - 9, y2: alone + 9 }),
      shape("text", { class: "label tick truth-of-yours", x: Math.min(wide - 44, Math.max(44, x(inAll() / clinicOf))), y: alone + (small ? 22 : 26) }, `the truth: ${inAll()}`));
  }
  parts.push(shape("text", { class: "told", "text-anchor": "start", x: 0, y: together - 14 }, `all ${clinicsInAll} ${small ? "" : "clinics "}together: ${newest ? `${newest.low} to ${newest.high} of ${PEOPLE}` : "?"}`));
  const row = (base - top) / KEPT;
  for (let k = Math.max(1, readTables.length); k < KEPT; k += 1) parts.push(shape("line", { class: "waiting", x1: x(0), x2: x(1), y1: top + k * row, y2: top + k * row }));
  if (readTables.length < 2) hints[readTables.length].forEach((words, k) => parts.push(shape("text", { class: "label hint", x: x(0.7), y: (top + base) / 2 + k * 24 }, words)));
  [...readTables].reverse().forEach((one, k) => {
    const [y, thick] = k ? [top + k * row, Math.min(3, row * 0.35)] : [together, 7];
    const look = `${holds(one) ? "" : " missed"}${k < newly ? " coming" : ""}`;
    const made = [shape("line", { class: `span${look}`, x1: people(one.low), x2: people(one.high), y1: y, y2: y, stroke: plan.colour, "stroke-width": thick }),
      shape("circle", { class: `estimate${look}`, cx: people(Math.min(Math.max(one.total, 0), PEOPLE)), cy: y, r: k ? Math.min(5, row * 0.42) : 8, fill: plan.colour })];
    if (!holds(one)) made.push(shape("text", { class: `cross${k < newly ? " coming" : ""}`, "text-anchor": "start", x: people(one.high) + 8, y: y + 5 }, row < 15 ? "✗" : "✗ missed"));
    for (const part of made) part.style.animationDelay = `${300 + (newly - k) * 50}ms`;
    parts.push(...made);
  });
  redraw(byId("reading-lines"), [wide, high], parts, newest
    ? `The truth is ${truthNow()}. The newest sum: ${Math.round(newest.total)}, between ${newest.low} and ${newest.high}. Of ${readTables.length} intervals ${readTables.filter(holds).length} hold the truth.`
    : `The truth is ${truthNow()} of ${PEOPLE}.`);
}

const hints = [["where will", "the sum fall?"], ["was that luck?", `draw ${KEPT} tables`]];

function showReading(fresh = false) {
  const table = readTables.at(-1)?.numbers ?? waiting;
  drawTable(table, fresh);
  drawLines(table);
  byId("reading-says").textContent = readAloud();
  const button = document.querySelector("[data-tables='1']");
  button.textContent = readTables.length ? button.dataset.again : button.dataset.words;
}

// About the one table that was just published, or about all that were published at once.
function readAloud() {
  const [plan, newest] = [readingNow(), readTables.at(-1)];
  if (!newest) return `One number says little: it is a guess about ${clinicOf} people. Now add up all ${clinicsInAll}.`;
  if (newly < KEPT) return ofOne(Math.round(newest.total), Math.round(Math.abs(newest.total - truthNow())), newest, plan);
  return `${readTables.filter(holds).length} of ${readTables.length} intervals hold the truth; promised: ${plan.promised}. They reach about ±${plan.margin}, of ${PEOPLE} people.`;
}

const ofOne = (sum, off, { low, high }, plan) => `The sum, corrected for the noise: ${sum}, off by ${off}. A reader is told “${low} to ${high}”. At epsilon ${plan.epsilon} such intervals reach about ±${plan.margin}.`;

// So many tables, drawn; nothing if something else was asked for since.
async function drawTables(many) {
  const mine = ++asking;
  const [plan, true_] = [readingNow(), counts()];
  const drawn = await Promise.all(Array.from({ length: clinicOf + 1 }, (_, count) => drawNumbers(many * true_.filter((one) => one === count).length, count, plan.way)));
  return mine === asking ? Array.from({ length: many }, () => true_.map((count) => drawn[count].pop())) : null;
}

async function publishTables(many) {
  const read = many === 1 && waiting;
  const fresh = read ? [waiting] : await drawTables(many);
  if (!fresh) return;
  waiting = null;
  readTables = [...readTables, ...fresh.map((numbers) => ({ numbers, ...readTotal(readingNow(), numbers) }))].slice(-KEPT); // what is counted is what is drawn
  newly = many;
  showReading(!read);
}

// A table is published when its screen comes into sight: nobody has added it up.
let inSight = false; // or nearly
async function publishFirst() {
  if (!inSight || waiting || readTables.length) return;
  const fresh = await drawTables(1);
  if (!fresh) return;
  [waiting] = fresh;
  showReading(true);
}

function startTables() {
  asking += 1;
  [readTables, waiting, newly] = [[], null, 0];
  showReading();
}

export function startReading() {
  for (const button of document.querySelectorAll("[data-tables]")) button.addEventListener("click", () => publishTables(Number(button.dataset.tables)));
  for (const radio of document.querySelectorAll("[name=reading]")) radio.addEventListener("change", async () => {
    const many = newly;
    startTables();
    await (many ? publishTables(many) : publishFirst()); // the same, published otherwise
  });
  whenResized(() => showReading());
  withGroup(() => {
    startTables();
    publishFirst();
  });
  new IntersectionObserver((seen) => {
    inSight = seen.at(-1).isIntersecting;
    publishFirst();
  }, { rootMargin: "900px" }).observe(byId("reading-table")); // a screen before
  holdRoom(byId("reading-says"), [ofOne(1000, 1000, { low: 1000, high: 1000 }, readings[1])]);
}
