// Screen 2: predict how often the truth comes out, then draw.

import { byId, data } from "./page.js";
import { drawBars, drawScale, dropDots, shape, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers } from "./story_draws.js";
import { inAll, withGroup } from "./story_group.js";

const { noises, epsilon: chanceEpsilon, truth: truthChances, within, guesses, nearest, words: counted, n: groupOf } = data();
const { usual: chanceSide } = noises[chanceEpsilon];
let guessed = null;
let fallen = [];

const offBy = (most) => fallen.filter((number) => Math.abs(number - inAll()) <= most).length;
const came = () => offBy(0);
const some = (count) => `${counted[count][0].toUpperCase()}${counted[count].slice(1)}`;

function showChance(before = fallen.length) {
  const count = inAll();
  const chances = guessed === null ? Array(groupOf + 1).fill(0) : chanceSide.chances[count];
  const told = guessed === null ? "Guess first" : `The chances of the numbers 0 to ${groupOf}: ${chanceSide.texts[count].join(", ")}`;
  const truthChance = truthChances[count];
  const where = drawBars(byId("chance-bars"), { chances, colour: chanceSide.colour, top: Math.min(1, 1.3 * truthChance.share), truth: count, words: told });
  if (guessed === null) byId("chance-bars").append(shape("text", { class: "riddle", x: where.left + where.step * (groupOf + 1) / 2, y: where.base / 2 + 40 }, "?"));
  dropDots(byId("chance-bars"), where, fallen, before);
  const marks = guessed === null ? [] : [{ share: guesses[guessed].share, text: "your guess" }, { share: truthChance.share, text: `exactly ${truthChance.text}`, below: true, side: "start" }];
  const share = fallen.length ? came() / fallen.length : null;
  drawScale(byId("chance-gauge"), [{ share, text: "", colour: chanceSide.colour }], marks, `How often the truth came out: ${came()} of ${fallen.length}`,
    "the truth came out", fallen.length ? `${came()} of ${fallen.length}` : "");
  byId("chance-count").textContent = `${some(count)} of the ${counted[groupOf]} said yes.`;
  byId("chance-truth").textContent = count;
  byId("chance-guesses").classList.toggle("gone", guessed !== null);
  byId("chance-draws").classList.toggle("gone", guessed === null);
  byId("chance-says").textContent = said(count);
}

function said(count) {
  if (guessed === null) return "Guess first, then see.";
  if (!fallen.length) return `${verdict(count)} Now draw.`;
  if (fallen.length === 1) return `Published: ${fallen[0]}. ${fallen[0] === count ? "That is the truth, but nobody can tell." : "That is not the truth, and nobody can tell."}`;
  return `The truth came out ${timesOver(came())} in ${fallen.length}; ${offBy(1)} numbers were off by one at most. Expect ${truthChances[count].text} and ${within[count].text}. But what does a number say about you?`;
}

// What the guess was worth, at once: before anything is drawn.
function verdict(count) {
  const said = `You guessed ${guesses[guessed].text}${guessed === nearest[count] ? ", and that is close" : ""}.`;
  if (count % groupOf) return `${said} At epsilon ${chanceEpsilon} it is ${truthChances[count].text}. Each bar is the chance of one number.`;
  return `${said} It is ${truthChances[count].text} at 0 and ${groupOf}, and ${truthChances[1].text} in between: what would fall outside is moved to the end.`;
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
