// Screen 7: guess what the usual noise says most often; then it stands beside the one that is asked for, at any true count.

import { byId, data } from "./page.js";
import { drawBars, shape, whenResized } from "./story_bars.js";
import { holdRoom } from "./story_moving.js";

const { small, n: usualOf, first: firstCount, trade } = data();
const kinds = Object.entries(data().noises[small]);
const highest = Math.max(...kinds.flatMap(([, { chances }]) => chances.flat())); // one scale for both, and for every count
const offered = [...document.querySelectorAll("[data-most]")].map((one) => Number(one.dataset.most));
let [mostGuessed, moved] = [null, false];

function showUsual() {
  const [count, known] = [Number(byId("usual-count").value), mostGuessed !== null];
  for (const [side, { name, chances, texts, truths, colour }] of kinds) {
    const picture = byId(`${side}-bars`);
    const { left, step, base } = drawBars(picture, { chances: known ? chances[count] : Array(usualOf + 1).fill(0), colour, top: highest, truth: count, strong: [count], small: true,
      words: known ? `${name}: the chances of the numbers 0 to ${usualOf}: ${texts[count].join(", ")}` : `${name}: guess first` });
    if (!known) for (const k of offered) picture.append(
      shape("rect", { class: "ghost-bar", x: left + (k + 0.1) * step, width: step * 0.8, y: base * 0.45, height: base * 0.55, rx: 3 }),
      shape("text", { class: "riddle", x: left + (k + 0.5) * step, y: base * 0.42 }, "?"));
    picture.parentElement.classList.toggle("gone", !known && side !== kinds[0][0]); // one question at a time
    byId(`${side}-truth`).textContent = known ? truths[count] : "?";
  }
  byId("usual-shown").textContent = `${count} of ${usualOf}`;
  byId("usual-guesses").classList.toggle("gone", known);
  for (const id of ["usual-slide", "usual-ask"]) byId(id).classList.toggle("gone", !known);
  byId("usual-says").textContent = !known ? "Guess first, then see." : moved ? trade : judged(mostGuessed);
}

// What the guess was worth, and what the noise on the right was asked for.
function judged(guess) {
  const [, { chances: { [firstCount]: column }, texts: { [firstCount]: shares } }] = kinds[0];
  const often = column.indexOf(Math.max(...column));
  const outcome = guess === often ? `Right: it is ${often}` : `You guessed ${guess}; it is ${often}`;
  return `${outcome}, in ${shares[often]} of cases. The truth comes in ${shares[firstCount]}. The noise on the right was asked that, on each side of the truth, no farther number is likelier.`;
}

export function startUsual() {
  const slider = byId("usual-count");
  slider.value = firstCount;
  byId("usual-guesses").addEventListener("click", ({ target, detail }) => {
    const button = target.closest("[data-most]");
    if (!button) return;
    mostGuessed = Number(button.dataset.most);
    showUsual();
    if (!detail) slider.focus({ preventScroll: true }); // pressed by a key
  });
  slider.addEventListener("input", () => {
    moved = true;
    showUsual();
  });
  whenResized(showUsual);
  showUsual();
  holdRoom(byId("usual-says"), [judged(firstCount), trade]);
}
