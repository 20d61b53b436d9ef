// Screen 7: a year of numbers about the same answers. The best attacker's chance after each month is exact.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, withGroup } from "./story_group.js";

const { months: plans, blind, attackers: guessers } = data();
const [LEAST, COIN, MOST] = [0.46, 0.5, 0.74]; // the scale: what a year adds, and luck to either side
const TICKS = [COIN, 0.55, 0.6, 0.65, 0.7];
const MANY = guessers.toLocaleString("en");
const LAST = plans[0].right[0].length - 1;
let [years, month, running] = [[], 0, 0];

const planNow = () => Number(document.querySelector("[name=plan]:checked").value);
const coinToss = () => Number(uniform(2n));

// Who is right after each month. Numbers speak for yes or for no, all equally loud, or say nothing; a tie leaves a coin.
function rightSoFar({ yes, numbers }, says) {
  let sum = 0;
  return numbers.map((number) => {
    sum += says[number];
    return yes === (sum ? Number(sum > 0) : coinToss());
  });
}

// A year for each attacker: the last one answers by a coin, once, as on the screen of the attack.
async function drawYears() {
  const [others, { way, says }] = [othersYes(), plans[planNow()]];
  const answers = Array.from({ length: guessers }, coinToss);
  const drawn = [[], []];
  for (const yes of [0, 1]) drawn[yes] = await drawNumbers(LAST * answers.filter((one) => one === yes).length, others + yes, way);
  return answers.map((yes) => rightSoFar({ yes, numbers: drawn[yes].splice(0, LAST) }, says[others]));
}

const rightIn = (k) => years.filter((guesses) => guesses[k - 1]).length;

// How high to write a value so that no circle strikes it: where it belongs, or as little above as is needed.
function clearOf(circles, words, [x, lowest], side) {
  const size = narrow.matches ? 19 : 24;
  const wide = 0.74 * size * words.length;
  const [from, to] = side === "end" ? [x - wide, x] : [x, x + wide];
  const near = circles.filter(([cx, , r]) => cx + r > from - 2 && cx - r < to + 2);
  const struck = (base) => near.some(([, cy, r]) => cy + r > base - 0.8 * size - 3 && cy - r < base + 5);
  let base = lowest;
  while (struck(base) && base > size) base -= 2;
  return base;
}

