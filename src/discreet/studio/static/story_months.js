// Screen 6: a year of numbers about the same answers. The best attacker's chance after each month is exact.

import { byId, data } from "./page.js";
import { narrow, redraw, shape, still } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, othersYes, withGroup, yourYes } from "./story_group.js";

const { months: plans, fair: monthlySide, blind } = data();
const LAST = plans[0].most.length - 1;
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
  const [wide, high, left, end] = narrow.matches ? [360, 330, 40, 10] : [660, 470, 52, 16];
  const rows = narrow.matches ? [26, 51, 76] : [30, 58, 84]; // beneath the lines
  const [top, base] = [14, high - rows[2] - (narrow.matches ? 14 : 20)];
  const x = (month) => left + ((wide - left - end) * month) / LAST;
  const y = (share) => base - (base - top) * (2 * share - 1);
  const parts = [0.5, 0.75, 1].flatMap((share) => [
    shape("line", { class: "axis", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label", "text-anchor": "end", x: left - 8, y: y(share) + 6 }, `${100 * share}%`)]);
  const line = (look, values) => shape("polyline", { class: `line ${look}`, points: values.slice(0, at + 1).map((one, k) => `${x(k)},${y(one.share)}`).join(" ") });
  // three lines that lie close together are named above them all, each with a piece of its line
  const key = (row, look, piece, text) => parts.push(shape("polyline", { class: piece, points: `${x(0) + 10},${top + 20 + 29 * row} ${x(0) + 40},${top + 20 + 29 * row}` }),
    shape("text", { class: look, "text-anchor": "start", x: x(0) + 50, y: top + 27 + 29 * row }, text));
  if (planNow()) { // what it was without a budget
    const was = plans[0].right[othersYes()];
    parts.push(shape("polyline", { class: "line truth ghost", points: was.map((one, k) => `${x(k)},${y(one.share)}`).join(" ") }));
    key(2, "label", "line truth ghost", `${plans[0].epsilon} every month: ${was[LAST].text}`);
  }
  parts.push(line("most", plan.most), line("truth", right));
  right.slice(0, at + 1).forEach((one, k) => parts.push(shape("circle", { class: "line truth", cx: x(k), cy: y(one.share), r: k === at ? 8 : 4 })));
  const [average, bound] = [`right on average: ${right[at].text}`, `never surer than ${plan.most[at].text}`];
  if (at && planNow()) {
    key(0, "value soft", "line most", bound);
    key(1, "value", "line truth", average);
  } else if (at) {
    const side = at > LAST / 2 ? "end" : "start";
    const near = plan.most[at].share - right[at].share < 0.12; // then one stands over the other
    parts.push(shape("text", { class: "value", "text-anchor": side, x: x(at), y: near ? y(plan.most[at].share) - 38 : y(right[at].share) - 16 }, average),
      shape("text", { class: "value soft", "text-anchor": side, x: x(at), y: y(plan.most[at].share) - (narrow.matches ? 6 : 12) }, bound));
  }
  parts.push(shape("text", { class: "label", x: narrow.matches ? 0 : left, y: base + rows[0], "text-anchor": "start" }, "this time: published, and is the guess right?"));
  const said = guessesSoFar(plan);
  published.forEach((number, k) => {
    const verdict = said[k] ? (said[k] > 0) === yourYes() : null;
    parts.push(shape("text", { class: "number", x: x(k + 1), y: base + rows[1] }, number),
      shape("text", { class: `verdict ${verdict === null ? "" : verdict ? "hit" : "miss"}`, x: x(k + 1), y: base + rows[2] }, verdict === null ? "?" : verdict ? "✓" : "✗"));
  });
  redraw(byId("months-lines"), [wide, high], parts, at ? `After ${at} months: ${right[at].text}; never surer than ${plan.most[at].text}.` : "Nothing is published yet.");
  for (const one of byId("months-lines").querySelectorAll(".truth")) one.style.setProperty("--mark", monthlySide.colour);
  byId("months-says").textContent = sentence(plan, at, right[at], said.at(-1));
  for (const button of document.querySelectorAll("[data-months]")) button.textContent = at < LAST ? button.dataset.words : button.dataset.again;
}

// One run is one run: what is true on average stands beside it.
function sentence(plan, at, now, guess) {
  if (!at) return `Before the first number a guess is right in ${now.text} of cases.`;
  const once = guess ? `This time the guess is ${(guess > 0) === yourYes() ? "right" : "wrong"}` : "This time they cannot tell";
  if (at < LAST) return `${once}. After ${at === 1 ? "one month" : `${at} months`} the best attacker is right in ${now.text} of cases, on average.`;
  if (planNow()) return `${once}; on average a guess is right in ${now.text} of cases, at ${plan.total} a year. The price: a number is the truth in ${plan.truth.text} of cases, a blind guess in ${blind.text}.`;
  return `${once}. On average the best attacker is now right in ${now.text} of cases. Epsilon adds up: ${LAST} × ${plan.epsilon} = ${plan.total}. Try a budget for the whole year.`;
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
  narrow.addEventListener("change", showMonths);
  withGroup(startYear);
}
