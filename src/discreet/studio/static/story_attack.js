// Screen 3: guess what the last one said. How often the best attacker is right comes from the library, exactly.

import { byId, data } from "./page.js";
import { drawGuesses, drawScale, narrow, timesOver, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, saysYes, withGroup } from "./story_group.js";

const ROUNDS = 10;
const { attack: attackers, best: most, epsilon: attackEpsilon, words: spelledOut, n: attacked, coin } = data();
const BEST = "var(--ink)"; // of the best attacker, on every screen
let [mine, best, secret, round, last] = [[], [], null, 0, ""];

const tossed = () => Number(uniform(2n));
const right = (guesses) => guesses.filter(Boolean).length;

// The last one answers by a coin; what is published is drawn from the true count that makes. Whether there is a number.
async function newRound() {
  const now = ++round;
  const yes = tossed();
  const [number] = await drawNumbers(1, othersYes() + yes);
  if (now !== round) return false; // the group has changed since
  secret = { yes, number };
  byId("attack-number").textContent = number;
  byId("attack-number").dataset.round = mine.length + 1;
  showSecret("?");
  return true;
}

// What they said, if it is out; then nothing changes until the next number is asked for.
function showSecret(said) {
  byId("attack-secret").textContent = said;
  byId("known").lastElementChild.classList.toggle("yes", said === "yes");
  byId("attack-guesses").classList.toggle("gone", said !== "?");
  byId("attack-next").classList.toggle("gone", said === "?");
}

function showScore() {
  const rows = [["you", mine, "var(--soft-part)"], ["best attacker", best, BEST]].map(([who, guesses, colour]) => ({
    share: guesses.length ? right(guesses) / guesses.length : null, colour, text: guesses.length ? `${who}: ${right(guesses)} of ${guesses.length}` : who,
  }));
  drawScale(byId("attack-score"), rows, [{ share: coin.share, text: `a coin: ${coin.text}`, side: "end" }, { share: most.share, text: `${narrow.matches ? "best" : "best average"}: ${most.text}` }],
    `You: ${right(mine)} of ${mine.length} right. The best attacker: ${right(best)} of ${best.length}. A coin: ${coin.text}. The best attacker's average: ${most.text}.`);
  drawGuesses(byId("attack-dots"), best.slice(-100), BEST, `Of the last ${Math.min(100, best.length)} guesses ${right(best.slice(-100))} were right.`);
  const luck = right(mine) / mine.length > most.share ? "Luck: nobody averages that. " : "";
  const lead = mine.length >= ROUNDS ? `${mine.length} rounds: you were right ${timesOver(right(mine))}. ${luck}` : best.length && !mine.length ? "" : last;
  const over = best.length && right(best) / best.length > most.share ? ", with some luck" : "";
  const bound = `${best.length ? `The best attacker: ${right(best)} of ${best.length}${over}. ` : ""}At epsilon ${attackEpsilon} nobody can average more than ${most.text}. A coin: ${coin.text}.${luck ? "" : " An exact count: always right."}`;
  byId("attack-says").textContent = mine.length >= ROUNDS || best.length ? `${lead}${bound}` : lead;
}

function guess(yes) {
  if (!secret) return;
  const was = secret;
  secret = null;
  mine = [...mine, yes === was.yes];
  last = `${yes === was.yes ? "Right" : "Wrong"}: ${was.number} was published, and they said ${was.yes ? "yes" : "no"}. `;
  showSecret(was.yes ? "yes" : "no");
  showScore();
}

async function goOn() {
  if (!await newRound()) return;
  last = `${secret.number} is published. What did they say? `;
  showScore();
}

// One that was pressed by a key is gone: the keys go to what stands in its place.
const passKeys = (detail, to) => {
  if (!detail) document.querySelector(`#attack ${to}`).focus({ preventScroll: true });
};

// A hundred rounds of whoever guesses what makes the number likelier.
async function guessBest() {
  const others = othersYes();
  const answers = Array.from({ length: 100 }, tossed);
  const numbers = [[], []];
  for (const yes of [0, 1]) numbers[yes] = await drawNumbers(answers.filter((one) => one === yes).length, others + yes);
  if (others !== othersYes()) return; // they belong to the group as it was
  best = [...best, ...answers.map((yes) => {
    const says = attackers[others].says[numbers[yes].pop()];
    return yes === Number(says > 0);
  })];
  showScore();
}

export function startAttack() {
  for (const button of document.querySelectorAll("[data-say]")) button.addEventListener("click", ({ detail }) => {
    guess(Number(button.dataset.say));
    passKeys(detail, "[data-next]");
  });
  document.querySelector("#attack [data-next]").addEventListener("click", async ({ detail }) => {
    await goOn();
    passKeys(detail, "[data-say]");
  });
  document.querySelector("[data-best]").addEventListener("click", guessBest);
  whenResized(showScore);
  withGroup(() => {
    [mine, best, secret, last] = [[], [], null, "Guess ten times, or as often as you like."];
    [...byId("known").children].forEach((person, k) => person.classList.toggle("yes", k < attacked - 1 && saysYes(k)));
    byId("attack-rule").textContent = attackers[othersYes()].rule;
    byId("attack-known").textContent = `${spelledOut[othersYes()]} of ${spelledOut[attacked - 1]} said yes.`;
    showScore();
    newRound();
  });
}