function showMonths() {
  const plan = plans[planNow()];
  const [at, right] = [month, plan.right[othersYes()]];
  const [wide, high] = roomFor(byId("months-lines"), 0.5);
  const [left, end] = narrow.matches ? [46, 14] : [116, 16];
  const [top, base] = [40, high - (narrow.matches ? 24 : 66)];
  const x = (month) => left + ((wide - left - end) * month) / LAST;
  const y = (share) => base - ((base - top) * (share - LEAST)) / (MOST - LEAST);
  const seen = (k) => y(Math.min(MOST, Math.max(LEAST, rightIn(k) / guessers)));
  const samples = Array.from({ length: at }, (_, k) => [x(k + 1), seen(k + 1), narrow.matches ? 5 : 7]);
  const dots = right.slice(0, at + 1).map((one, k) => [x(k), y(one.share), k === at ? 8 : 4]);
  const side = at > LAST / 2 ? "end" : "start";
  const written = clearOf([...samples, ...dots], right[at].text, [x(at), y(right[at].share) - 16], side);
  const parts = TICKS.flatMap((share) => [
    shape("line", { class: share === COIN ? "axis" : "grid", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label", "text-anchor": "end", x: left - 8, y: y(share) + 6 }, `${Math.round(100 * share)}%`)]);
  const line = (look, values) => shape("polyline", { class: `line ${look}`, points: values.map((one, k) => `${x(k)},${y(one.share)}`).join(" ") });
  if (planNow()) { // what it was without a budget
    const was = plans[0].right[othersYes()];
    parts.push(line("ghost", was),
      shape("text", { class: "label", "text-anchor": "end", x: x(LAST), y: y(was[LAST].share) - 14 }, `${plans[0].epsilon} every month: ${was[LAST].text}`));
  }
  if (!narrow.matches) parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - 66, y: y(COIN) + 6 }, "a coin"));
  for (let k = 1; k <= LAST; k += 1) parts.push(shape("text", { class: "label tick", x: x(k), y: base + 20 }, k));
  parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - (narrow.matches ? 0 : 8), y: base + 20 }, "month"));
  parts.push(line("attacker", right.slice(0, at + 1)));
  for (const [cx, cy, r] of dots) parts.push(shape("circle", { class: "line attacker", cx, cy, r }));
  for (const [cx, cy, r] of samples) parts.push(shape("circle", { class: "sample", cx, cy, r }));
  if (!narrow.matches) { // on a phone the lines need the room
    parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - 8, y: base + 52 }, `of ${MANY}`));
    for (let k = 1; k <= at; k += 1) parts.push(shape("text", { class: "verdict", x: x(k), y: base + 52 }, rightIn(k)));
  }
  const across = narrow.matches ? [10, wide / 2 + 32] : [left, left + 250];
  for (const [k, [look, words]] of [["line attacker", "right on average"], ["sample", `right of ${MANY}`]].entries()) {
    parts.push(shape("circle", { class: look, cx: across[k], cy: 12, r: 7 }), shape("text", { class: "told", "text-anchor": "start", x: across[k] + 14, y: 18 }, words));
  }
  if (at) parts.push(shape("text", { class: "value", "text-anchor": side, x: x(at), y: written }, right[at].text));
  redraw(byId("months-lines"), [wide, high], parts, at ? `${after(at)} ${rightIn(at)} of ${MANY} attackers are right; on average ${right[at].text}.` : "Nothing is published yet.");
  byId("months-says").replaceChildren(...sentence(plan, at, right));
  for (const button of document.querySelectorAll("[data-months]")) button.textContent = at < LAST ? button.dataset.words : button.dataset.again;
}

const after = (at) => (at < LAST ? `After ${at === 1 ? "one month" : `${at} months`}` : "After a year");

// What is true on average stands beside what was seen, and what a year allows at most: all numbers point one way then.
function sentence(plan, at, right) {
  if (!at) return [`With no number published, a guess is right in ${right[0].text} of cases. Each attacker uses all the numbers so far.`];
  const seen = `${after(at)} ${rightIn(at)} of ${MANY} are right, on average ${right[at].text}.`;
  if (at < LAST) return [seen];
  if (planNow()) return [`${seen} The price: only ${plan.truth.text} of the numbers are the truth. Blind guessing gets ${blind.text}.`];
  return [`${seen} `, element("span", `After one number it was ${right[1].text}. `, { class: "roomy" }),
    element("b", `Epsilon adds up: ${LAST}\u00a0×\u00a0${plan.epsilon}\u00a0=\u00a0${plan.total}.`),
    ` It allows ${plan.surest.text}, if all ${LAST} numbers point one way.`];
}

async function publish(months) {
  const mine = ++running;
  if (month >= LAST) [years, month] = [[], 0];
  const drawn = years.length ? years : await drawYears();
  if (mine !== running) return; // something else was asked for since
  years = drawn;
  const until = Math.min(LAST, month + months);
  while (mine === running && month < until) {
    month += 1;
    showMonths();
    if (!still.matches && month < until) await new Promise((next) => { setTimeout(next, 250); });
  }
}

function startYear() {
  running += 1;
  [years, month] = [[], 0];
  showMonths();
}

export function startMonths() {
  for (const button of document.querySelectorAll("[data-months]")) button.addEventListener("click", () => publish(Number(button.dataset.months)));
  for (const radio of document.querySelectorAll("[name=plan]")) radio.addEventListener("change", async () => {
    const before = month;
    startYear();
    if (before) await publish(before); // as long, with the other budget
  });
  whenResized(showMonths);
  withGroup(startYear);
}
