// Screen 2: predict how often the truth comes out, then draw.

import { byId, data } from "./page.js";
import { drawBars, drawScale, dropDots, shape, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, withGroup } from "./story_group.js";

const { fair: fairSide, truth: truthChance, guesses, nearest, words: counted, n: groupOf } = data();
let guessed = null;
let fallen = [];

const came = () => fallen.filter((number) => number === inAll()).length;
const some = (count) => `${counted[count][0].toUpperCase()}${counted[count].slice(1)}`;

function showChance(before = fallen.length) {
  const count = inAll();
  const chances = guessed === null ? Array(groupOf + 1).fill(0) : fairSide.chances[count];
  const told = guessed === null ? "Guess first" : `The chances of the numbers 0 to ${groupOf}: ${fairSide.texts[count].join(", ")}`;
  const where = drawBars(byId("chance-bars"), { chances, colour: fairSide.colour, top: 1.5 * truthChance.share, truth: count, words: told });
  if (guessed === null) byId("chance-bars").append(shape("text", { class: "riddle", x: where.left + where.step * (groupOf + 1) / 2, y: where.base / 2 + 40 }, "?"));
  dropDots(byId("chance-bars"), where, fallen, before);
  const marks = guessed === null ? [] : [{ share: guesses[guessed].share, text: "your guess" }, { share: truthChance.share, text: `exactly ${truthChance.text}`, below: true, side: "start" }];
  const share = fallen.length ? came() / fallen.length : null;
  drawScale(byId("chance-gauge"), [{ share, text: "", colour: fairSide.colour }], marks, `How often the truth came out: ${came()} of ${fallen.length}`,
    "the truth came out", fallen.length ? `${came()} of ${fallen.length}` : "");
  byId("chance-count").textContent = `${some(count)} of the ${counted[groupOf]} said yes.`;
  byId("chance-truth").textContent = count;
  byId("chance-guesses").classList.toggle("gone", guessed !== null);
  byId("chance-draws").classList.toggle("gone", guessed === null);
  byId("chance-says").textContent = said(count);
}

function said(count) {
  if (guessed === null) return "Guess first, then see.";
  const guess = guessed === nearest ? "you were right" : `you guessed ${guesses[guessed].text}`;
  if (!fallen.length) return `${verdict()} Each bar is the chance of one number. Now draw.`;
  if (fallen.length === 1) return `Published: ${fallen[0]}. ${fallen[0] === count ? "That is the truth, but nobody can tell." : "Not the truth, and nobody can tell."}`;
  return `The truth came ${timesOver(came())} in ${fallen.length}. Its chance is ${truthChance.text}: ${guess}. So one number says little of the group. And of you?`;
}

// What the guess was worth, at once: before anything is drawn.
function verdict() {
  const [tenths, mine] = [10 * truthChance.share, guesses[guessed].text];
  const said = Number.isInteger(tenths) ? `${tenths} in 10` : `fewer than ${Math.ceil(tenths)} in 10`;
  return guessed === nearest ? `You guessed ${mine}, and that is close: it is ${truthChance.text}.` : `You guessed ${mine}. It is ${truthChance.text}: ${said}.`;
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
}
