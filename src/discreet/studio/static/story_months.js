// Screen 6: a year of numbers about the same answers. Each speaks for yes or for no, and attackers add up what they hear: one is followed
// month by month, then a hundred at once, a dot each.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, withGroup } from "./story_group.js";
import { holdRoom } from "./story_moving.js";
import { piled } from "./story_piles.js";

const { months: plans, attack: speaking, blind, attackers: guessers, best: ofOneNumber } = data();
const LAST = plans[0].right.length - 1;
const WORLDS = ["no", "yes"];
const VERY_SURE = 0.99;
let [years, month, running] = [[], 0, 0];
let everybody = false; // whether all are shown, or the first of them

const planNow = () => Number(document.querySelector("[name=plan]:checked").value);
const coinToss = () => Number(uniform(2n));
const sureWith = (lead) => plans[planNow()].sureness[Math.abs(lead)];

// By how many the numbers for yes are ahead after each month, and who is right then. All are equally loud; a tie leaves a coin, and so does
// the time before the first.
function followed({ yes, numbers }, says) {
  let lead = 0;
  const leads = [0, ...numbers.map((number) => lead += says[number])];
  return { yes, numbers, leads, right: leads.map((ahead) => yes === (ahead ? Number(ahead > 0) : coinToss())) };
}

// A year for each attacker: the last one answers by a coin, once, as on the screen of the attack.
async function drawYears() {
  const [others, { way }] = [othersYes(), plans[planNow()]];
  const answers = Array.from({ length: guessers }, coinToss);
  const drawn = [[], []];
  for (const yes of [0, 1]) drawn[yes] = await drawNumbers(LAST * answers.filter((one) => one === yes).length, others + yes, way);
  return answers.map((yes) => followed({ yes, numbers: drawn[yes].splice(0, LAST) }, speaking[others].says));
}

const rightIn = (k) => years.filter(({ right }) => right[k]).length;

// Where everything stands: a column for the time before the first number and one for each month, and a plain scale of how sure they are,
// from surely yes at the upper edge to surely no at the lower.
function placed([wide, high]) {
  const [left, top, base] = [narrow.matches ? 70 : 86, narrow.matches ? 34 : 44, high - (everybody ? 28 : 50)];
  const column = (wide - left) / (LAST + 1);
  const half = (base - top) / 2;
  return {
    wide, left, top, base, column, half, middle: top + half,
    x: (k) => left + (k + 0.5) * column,
    y: (lead) => top + half - Math.sign(lead) * 2 * half * (sureWith(lead).share - 0.5),
  };
}

function showMonths() {
  const [at, plan] = [month, plans[planNow()]];
  const size = roomFor(byId("months-lines"), 0.5);
  const place = placed(size);
  const { wide, left, top, base, half, middle, x, y } = place;
  const parts = [
    shape("rect", { class: "side yes", x: left, y: top, width: wide - left, height: half, rx: 8 }),
    shape("rect", { class: "side no", x: left, y: middle, width: wide - left, height: half, rx: 8 })];
  for (const side of [1, -1]) for (const share of [0.5, 0.25, 0]) if (share || side > 0) {
    const level = middle - side * 2 * half * share;
    parts.push(shape("line", { class: share ? "grid" : "axis coin", x1: left, x2: wide, y1: level, y2: level }),
      shape("text", { class: "label tick", "text-anchor": "end", x: left - 7, y: level + (share === 0.5 ? side * 6 : 0) + 5 }, share === 0.5 && narrow.matches ? "" : `${share ? "" : "coin: "}${100 * (0.5 + share)}%`));
  }
  const aside = narrow.matches ? { class: "tick ", "text-anchor": "end", x: left - 7 } : { class: "", "text-anchor": "start", x: left + 8 }; // a phone's columns need the corners
  for (const [world, level] of [["yes", top + (narrow.matches ? 10 : 22)], ["no", base - (narrow.matches ? 1 : 11)]]) {
    parts.push(shape("text", { ...aside, class: `${aside.class}told ${world}`, y: level }, `${narrow.matches ? "sure:" : "sure of"} ${world}`));
  }
  for (const side of [1, -1]) parts.push(shape("polyline", { class: "path", points: plan.sureness.map((_, k) => `${x(k)},${y(side * k)}`).join(" ") })); // no year leads farther
  if (planNow()) parts.push(shape("text", { class: "told most", "text-anchor": "end", x: wide - 8, y: y(LAST) - 12 }, `at most ${plan.surest} sure`));
  parts.push(...(everybody ? crowd(at, place) : follow(at, place)));
  parts.push(...under(at, place), ...above(at, place));
  redraw(byId("months-lines"), size, parts, pictureWords(plan, at));
  byId("months-says").replaceChildren(...(everybody ? saidOfAll(plan, at, rightIn(at)) : saidOfOne(plan, at)));
  byId("months-epsilon").textContent = `epsilon ${plan.epsilon}`;
  for (const button of document.querySelectorAll("[data-months]")) {
    const over = at === LAST && (everybody || button.dataset.months === "1");
    button.textContent = over ? button.dataset.again : button.dataset.words;
  }
}

