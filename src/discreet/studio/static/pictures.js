// Another column or row of the same design is shown without asking the studio: the parts of the pictures move to the
// numbers that came with them.

import { showCrowd, showOthers } from "./crowd.js";
import { gliding } from "./gliding.js";
import { moveMark } from "./layout.js";
import { showMultiples } from "./multiples.js";
import { byId, capital, data, likely, limitOfSureness, sureness } from "./page.js";
import { saySentence } from "./sentence.js";

const parts = (id, selector) => document.querySelectorAll(`#${id} ${selector}`);

export const shownCount = () => Number(byId("count").value);

// The cell of a heatmap under the pointer.
export function cellAt(event) {
  const picture = event.target.closest?.(".panel svg[role=img]");
  const frame = picture?.querySelector(".chosen");
  if (!frame) return null;
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  const [count, answer] = [[x, frame.dataset.pad], [y, frame.dataset.gap]].map(([at, from]) => Math.floor((at - from) / frame.dataset.step));
  const within = (k) => k >= 0 && k <= data().n;
  return within(count) && within(answer) ? { side: Number(picture.closest(".panel").dataset.side), count, answer } : null;
}

// Round marks from 0 up to the first that is not below the top.
function marksUpTo(top) {
  const unit = 10 ** Math.floor(Math.log10(top));
  const step = [0.2, 0.5, 1, 2].map((k) => k * unit).find((size) => top / size <= 5);
  return Array.from({ length: Math.ceil(top / step - 0.001) + 1 }, (_, k) => k * step);
}

// The axis ends at the first round mark above the highest bar; what was thought before moves along.
function fitted(picture, inner, base, series, least = 0) {
  const before = [...picture.querySelectorAll(".was")];
  const top = Math.max(1e-12, least / picture.dataset.room, ...series.flat().map((value) => value ?? 0), ...before.map((line) => Number(line.dataset.value)));
  const marks = marksUpTo(Math.min(1, picture.dataset.room * top)); // no chance is more than 1
  const scale = inner / marks.at(-1);
  picture.dataset.scale = scale;
  let ticks = [...picture.querySelectorAll(".tick")];
  while (ticks.length < marks.length) ticks = [...ticks, ticks.at(-1).parentNode.insertBefore(ticks.at(-1).cloneNode(true), ticks.at(-1))];
  ticks.forEach((tick, k) => {
    tick.setAttribute("visibility", k < marks.length ? "visible" : "hidden");
    if (k >= marks.length) return;
    tick.setAttribute("transform", `translate(0 ${base - scale * marks[k]})`);
    tick.querySelector("text").textContent = `${Number((100 * marks[k]).toPrecision(3))}%`;
  });
  for (const line of before) for (const end of ["y1", "y2"]) line.setAttribute(end, base - scale * line.dataset.value);
  return scale;
}

// Bars of the two sides take the heights of two series; the marker moves to `mark`, and dashes stand where `before` had them.
function moveBars(id, series, mark, before = [], least = 0) {
  const picture = document.querySelector(`#${id} .bars`);
  if (!picture) return;
  const { base, inner } = picture.dataset;
  const scale = fitted(picture, inner, base, [...series, ...before], least);
  for (const bar of picture.querySelectorAll(".bar")) {
    const value = series[bar.dataset.side][bar.dataset.at] ?? 0;
    bar.setAttribute("y", base - scale * value);
    bar.setAttribute("height", scale * value);
    bar.firstChild.textContent = `${value.toPrecision(4)} at ${bar.dataset.at}`;
  }
  moveMark(picture, mark);
  dash(picture, before, base, scale);
}

// A dash over each bar, as high as it was before.
function dash(picture, before, base, scale) {
  for (const old of picture.querySelectorAll(".before")) old.remove();
  if (!before.length) return;
  for (const bar of picture.querySelectorAll(".bar")) {
    const line = document.createElementNS(picture.namespaceURI, "line");
    const [x, width] = ["x", "width"].map((name) => Number(bar.getAttribute(name)));
    const y = base - scale * before[bar.dataset.side][bar.dataset.at];
    for (const [name, value] of Object.entries({ class: "before", x1: x, x2: x + width, y1: y, y2: y })) line.setAttribute(name, value);
    Object.assign(line.dataset, { u: bar.dataset.u, v: bar.dataset.v });
    picture.append(line);
  }
}

// Another true count; `from` is the one that was shown before it.
export function showColumn(from = shownCount()) {
  const count = shownCount();
  showCrowd(count);
  byId("count-shown").textContent = count;
  saySentence(count);
  byId("more-numbers").textContent = data().more[count];
  showBlind();
  const [now, before] = [count, from].map((one) => data().chances.map((side) => side[one]));
  gliding(() => moveBars("column", now, count, from === count ? [] : before));
  for (const chosen of parts("pictures", ".chosen")) {
    chosen.setAttribute("x", (Number(chosen.dataset.pad) + count * chosen.dataset.step).toFixed(2));
  }
  showMultiples(count);
}

// Another design, at the same true count: dashes stand where the chances were. Returns whether any of them moved.
export function leaveDashes(chances, least) {
  const count = shownCount();
  const [now, before] = [data().chances, chances].map((sides) => sides.map((side) => side[count]));
  const moved = before.some((side, k) => side.some((chance, at) => chance !== now[k][at]));
  moveBars("column", now, count, moved ? before : [], least);
  return moved;
}

export const showBlind = () => { byId("blind").hidden = !data().blind.includes(shownCount()); };

