// Screen 6: a year of numbers about the same answers. Each speaks for yes or for no, and attackers add up what they hear: one is followed
// month by month, then a thousand at once.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, withGroup } from "./story_group.js";
import { holdRoom } from "./story_moving.js";

const { months: plans, wrong: wrongScale, attack: speaking, blind, attackers: guessers, best: ofOneNumber } = data();
const MANY = guessers.toLocaleString("en");
const LAST = plans[0].right.length - 1;
const WORLDS = ["no", "yes"];
let [years, month, running] = [[], 0, 0];
let everybody = false; // whether all are shown, or the first of them

const planNow = () => Number(document.querySelector("[name=plan]:checked").value);
const coinToss = () => Number(uniform(2n));

// By how many the numbers for yes are ahead after each month, and who is right then. All are equally loud; a tie leaves a coin.
function followed({ yes, numbers }, says) {
  let lead = 0;
  const leads = numbers.map((number) => lead += says[number]);
  return { yes, leads: [0, ...leads], right: leads.map((ahead) => yes === (ahead ? Number(ahead > 0) : coinToss())) };
}

// A year for each attacker: the last one answers by a coin, once, as on the screen of the attack.
async function drawYears() {
  const [others, { way }] = [othersYes(), plans[planNow()]];
  const answers = Array.from({ length: guessers }, coinToss);
  const drawn = [[], []];
  for (const yes of [0, 1]) drawn[yes] = await drawNumbers(LAST * answers.filter((one) => one === yes).length, others + yes, way);
  return answers.map((yes) => followed({ yes, numbers: drawn[yes].splice(0, LAST) }, speaking[others].says));
}

const rightIn = (k) => years.filter(({ right }) => right[k - 1]).length;

// How many of a world go each way in a month: from a lead to the next, up or down.
function streams(yes, k) {
  const found = new Map();
  for (const year of years) if (year.yes === yes) {
    const way = `${year.leads[k - 1]} ${year.leads[k]}`;
    found.set(way, (found.get(way) ?? 0) + 1);
  }
  return [...found].map(([way, many]) => [...way.split(" ").map(Number), many]);
}

function showMonths() {
  const [at, plan] = [month, plans[planNow()]];
  const [wide, high] = roomFor(byId("months-lines"), 0.5);
  const [left, end] = narrow.matches ? [88, 14] : [110, 20];
  const [top, base] = [34, high - 30];
  const tight = narrow.matches || wide < 650; // no room for the whole name of the axis
  const [x, middle] = [(k) => left + ((wide - left - end) * k) / LAST, (top + base) / 2];
  const loud = plan.loudness; // one scale for both: what a number says, beside one of epsilon 1
  const y = (lead) => middle - ((base - top) / 2) * ((lead * loud) / (LAST + 0.5));
  const side = (world) => (world * 10.4) / loud; // between two lines of the scale
  const here = tight ? "they guess" : "here they guess";
  const parts = [
    shape("rect", { class: "side yes", x: left, y: top, width: wide - left, height: middle - top, rx: 8 }),
    shape("rect", { class: "side no", x: left, y: middle, width: wide - left, height: base - middle, rx: 8 }),
    shape("text", { class: "told yes", "text-anchor": "start", x: left + 10, y: y(side(1)) + 6 }, `${here} yes`),
    shape("text", { class: "told no", "text-anchor": "start", x: left + 10, y: y(side(-1)) + 6 }, `${here} no`)];
  for (const { lead, text } of wrongScale) for (const up of lead ? [1, -1] : [1]) {
    const level = y((up * lead) / loud);
    parts.push(shape("line", { class: lead ? "grid" : "axis coin", x1: left, x2: wide, y1: level, y2: level }),
      shape("text", { class: "label tick", "text-anchor": "end", x: left - (lead ? 7 : 13), y: level + 5 }, text));
  }
  if (!everybody) parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: wide, y: 18 }, "farther from the middle: surer"));
  for (const side of [1, -1]) parts.push(shape("line", { class: "path", x1: x(0), x2: x(LAST), y1: y(0), y2: y(side * LAST) })); // no year leads farther
  if (planNow()) parts.push(shape("text", { class: "told most", "text-anchor": "end", x: wide - 8, y: y(LAST) - 10 }, `at most ${plan.surest.text}`));
  if (everybody) parts.push(framed([...crowd(at, x, y, (base - top) / 2), ...follow(at, x, y)], { x: left, y: top, width: wide - left, height: base - top }));
  else parts.push(...follow(at, x, y));
  if (everybody && at) parts.push(shape("text", { class: "value tally", "text-anchor": "start", x: left + 10, y: y((narrow.matches ? 6.9 : 8.06) / loud) + (narrow.matches ? 8 : 14) }, `${rightIn(at)} of ${MANY} right`));
  for (let k = 1; k <= LAST; k += 1) if (!narrow.matches || k === 1 || k % 3 === 0) parts.push(shape("text", { class: "label tick", x: x(k), y: base + 20 }, k));
  parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - 7, y: base + 20 }, "month"),
    shape("text", { class: "label tick axis-name", "text-anchor": "start", x: 0, y: 18 }, tight ? "guess wrong" : "chance that the guess is wrong"));
  const legend = tight ? left + 10 : wide - 305; // beside the name of the axis
  if (everybody) for (const [k, words] of ["they said yes", "they said no"].entries()) {
    parts.push(shape("circle", { class: `hill ${WORLDS[1 - k]}`, cx: legend + k * (narrow.matches ? 128 : 170), cy: 12, r: 7 }),
      shape("text", { class: "told", "text-anchor": "start", x: legend + 13 + k * (narrow.matches ? 128 : 170), y: 18 }, words));
  }
  redraw(byId("months-lines"), [wide, high], parts, pictureWords(plan, at));
  byId("months-says").replaceChildren(...(everybody ? saidOfAll(plan, at, rightIn(at)) : saidOfOne(plan, at)));
  byId("months-epsilon").textContent = `epsilon ${plan.epsilon}`;
  for (const button of document.querySelectorAll("[data-months]")) {
    const over = at === LAST && (everybody || button.dataset.months === "1");
    button.textContent = over ? button.dataset.again : button.dataset.words;
  }
}

