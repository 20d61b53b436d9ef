// Screen 7: a year of numbers about the same answers. The best attacker's chance after each month is exact.

import { byId, data } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, othersYes, withGroup, yourYes } from "./story_group.js";

const { months: plans, blind } = data();
const MOST = Math.ceil(20 * Math.max(...plans.flatMap((plan) => plan.right.flat()).map((one) => one.share))) / 20;
const LAST = plans[0].right[0].length - 1;
let [published, running] = [[], 0];

const planNow = () => Number(document.querySelector("[name=plan]:checked").value);

// What they would say after each month: numbers speak for yes or for no, all equally loud, or say nothing.
function guessesSoFar(plan) {
  let sum = 0;
  return published.map((number) => {
    sum += plan.says[othersYes()][number];
    return Math.sign(sum);
  });
}

function showMonths() {
  const plan = plans[planNow()];
  const [at, right] = [published.length, plan.right[othersYes()]];
  const [wide, high] = roomFor(byId("months-lines"), 0.5);
  const [left, end] = narrow.matches ? [44, 10] : [52, 16];
  const rows = narrow.matches ? [26, 51, 76] : [30, 58, 84]; // beneath the lines
  const [top, base] = [38, high - rows[2] - (narrow.matches ? 14 : 20)];
  const x = (month) => left + ((wide - left - end) * month) / LAST;
  const y = (share) => base - ((base - top) * (share - 0.5)) / (MOST - 0.5);
  const ticks = Array.from({ length: Math.round((MOST - 0.5) * 20) + 1 }, (_, k) => 0.5 + k / 20);
  const parts = ticks.flatMap((share) => [
    shape("line", { class: share > 0.5 ? "grid" : "axis", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label", "text-anchor": "end", x: left - 8, y: y(share) + 6 }, `${Math.round(100 * share)}%`)]);
  const line = (look, values) => shape("polyline", { class: `line ${look}`, points: values.slice(0, at + 1).map((one, k) => `${x(k)},${y(one.share)}`).join(" ") });
  if (planNow()) { // what it was without a budget
    const was = plans[0].right[othersYes()];
    parts.push(shape("polyline", { class: "line ghost", points: was.map((one, k) => `${x(k)},${y(one.share)}`).join(" ") }),
      shape("text", { class: "label", "text-anchor": "end", x: x(LAST), y: y(was[LAST].share) - 14 }, `${plans[0].epsilon} every month: ${was[LAST].text}`));
  }
  parts.push(shape("text", { class: "told", "text-anchor": "start", x: left, y: y(MOST) - 14 }, "the best attacker is right"));
  parts.push(line("attacker", right));
  right.slice(0, at + 1).forEach((one, k) => parts.push(shape("circle", { class: "line attacker", cx: x(k), cy: y(one.share), r: k === at ? 8 : 4 })));
  if (at) parts.push(shape("text", { class: "value", "text-anchor": at > LAST / 2 ? "end" : "start", x: x(at), y: y(right[at].share) - 16 }, right[at].text));
  parts.push(shape("text", { class: "label", x: narrow.matches ? 0 : left, y: base + rows[0], "text-anchor": "start" }, "this time: published, and is the guess right?"));
  const said = guessesSoFar(plan);
  published.forEach((number, k) => {
    const verdict = said[k] ? (said[k] > 0) === yourYes() : null;
    parts.push(shape("text", { class: "number", x: x(k + 1), y: base + rows[1] }, number),
      shape("text", { class: `verdict ${verdict === null ? "" : verdict ? "hit" : "miss"}`, x: x(k + 1), y: base + rows[2] }, verdict === null ? "?" : verdict ? "✓" : "✗"));
  });
  redraw(byId("months-lines"), [wide, high], parts, at ? `After ${at === 1 ? "one month" : `${at} months`} the best attacker is right in ${right[at].text} of cases.` : "Nothing is published yet.");
  byId("months-says").textContent = sentence(plan, at, right[at], said.at(-1));
  for (const button of document.querySelectorAll("[data-months]")) button.textContent = at < LAST ? button.dataset.words : button.dataset.again;
}

// One run is one run: what is true on average stands beside it.
function sentence(plan, at, now, guess) {
  if (!at) return `Before the first number a guess is right in ${now.text} of cases.`;
  const once = guess ? `This time the guess is ${(guess > 0) === yourYes() ? "right" : "wrong"}` : "This time they cannot tell";
  if (at < LAST) return `${once}. After ${at === 1 ? "one month" : `${at} months`} the best attacker is right in ${now.text} of cases, on average.`;
  if (planNow()) return `${once}. The best attacker is right in ${now.text} of cases, on average. The price: a number is the truth in ${plan.truth.text} of cases, where a blind guess is in ${blind.text}.`;
  return `${once}. The best attacker is now right in ${now.text} of cases, on average. In one year of ${plan.worst[othersYes()]} all numbers point one way: then they are ${plan.surest.text} sure. Epsilon adds up: ${LAST}\u00a0×\u00a0${plan.epsilon}\u00a0=\u00a0${plan.total}.`;
}

async function publish(months) {
  const mine = ++running;
  if (published.length >= LAST) published = [];
  const fresh = await drawNumbers(Math.min(months, LAST - published.length), inAll(), planNow());
  for (const number of fresh) {
    if (mine !== running) return; // something else was asked for since
    published = [...published, number];
    showMonths();
    if (!still.matches && fresh.length > 1) await new Promise((next) => { setTimeout(next, 250); });
  }
}

function startYear() {
  running += 1;
  published = [];
  showMonths();
}

export function startMonths() {
  for (const button of document.querySelectorAll("[data-months]")) button.addEventListener("click", () => publish(Number(button.dataset.months)));
  for (const radio of document.querySelectorAll("[name=plan]")) radio.addEventListener("change", startYear);
  whenResized(showMonths);
  withGroup(startYear);
}