export function showRow() {
  const answer = Number(byId("answer").value);
  const numbers = data();
  byId("answer-shown").textContent = answer;
  gliding(() => moveBars("after", numbers.after.map((side) => side[answer]), answer));
  for (const bar of parts("after", ".bar")) {
    const { side, at } = bar.dataset;
    const [now, before] = [numbers.after[side][answer][at] ?? 0, numbers.before[at]];
    const factor = before ? `: ${(now / before).toFixed(2)} times as likely as before` : "";
    bar.firstChild.textContent = `true count ${at}: ${likely(now)}, before ${likely(before)}${factor}`;
  }
  for (const step of parts("steps", ".step")) {
    const ratio = numbers.ratio[step.dataset.side][answer][step.dataset.at];
    const { middle, scale } = step.parentNode.dataset;
    step.setAttribute("visibility", ratio ? "visible" : "hidden");
    if (ratio) step.setAttribute("cy", middle - scale * Math.log(ratio));
    step.firstChild.textContent = ratio ? stepWords(numbers, step.dataset, answer) : "";
  }
  if (byId("step-number")) byId("step-number").textContent = answer;
  byId("step-readout").textContent = "Point at a dot, or tap it.";
  const likeliest = likeliestFor(numbers, answer);
  byId("learned").textContent = learned(numbers, answer, likeliest);
  showWhy(numbers, answer, likeliest);
  byId("told-apart").textContent = toldApart(numbers, answer);
  showInsider(answer);
}

// What a dot says: how much one more yes changes the chance of the published number.
function stepWords({ ratio, beside, own, same }, { side, at }, answer) {
  const [from, times] = [Number(at), ratio[side][answer][at]];
  const whose = side === "1" || same ? capital(own) : capital(beside);
  return `${whose}: with ${from + 1} yes instead of ${from}, ${answer} is ${Number(times.toPrecision(4))} times as likely.`;
}

// The true count that is likeliest once your design has published a number; null if it never does.
function likeliestFor(numbers, answer) {
  const after = numbers.after[1][answer];
  if (after.some((chance) => chance === null)) return null;
  const most = Math.max(...after);
  return after[answer] > most - 1e-6 ? answer : after.indexOf(most);
}

function learned(numbers, answer, likeliest) {
  if (likeliest === null) return `${capital(numbers.own)} never publishes ${answer}.`;
  const after = numbers.after[1][answer];
  return `${capital(numbers.own)} published ${answer}. The likeliest true count is now ${likeliest}, with chance ` +
    `${likely(after[likeliest])}; before it was ${likely(numbers.before[likeliest])}.`;
}

// Why another true count than the answer is likeliest, and which property would prevent it.
function showWhy(numbers, answer, likeliest) {
  const place = byId("learned-why");
  place.hidden = likeliest === null || likeliest === answer;
  if (place.hidden) return;
  const [from, own] = [likeliest, answer].map((count) => numbers.chances[1][count][answer]);
  const rowHonest = from <= own;
  place.querySelector("span").textContent = rowHonest
    ? `Why not ${answer}? By the prior, ${likeliest} was likelier from the start.`
    : `Why not ${answer}? ${capital(numbers.own)} publishes ${answer} more often when ${likeliest} is true (${likely(from)}) than when ${answer} is true (${likely(own)}). ` +
      "It is no less private for that. “No count fits better than its own” would prevent it.";
  const ask = place.querySelector("button");
  if (ask) ask.hidden = rowHonest;
}

// How much was learned of the group, and can be of one person, each as the numbers have it.
function toldApart({ after, before, bound, n }, answer) {
  const factors = after[1][answer].map((chance, at) => (before[at] ? chance / before[at] : 0));
  const words = (factor) => (factor < 1.25 ? "hardly anything" : factor < 3 ? "a little" : "much");
  const [group, person] = [words(Math.max(...factors)), words(bound)];
  const told = group === person ? `That tells ${group} of the group and of any one person` : `That tells ${group} of the group, ${person} of any one person`;
  return n ? `${told}: somebody who knows all the others can go from 50% to ${limitOfSureness(bound / (1 + bound))} sure, and no further.` : `${told}.`;
}

function showInsider(answer) {
  const numbers = data();
  const others = Number(byId("others").value);
  byId("others-shown").textContent = others;
  showOthers(others);
  for (const mark of parts("gauge", ".sure")) {
    const chance = numbers.sure[mark.dataset.side][answer][others];
    const { zero, scale } = mark.parentNode.dataset;
    mark.setAttribute("visibility", chance === null ? "hidden" : "visible");
    if (chance !== null) mark.setAttribute("cx", Number(zero) + scale * chance);
  }
  const { bound, n } = numbers;
  const [left, right] = numbers.sure.map((side) => side[answer]?.[others] ?? null);
  const say = (chance) => (chance === null ? "never published" : sureness(chance));
  byId("insider").textContent = n === 0 ? "" :
    `They know that ${others} of the other ${n - 1} said yes, and think your own answer a toss-up: 50%. ` +
    `Once they see the number ${answer}, ${right === null ? `which ${numbers.own} never publishes, they learn nothing` : `they think it ${sureness(right)} likely that you said yes`}` +
    `${numbers.same ? "" : ` (with ${numbers.beside}: ${say(left)})`}. Whatever is published, that stays between ${limitOfSureness(1 / (1 + bound))} and ${limitOfSureness(bound / (1 + bound))}.`;
}