// The path of one attacker, who stands at its end.
function follow(at, x, y) {
  const leads = years.length ? years[0].leads.slice(0, at + 1) : [0];
  return [
    shape("polyline", { class: "line", points: leads.map((lead, k) => `${x(k)},${y(lead)}`).join(" ") }),
    shape("circle", { class: "line attacker", cx: x(at), cy: y(leads[at]), r: 9 })];
}

// All of them: how many go which way is the thickness of a line.
function crowd(at, x, y, half) {
  const widest = Math.min(y(0) - y(2.2), half / 4);
  const lines = [];
  for (let k = 1; k <= at; k += 1) for (const yes of [0, 1]) for (const [from, to, many] of streams(yes, k)) {
    const thick = Math.max(0.6, (widest * many) / guessers);
    const aside = (yes ? -0.5 : 0.5) * thick;
    lines.push(shape("line", { class: `stream ${WORLDS[yes]}${k === at ? " flowing" : ""}`, x1: x(k - 1), x2: x(k), y1: y(from) + aside, y2: y(to) + aside, "stroke-width": thick }));
  }
  return lines;
}

// Shapes of which nothing stands outside of a frame: thick lines end at the axis.
function framed(shapes, frame) {
  const [group, clip] = [shape("g", { "clip-path": "url(#months-frame)" }), shape("clipPath", { id: "months-frame" })];
  clip.append(shape("rect", frame));
  group.append(clip, ...shapes);
  return group;
}

const after = (at) => (at < LAST ? `After ${at === 1 ? "one month" : `${at} months`}` : "After a year");

function pictureWords(plan, at) {
  if (!at) return "Nothing is published yet.";
  if (everybody) return `${after(at)} ${rightIn(at)} of ${MANY} attackers are right; expected: ${plan.right[at].of}.`;
  return `${after(at)} one attacker is ${howSure(plan, years[0].leads[at])}.`;
}

const howSure = (plan, lead) => (lead
  ? `${plan.sureness[Math.abs(lead)].replace("%", "% sure")} of a ${WORLDS[Number(lead > 0)]}`
  : "undecided: as many numbers spoke for yes as for no");

// What one number said, what the attacker makes of all of them, and what they cost by now.
function saidOfOne(plan, at) {
  if (!at) return ["Nothing is published yet: the attacker tosses a coin."];
  const { yes, leads } = years[0];
  const spoke = `This number spoke for ${WORLDS[Number(leads[at] > leads[at - 1])]}.`;
  const said = `${spoke} The attacker is ${howSure(plan, leads[at])}. `;
  const cost = element("b", `Epsilon so far: ${plan.spent[at]}.`);
  const verdict = leads[at] ? `: they are ${Number(leads[at] > 0) === yes ? "right" : "wrong"}` : "";
  return at < LAST ? [said, cost] : [said, cost, element("small", `The answer was ${WORLDS[yes]}${verdict}. Now watch ${MANY} attackers.`)];
}

// What is expected stands beside what was seen, and what the epsilons of a year add up to.
function saidOfAll(plan, at, seen) {
  const said = `${after(at)} ${seen} of ${MANY} are right; expected: ${plan.right[at].of}.`;
  if (at < LAST) return [said];
  const tail = planNow()
    ? [`Epsilon adds up to ${plan.spent[LAST]}:`, ` all ${LAST} give away no more than one number did, and nobody is surer than ${plan.surest.text}. The price: ${plan.truths[othersYes()].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]
    : [`Epsilon adds up: ${LAST}\u00a0×\u00a0${plan.epsilon}\u00a0=\u00a0${plan.spent[LAST]}.`, ` After one number ${plan.right[1].of} were expected to be right, and nobody was more than ${ofOneNumber.text} sure. Now one may be nearly sure.`];
  return [`${said} `, element("b", tail[0]), element("small", tail[1])];
}

// Whoever followed one and then asks for all sees the same years, from their beginning.
async function publish(months, all) {
  const mine = ++running;
  if (month >= LAST && all === everybody) years = [];
  if (month >= LAST || all !== everybody) month = 0;
  everybody = all;
  const drawn = years.length ? years : await drawYears();
  if (mine !== running) return; // something else was asked for since
  years = drawn;
  const until = Math.min(LAST, month + months);
  while (mine === running && month < until) {
    month += 1;
    showMonths();
    if (!still.matches && month < until) await new Promise((next) => { setTimeout(next, 300); });
  }
}

function startYear() {
  running += 1;
  [years, month, everybody] = [[], 0, false];
  showMonths();
}

export function startMonths() {
  for (const button of document.querySelectorAll("[data-months]")) button.addEventListener("click", () => publish(Number(button.dataset.months), button.dataset.months !== "1"));
  for (const radio of document.querySelectorAll("[name=plan]")) radio.addEventListener("change", async () => {
    const [before, all] = [month, everybody];
    startYear();
    if (before) await publish(before, all); // as long, with the other budget
  });
  whenResized(showMonths);
  withGroup(startYear);
  holdRoom(byId("months-says"), [`After a year 1000 of ${MANY} are right; expected: 1000. Epsilon adds up to ${plans[1].spent[LAST]}: all ${LAST} give away no more than one number did, and nobody is surer than ${plans[1].surest.text}. The price: ${plans[1].truths[0].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]);
}
