// Screen 1: answer, and see an exact count give you away to whoever subtracts the others.

import { byId, data } from "./page.js";
import { narrow, redraw, roomFor, shape, still, whenResized } from "./story_bars.js";
import { holdRoom } from "./story_moving.js";
import { changeAnswer, hasAnswered, inAll, othersYes, saysYes, withGroup, yourYes } from "./story_group.js";

const { n: patients, words: numbered } = data();
const ROW = 150; // as high as a row gets: more room is left empty below them

// Three rows of tokens: the count, what is known, and what is left. Each row comes after the one above it.
function drawSum(moving) {
  const picture = byId("answer-sum");
  const [wide, high] = roomFor(picture, 0.5);
  const answered = hasAnswered();
  const [published, others] = [inAll(), othersYes()];
  const rows = [
    ["published: how many said yes", answered ? published : "?", answered ? Array(published).fill("one") : [...Array(others).fill("one"), "unknown"]],
    [`your neighbour knows the other ${numbered[patients - 1]}`, `− ${others}`, Array(others).fill("subtracted")],
    ["what is left: you", answered ? `= ${published - others}` : "= ?", [answered ? (yourYes() ? "you" : "no") : "unknown"]],
  ];
  const [tall, step] = [Math.min(high / 3, ROW), (wide * 0.72) / patients];
  const size = Math.min(step * 0.4, tall * 0.24);
  const yes = Array.from({ length: patients }, (_, k) => k).filter((k) => saysYes(k));
  const parts = rows.flatMap(([name, amount, tokens], row) => {
    const middle = row * tall + tall * 0.62;
    const label = shape("text", { class: "label", "text-anchor": "start", x: 2, y: middle - size - 12 }, name);
    const sum = shape("text", { class: row === 2 ? "amount yours" : "amount", "text-anchor": "end", x: wide - 4, y: middle, "dominant-baseline": "central" }, amount);
    const made = tokens.map((look, k) => {
      const token = shape("circle", { class: `token ${look}`, r: size, cx: (k + 0.5) * step, cy: middle });
      if (row === 0) { // from whoever said yes into the count
        token.style.setProperty("--from-x", `${((yes[k] + 0.5) * wide) / patients - (k + 0.5) * step}px`);
        token.style.setProperty("--from-y", `${-middle - 40}px`);
      }
      return token;
    });
    for (const [k, one] of [...made, sum].entries()) {
      if (!moving || !answered || still.matches) break;
      one.classList.add(row === 0 && one !== sum ? "gathering" : "coming");
      one.style.animationDelay = `${row * 400 + k * 30}ms`;
    }
    return [label, ...made, sum];
  });
  parts.push(shape("line", { class: "sum", x1: wide * 0.74, x2: wide, y1: 2 * tall + 4, y2: 2 * tall + 4 }));
  redraw(picture, [wide, high], parts, answered ? `${published} published, less ${others} known, is ${published - others}: you said ${yourYes() ? "yes" : "no"}.` : "Nothing is published yet.");
}

function showAnswers(moving = true) {
  const answered = hasAnswered();
  for (const person of byId("crowd").children) {
    const k = Number(person.dataset.person);
    const yes = saysYes(k) && (answered || k < patients - 1);
    person.setAttribute("aria-pressed", yes);
    person.classList.toggle("yes", yes);
    person.classList.toggle("asked", !answered && k === patients - 1);
  }
  for (const button of document.querySelectorAll("[data-answer]")) {
    const yours = answered && (button.dataset.answer === "1") === yourYes();
    button.setAttribute("aria-pressed", yours);
    button.classList.toggle("quiet", answered && !yours);
  }
  drawSum(moving);
  const [others, said] = [othersYes(), yourYes() ? "yes" : "no"];
  byId("answer-says").textContent = answered
    ? givenAway(inAll(), numbered[others], said)
    : "Answer as you like: it stays in this page.";
}

const givenAway = (count, others, said) => `Published: ${count}. Your neighbour knows that ${others} of the others said yes, and subtracts: you said ${said}. An exact count gives you away.`;

export function startAnswer() {
  holdRoom(byId("answer-says"), [givenAway(patients, numbered[patients - 1], "yes")]);
  document.querySelector("#answer .actions").addEventListener("click", ({ target }) => {
    const button = target.closest("[data-answer]");
    if (!button) return;
    changeAnswer(patients - 1, button.dataset.answer === "1");
  });
  byId("crowd").addEventListener("click", ({ target }) => {
    const person = target.closest("[data-person]");
    if (!person) return;
    const k = Number(person.dataset.person);
    changeAnswer(k, (k === patients - 1 && !hasAnswered()) || !saysYes(k)); // your first press is a yes
  });
  whenResized(() => showAnswers(false));
  withGroup(showAnswers);
}
