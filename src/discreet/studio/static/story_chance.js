// Screen 2: predict how often the truth comes out, then draw.

import { byId, data } from "./page.js";
import { drawBars, dropDots, shape, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { hasAnswered, inAll, withGroup, yourYes } from "./story_group.js";
import { countAlong, holdRoom } from "./story_moving.js";

const { noises, epsilon: chanceEpsilon, truth: truthChances, within, guesses, nearest, words: counted, n: groupOf } = data();
const { usual: chanceSide } = noises[chanceEpsilon];
const TOP = 0.88; // one scale for every count, before the guess and after it
let guessed = null;
let fallen = [];

const offBy = (most, numbers = fallen) => numbers.filter((number) => Math.abs(number - inAll()) <= most).length;
// Your answer is in the count, and that is said: nobody wonders whose number it is.
const howMany = (count) => {
  const all = `${counted[count]} of the ${counted[groupOf]}`;
  return hasAnswered() ? `With your ${yourYes() ? "yes" : "no"}, ${all} said yes.` : `If you say yes, ${all} say yes.`;
};

function showChance(before = fallen.length) {
  const [count, picture] = [inAll(), byId("chance-bars")];
  const known = guessed !== null;
  const told = known ? `The chances of the numbers 0 to ${groupOf}: ${chanceSide.texts[count].join(", ")}` : `How often will ${count} come out? Guess first`;
  const where = drawBars(picture, { chances: known ? chanceSide.chances[count] : Array(groupOf + 1).fill(0), colour: chanceSide.colour, top: TOP, truth: count, words: told });
  dropDots(picture, where, fallen, before);
  picture.append(...(known ? marks(count, where) : ghosts(count, where)));
  const under = picture.querySelector(".under");
  if (fallen.length) countAlong(under, fallen.length - before, (landed) => {
    const seen = fallen.slice(0, before + landed);
    under.textContent = seen.length ? `the truth: ${offBy(0, seen)} of ${seen.length}` : "the truth";
  });
  byId("chance-count").textContent = howMany(count);
  byId("chance-truth").textContent = count;
  byId("chance-guesses").classList.toggle("gone", known);
  byId("chance-draws").classList.toggle("gone", !known);
  byId("chance-says").textContent = said(count);
}

// Where words beside the truth's bar begin: at its right, or at its left where it is the last.
function beside(count, { left, step }) {
  const last = count === groupOf;
  return { x: left + (count + (last ? -0.02 : 1.02)) * step, "text-anchor": last ? "end" : "start" };
}

// Before the guess: the bar of the truth as high as each guess says, and a riddle over every other number.
function ghosts(count, where) {
  const { left, step, base, scale } = where;
  const bars = guesses.flatMap(({ share, text }) => [
    shape("rect", { class: "ghost-bar", x: left + (count + 0.1) * step, width: step * 0.8, y: base - share * scale, height: share * scale, rx: 3 }),
    shape("text", { class: "told", y: base - share * scale - 5, ...beside(count, where) }, `${text}?`)]);
  const riddles = Array.from({ length: groupOf + 1 }, (_, k) => k).filter((k) => k !== count)
    .map((k) => shape("text", { class: "riddle", x: left + (k + 0.5) * step, y: base - 14 }, "?"));
  return [...riddles, ...bars];
}

// After it: the guess as a line across the bar, and what is true.
function marks(count, where) {
  const { left, step, base, scale } = where;
  const [guess, truth] = [guesses[guessed], truthChances[count]];
  const other = count === 0 || count === groupOf;
  const opposite = { x: left + count * step - step * 0.02, "text-anchor": "end" };
  return [
    shape("line", { class: "mark guessed", x1: left + (count - 0.05) * step, x2: left + (count + 1.05) * step, y1: base - guess.share * scale, y2: base - guess.share * scale }),
    shape("text", { class: "label", y: base - guess.share * scale - 6, ...beside(count, where) }, `you: ${guess.text}`),
    shape("text", { class: "value", y: base - truth.share * scale + 20, ...(other ? beside(count, where) : opposite) }, truth.text)];
}

function said(count) {
  if (guessed === null) return "Guess first, then see.";
  if (!fallen.length) return `${verdict(count)} Now draw.`;
  if (fallen.length === 1) return `Published: ${fallen[0]}. ${fallen[0] === count ? "That is the truth, but nobody can be sure." : "That is not the truth, and nobody can be sure."}`;
  return summed(timesOver(offBy(0)), fallen.length, offBy(1), count);
}

const summed = (came, all, close, count) => `The truth came out ${came} in ${all}; ${close} numbers were off by one at most. Expected: ${truthChances[count].text} and ${within[count].text}. But what does a number say about you?`;

// What the guess was worth, at once: before anything is drawn.
function verdict(count) {
  const hit = `You guessed ${guesses[guessed].text}${guessed === nearest[count] ? ", and that is close" : ""}.`;
  if (count % groupOf) return `${hit} At epsilon ${chanceEpsilon} it is ${truthChances[count].text}. Each bar is the chance of one number.`;
  return `${hit} It is ${truthChances[count].text} at 0 and ${groupOf}, and ${truthChances[1].text} in between: what would fall outside is moved to the end.`;
}

export function startChance() {
  byId("chance-guesses").addEventListener("click", ({ target, detail }) => {
    const guess = target.closest("[data-guess]");
    if (!guess) return;
    guessed = Number(guess.dataset.guess);
    showChance();
    if (!detail) document.querySelector("#chance [data-draw]").focus({ preventScroll: true }); // pressed by a key
  });
  for (const button of document.querySelectorAll("#chance [data-draw]")) {
    button.addEventListener("click", async () => {
      const [count, before] = [inAll(), fallen.length];
      const fresh = await drawNumbers(Number(button.dataset.draw), count);
      if (count !== inAll()) return; // they belong to the group as it was
      fallen = [...fallen, ...fresh];
      showChance(before);
    });
  }
  withGroup(() => {
    fallen = [];
    showChance();
  });
  whenResized(showChance);
  holdRoom(byId("chance-says"), [summed("1000 times", 1000, 1000, 1)]);
}