// The months by their numbers; below them, where one attacker is followed, what was published.
function under(at, { left, base, x }) {
  const parts = [shape("text", { class: "label tick", "text-anchor": "end", x: left - 7, y: base + 20 }, "month")];
  for (let k = 1; k <= LAST; k += 1) {
    if (!narrow.matches || k === 1 || k % 3 === 0) parts.push(shape("text", { class: "label tick", x: x(k), y: base + 20 }, k));
    if (!everybody && k <= at) parts.push(shape("text", { class: "told heard", x: x(k), y: base + 43 }, years[0].numbers[k - 1]));
  }
  if (!everybody) parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: left - 7, y: base + 43 }, "number"));
  return parts;
}

// What is counted, and what the dots are.
function above(at, { wide, left }) {
  if (!everybody) return [shape("text", { class: "label tick axis-name", "text-anchor": "start", x: left, y: narrow.matches ? 22 : 26 }, "how sure the attacker is")];
  const parts = [shape("text", { class: "value tally", "text-anchor": "start", x: left, y: narrow.matches ? 22 : 30 }, `${rightIn(at)} of ${guessers} right`)];
  const scale = narrow.matches ? 0.875 : 1;
  let end = wide; // from the right: each word with its width
  const kinds = [["wrong key", "wrong", 47], ["no", "said no", 57], ["yes", "said yes", 63]];
  for (const [kind, words, room] of narrow.matches ? kinds.slice(0, 1) : kinds) {
    parts.push(shape("text", { class: "label tick", "text-anchor": "end", x: end, y: 26 - (narrow.matches ? 4 : 0) }, words),
      shape("circle", { class: `guess ${kind}`, cx: end - (room + 11) * scale, cy: narrow.matches ? 17 : 21, r: 6 * scale }));
    end -= (room + 33) * scale;
  }
  return parts;
}

// The path of one attacker, who stands at its end.
function follow(at, { x, y }) {
  const leads = years.length ? years[0].leads.slice(0, at + 1) : [0];
  return [
    shape("polyline", { class: "line", points: leads.map((lead, k) => `${x(k)},${y(lead)}`).join(" ") }),
    ...leads.slice(0, -1).map((lead, k) => shape("circle", { class: "line", cx: x(k), cy: y(lead), r: 4 })),
    shape("circle", { class: "line attacker", cx: x(at), cy: y(leads[at]), r: 9 })];
}

// All of them, in every month so far: a dot for each, as high as they are sure. In the newest month they come from where they were.
function crowd(at, place) {
  const found = Array.from({ length: at + 1 }, (_, k) => piled(years.map((year) => ({ level: place.y(year.leads[k]), kind: year.yes * 2 + Number(year.right[k]) })), place));
  const size = 0.44 * found[0].step;
  return found.flatMap(({ spots }, k) => spots.map(([aside, cy], who) => {
    const cx = place.x(k) + aside;
    const dot = shape("circle", { class: `guess ${WORLDS[years[who].yes]}${years[who].right[k] ? "" : " wrong"}`, cx, cy, r: size });
    if (k && k === at) {
      const [asideBefore, before] = found[k - 1].spots[who];
      dot.classList.add("gathering");
      dot.style.setProperty("--from-x", `${place.x(k - 1) + asideBefore - cx}px`);
      dot.style.setProperty("--from-y", `${before - cy}px`);
    }
    return dot;
  }));
}

