// Screen 6: a year of numbers about the same answers. Each speaks for yes or for no; attackers add up what they hear, and two worlds drift apart.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, withGroup } from "./story_group.js";
import { holdRoom } from "./story_moving.js";

const { months: plans, attack: speaking, blind, attackers: guessers, best: ofOneNumber } = data();
const MANY = guessers.toLocaleString("en");
const LAST = plans[0].right.length - 1;
const WORLDS = ["no", "yes"];
let [years, month, running] = [[], 0, 0];

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
  const [left, end] = narrow.matches ? [88, 66] : [100, 100]; // at the end stand the bars of the last month
  const [top, base] = [34, high - 48];
  const tight = narrow.matches || wide < 650; // no room for the whole name of the axis
  const [x, middle] = [(k) => left + ((wide - left - end) * k) / LAST, (top + base) / 2];
  const y = (lead) => middle - ((base - top) / 2) * (lead / (LAST + 0.5));
  const here = tight ? "they guess" : "here they guess";
  const parts = [
    shape("rect", { class: "side yes", x: left, y: top, width: wide - left, height: middle - top, rx: 8 }),
    shape("rect", { class: "side no", x: left, y: middle, width: wide - left, height: base - middle, rx: 8 }),
    shape("text", { class: "told yes", "text-anchor": "start", x: left + 10, y: y(9) + 6 }, `${here} yes`),
    shape("text", { class: "told no", "text-anchor": "start", x: left + 10, y: y(-9) + 6 }, `${here} no`)];
  for (const [lead, text] of [[0, plan.right[0].text], ...plan.sure]) for (const side of lead ? [1, -1] : [1]) {
    parts.push(shape("line", { class: lead ? "grid" : "axis coin", x1: left, x2: wide, y1: y(side * lead), y2: y(side * lead) }),
      shape("text", { class: "label tick", "text-anchor": "end", x: left - (lead ? 7 : 13), y: y(side * lead) + 5 }, text));
  }
  for (const side of [1, -1]) parts.push(shape("line", { class: "path", x1: x(0), x2: x(LAST), y1: y(0), y2: y(side * LAST) })); // no year leads farther
  const widest = ((base - top) / 2 / (LAST + 0.5)) * 2.2;
  const lines = [];
  for (let k = 1; k <= at; k += 1) for (const yes of [0, 1]) for (const [from, to, many] of streams(yes, k)) {
    const thick = Math.max(0.6, (widest * many) / guessers);
    const aside = (yes ? -0.5 : 0.5) * thick;
    lines.push(shape("line", { class: `stream ${WORLDS[yes]}${k === at ? " flowing" : ""}`, x1: x(k - 1), x2: x(k), y1: y(from) + aside, y2: y(to) + aside, "stroke-width": thick }));
  }
  parts.push(framed(lines, { x: left, y: top, width: wide - left, height: base - top }));
  if (at) parts.push(...standing(at, x(at), y, end - 46, wide));
  else parts.push(shape("circle", { class: "line attacker", cx: x(0), cy: y(0), r: 9 }));
  for (let k = 1; k <= LAST; k += 1) if (!narrow.matches || k === 1 || k % 3 === 0) parts.push(shape("text", { class: "label tick", x: x(k), y: base + 20 }, k));
  if (at) parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: wide, y: base + 42 }, "thicker line, longer bar: more attackers"));
  parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - 7, y: base + 20 }, "month"),
    shape("text", { class: "label tick axis-name", "text-anchor": "start", x: 0, y: 18 }, tight ? "how sure" : "how sure the attacker is, on a scale of odds"));
  const legend = tight ? left + 10 : wide - 305; // beside the name of the axis
  for (const [k, words] of ["they said yes", "they said no"].entries()) {
    parts.push(shape("circle", { class: `hill ${WORLDS[1 - k]}`, cx: legend + k * (narrow.matches ? 128 : 170), cy: 12, r: 7 }),
      shape("text", { class: "told", "text-anchor": "start", x: legend + 13 + k * (narrow.matches ? 128 : 170), y: 18 }, words));
  }
  redraw(byId("months-lines"), [wide, high], parts, at ? `${after(at)} ${rightIn(at)} of ${MANY} attackers are right; expected: ${plan.right[at].of}.` : "Nothing is published yet.");
  byId("months-says").replaceChildren(...sentence(plan, at, rightIn(at)));
  for (const button of document.querySelectorAll("[data-months]")) button.textContent = at < LAST ? button.dataset.words : button.dataset.again;
}

// Shapes of which nothing stands outside of a frame: thick lines end at the axis.
function framed(shapes, frame) {
  const [group, clip] = [shape("g", { "clip-path": "url(#months-frame)" }), shape("clipPath", { id: "months-frame" })];
  clip.append(shape("rect", frame));
  group.append(clip, ...shapes);
  return group;
}

// Where the attackers stand now, as bars to the right: those who said no below those who said yes. The longest says how many there are.
function standing(at, from, y, room, wide) {
  const tallies = years.reduce((sums, { yes, leads }) => ({ ...sums, [`${yes} ${leads[at]}`]: (sums[`${yes} ${leads[at]}`] ?? 0) + 1 }), {});
  const thick = Math.min(9, Math.max(3, (y(0) - y(1)) * 0.45));
  const most = Math.max(...Object.values(tallies));
  const bars = Object.entries(tallies).map(([key, many]) => {
    const [yes, lead] = key.split(" ").map(Number);
    return shape("rect", { class: `stand ${WORLDS[yes]}`, x: from + 3, y: y(lead) - (yes ? thick : 0), width: (room * many) / most, height: thick - 0.5 });
  });
  const longest = bars[Object.values(tallies).indexOf(most)];
  const told = from + room + 130 < wide ? `${most} attackers` : `${most}`;
  return [...bars, shape("text", { class: "told many", "text-anchor": "start", x: from + room + 8, y: Number(longest.getAttribute("y")) + thick / 2 + 5 }, told)];
}

const after = (at) => (at < LAST ? `After ${at === 1 ? "one month" : `${at} months`}` : "After a year");

// What is expected stands beside what was seen, and what the epsilons of a year add up to.
function sentence(plan, at, seen) {
  if (!at) return [`Nothing is published yet: all ${MANY} attackers toss a coin.`];
  const said = `${after(at)} ${seen} of ${MANY} are right; expected: ${plan.right[at].of}.`;
  if (at < LAST) return [at % 2 ? said : `${said} That is as a month ago: an even number of votes can end in a tie.`];
  const tail = planNow()
    ? [`Epsilon adds up to ${plan.total}:`, ` all ${LAST} give away no more than one number did, and nobody is surer than ${plan.surest.text}. The price: ${plan.truths[othersYes()].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]
    : [`Epsilon adds up: ${LAST}\u00a0×\u00a0${plan.epsilon}\u00a0=\u00a0${plan.total}.`, ` After one number ${plan.right[1].of} were expected to be right, and nobody was more than ${ofOneNumber.text} sure. Now one may be nearly sure.`];
  return [`${said} `, element("b", tail[0]), element("small", tail[1])];
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
    if (!still.matches && month < until) await new Promise((next) => { setTimeout(next, 300); });
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
  holdRoom(byId("months-says"), [`After a year 1000 of ${MANY} are right; expected: 1000. Epsilon adds up to ${plans[1].total}: all ${LAST} give away no more than one number did, and nobody is surer than ${plans[1].surest.text}. The price: ${plans[1].truths[0].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]);
}
