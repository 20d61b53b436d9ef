// Screen 3: guess what the last one said. How often the best attacker is right comes from the library, exactly.

import { byId, data, element } from "./page.js";
import { drawLadder, drawWorlds, whenResized } from "./story_bars.js";
import { drawNumbers, uniform } from "./story_draws.js";
import { othersYes, saysYes, withGroup } from "./story_group.js";
import { glide, holdRoom } from "./story_moving.js";

const ROUNDS = 10;
const READ = 1500; // how long what they said is shown, beside the number that it made, in milliseconds
const { attack: attackers, best: most, epsilon: attackEpsilon, words: spelledOut, n: attacked, coin } = data();
let [mine, best, secret, round, last, played] = [[], [], null, 0, [], "mine"]; // `played`: whose rounds are on the picture

const tossed = () => Number(uniform(2n));
const right = (rounds) => rounds.filter((one) => one.right).length;

// The last one answers by a coin; what is published is drawn from the true count that makes. Whether there is a number.
async function newRound() {
  const now = ++round;
  const yes = tossed();
  const [number] = await drawNumbers(1, othersYes() + yes);
  if (now !== round) return false; // the group has changed since
  secret = { yes, number };
  const board = byId("attack-number");
  board.textContent = number;
  board.dataset.round = mine.length + 1;
  board.classList.remove("new");
  void board.offsetWidth; // so that it comes anew
  board.classList.add("new");
  showSecret("?");
  showRounds();
  return true;
}

// What they said, if it is out; then the guesses wait for the next number.
function showSecret(said) {
  byId("attack-secret").textContent = said;
  for (const one of ["yes", "no"]) byId("known").lastElementChild.classList.toggle(one, said === one);
  for (const button of document.querySelectorAll("[data-say]")) button.setAttribute("aria-disabled", said !== "?"); // it keeps the keys
}

function showRounds(fresh = 0) {
  const rounds = played === "best" ? best.slice(-100) : mine;
  const told = best.length > 0 || mine.length >= ROUNDS; // before, the rule is yours to find
  byId("attack-key").classList.toggle("gone", !told);
  drawWorlds(byId("attack-dots"), { rounds, fresh, n: attacked, split: told ? othersYes() : null, now: secret?.number,
    words: `Of the last ${rounds.length} guesses ${right(rounds)} were right.` });
}

function showScore() {
  const runners = [["you", mine], ...(best.length ? [["best attacker", best]] : [])].map(([who, rounds]) => ({
    share: rounds.length ? right(rounds) / rounds.length : coin.share, text: rounds.length ? `${who}: ${right(rounds)} of ${rounds.length}` : who, mine: who === "you" }));
  const words = `You: ${right(mine)} of ${mine.length} right. The best attacker: ${right(best)} of ${best.length}. A coin: ${coin.text}. The best attacker's average: ${most.text}.`;
  glide("attack-score", runners.map(({ share }) => share), (shares) => drawLadder(byId("attack-score"),
    runners.map((one, k) => ({ ...one, share: shares[k] })), [{ share: coin.share, text: `a coin: ${coin.text}`, side: "end" }, { share: most.share, text: `best: ${most.text}`, side: "start" }], words));
  byId("attack-says").replaceChildren(...(mine.length >= ROUNDS || best.length ? tallied() : last));
}

// Who was right how often, large; what nobody can better, small: the scale below shows how they compare.
function tallied() {
  const lucky = (rounds) => (rounds.length >= ROUNDS && right(rounds) / rounds.length > most.share ? ", by luck" : "");
  const lines = [["You", mine], ["The best attacker", best]].filter(([, rounds]) => rounds.length)
    .map(([who, rounds]) => element("strong", `${who}: ${right(rounds)} of ${rounds.length} right${lucky(rounds)}`));
  return [...lines, element("small", limit)];
}

const limit = `At epsilon ${attackEpsilon} nobody can beat the best attacker's average of ${most.text}. A coin: ${coin.text}. An exact count: always right.`;

function guess(yes) {
  if (!secret) return;
  const was = secret;
  secret = null;
  [mine, played] = [[...mine, { ...was, right: yes === was.yes }], "mine"];
  const [outcome, look] = yes === was.yes ? ["Right.", "hit"] : ["Wrong.", "miss"];
  last = [element("strong", outcome, { class: look }), `${was.number} was published, and they said ${was.yes ? "yes" : "no"}.`];
  showSecret(was.yes ? "yes" : "no");
  showRounds(1);
  showScore();
  setTimeout(goOn, READ, round);
}

// The next number comes by itself, unless the group has changed since.
async function goOn(from) {
  if (from !== round || !await newRound()) return;
  last = [`Last time: ${last.map((part) => part.textContent ?? part).join(" ").replace(/^./, (first) => first.toLowerCase())}`]; // what is published now stands on the board
  showScore();
}

// A hundred rounds of whoever guesses what makes the number likelier.
async function guessBest() {
  const others = othersYes();
  const answers = Array.from({ length: 100 }, tossed);
  const numbers = [[], []];
  for (const yes of [0, 1]) numbers[yes] = await drawNumbers(answers.filter((one) => one === yes).length, others + yes);
  if (others !== othersYes()) return; // they belong to the group as it was
  played = "best";
  best = [...best, ...answers.map((yes) => {
    const number = numbers[yes].pop();
    return { yes, number, right: yes === Number(attackers[others].says[number] > 0) };
  })];
  showRounds(100);
  showScore();
}

export function startAttack() {
  for (const button of document.querySelectorAll("[data-say]")) button.addEventListener("click", () => guess(Number(button.dataset.say)));
  document.querySelector("[data-best]").addEventListener("click", guessBest);
  whenResized(() => {
    showRounds();
    showScore();
  });
  withGroup(() => {
    const others = othersYes();
    [mine, best, secret, last, played] = [[], [], null, [`The true count is ${others} or ${others + 1}. Guess ten times, or as often as you like.`], "mine"];
    [...byId("known").children].forEach((person, k) => person.classList.toggle("yes", k < attacked - 1 && saysYes(k)));
    byId("attack-rule").textContent = attackers[others].rule;
    byId("attack-known").textContent = `${spelledOut[others]} of ${spelledOut[attacked - 1]} said yes.`;
    showRounds();
    showScore();
    newRound();
  });
  holdRoom(byId("attack-says"), [[element("strong", "You: 100 of 100 right, by luck"), element("strong", "The best attacker: 100 of 100 right, by luck"), element("small", limit)]]);
}