const after = (at) => (at < LAST ? `After ${at === 1 ? "one month" : `${at} months`}` : "After a year");

function pictureWords(plan, at) {
  if (!at) return "Nothing is published yet.";
  if (everybody) return `${after(at)} ${rightIn(at)} of ${guessers} attackers are right; expected: ${plan.right[at].of}.`;
  return `${after(at)} one attacker is ${howSure(years[0].leads[at])}.`;
}

function howSure(lead) {
  if (!lead) return "undecided: as many numbers spoke for yes as for no";
  const [{ text, once }, world] = [sureWith(lead), WORLDS[Number(lead > 0)]];
  return once ? `sure of a ${world}, and wrong once in ${once}` : `${text} sure of a ${world}`;
}

// What one number said, what the attacker makes of all of them, and what they cost by now.
function saidOfOne(plan, at) {
  if (!at) return ["Nothing is published yet: the attacker tosses a coin."];
  const { yes, leads, numbers } = years[0];
  const spoke = `The ${numbers[at - 1]} speaks for ${WORLDS[Number(leads[at] > leads[at - 1])]}.`;
  const said = `${spoke} The attacker is ${howSure(leads[at])}. `;
  const cost = element("b", `Epsilon so far: ${plan.spent[at]}.`);
  const verdict = leads[at] ? `: they are ${Number(leads[at] > 0) === yes ? "right" : "wrong"}` : "";
  return at < LAST ? [said, cost] : [said, cost, element("small", `The answer was ${WORLDS[yes]}${verdict}. Now watch ${guessers} attackers.`)];
}

// What is expected stands beside what was seen, and what the epsilons of a year add up to.
function saidOfAll(plan, at, seen) {
  const said = `${after(at)} ${seen} of ${guessers} are right; expected: ${plan.right[at].of}.`;
  if (at < LAST) return [said];
  const verySure = years.filter(({ leads }) => sureWith(leads[LAST]).share > VERY_SURE).length;
  const tail = planNow()
    ? [`Epsilon adds up to ${plan.spent[LAST]}:`, ` all ${LAST} give away no more than one number did, and nobody is surer than ${plan.surest}. The price: ${plan.truths[othersYes()].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]
    : [`Epsilon adds up: ${LAST}\u00a0×\u00a0${plan.epsilon}\u00a0=\u00a0${plan.spent[LAST]}.`, ` After one number ${plan.right[1].of} were expected to be right, and nobody was more than ${ofOneNumber.text} sure. Now ${verySure} are wrong less than once in ${Math.round(1 / (1 - VERY_SURE))}.`];
  return [`${said} `, element("b", tail[0]), element("small", tail[1])];
}

// Whoever followed one and then asks for all sees the same years, from their beginning.
async function publish(months, all) {
  const mine = ++running;
  if (month >= LAST && all === everybody) years = [];
  if (month >= LAST || all !== everybody) month = 0;
  const drawn = years.length ? years : await drawYears();
  if (mine !== running) return; // something else was asked for since
  [years, everybody] = [drawn, all];
  const until = Math.min(LAST, month + months);
  while (mine === running && month < until) {
    month += 1;
    showMonths();
    if (!still.matches && month < until) await new Promise((next) => { setTimeout(next, 450); });
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
  holdRoom(byId("months-says"), [`After a year ${guessers} of ${guessers} are right; expected: ${guessers}. Epsilon adds up to ${plans[1].spent[LAST]}: all ${LAST} give away no more than one number did, and nobody is surer than ${plans[1].surest}. The price: ${plans[1].truths[0].text} of the numbers are the truth, and a blind guess gets ${blind.text}.`]);
}
