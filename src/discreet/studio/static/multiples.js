// The small pictures of all that is compared, at another true count: their parts move by the rules by which they were drawn
// (`compared/small_columns.py`).

import { byId, wholePercents } from "./page.js";

const WHOLE = 260; // units of a picture's width
const APART = 44; // between two chances above bars
const within = (x) => Math.min(Math.max(x, 20), WHOLE - 20);
const LABELLED = 24; // units between two labels of the axis, below which one of them goes

function likelierThan(chances, count) {
  const found = chances.flatMap((chance, k) => (chance > chances[count] ? [k] : []));
  return found.length <= 2 ? found : [chances.indexOf(Math.max(...chances))];
}

export function showMultiples(count) {
  byId("count-again").value = count;
  byId("count-compared").textContent = count;
  const island = byId("multiples-numbers");
  if (!island) return;
  const columns = JSON.parse(island.textContent).map((mechanism) => mechanism[count]);
  if (columns.some((column) => !column)) return; // of another group size, which is on its way
  const top = Math.max(...columns.flat());
  document.querySelectorAll(".small-column").forEach((picture, at) => moveColumn(picture, columns[at], count, top));
}

function moveColumn(picture, chances, count, top) {
  const [step, inner, floor, edge] = ["step", "inner", "floor", "edge"].map((name) => Number(picture.dataset[name]));
  const middle = (k) => edge + (k + 0.5) * step;
  picture.querySelector(".band").setAttribute("x", edge + count * step);
  picture.querySelectorAll(".slim").forEach((bar, k) => {
    bar.setAttribute("y", floor - inner * chances[k] / top);
    bar.setAttribute("height", inner * chances[k] / top);
  });
  const named = [count, ...likelierThan(chances, count)];
  picture.querySelectorAll(".chance").forEach((label, k) => {
    const answer = named[k];
    label.textContent = answer === undefined ? "" : `${wholePercents(chances[answer])}%`;
    if (answer === undefined) return;
    const near = named.slice(1).map((one) => within(middle(one))).find((x) => Math.abs(middle(count) - x) < APART);
    const at = k || near === undefined ? middle(answer) : near + APART * Math.sign(middle(count) - near);
    label.setAttribute("x", within(at));
    label.setAttribute("y", floor - inner * chances[answer] / top - 5);
  });
  for (const end of picture.querySelectorAll(".end")) {
    end.textContent = Math.abs(end.dataset.says - count) * step < LABELLED ? "" : end.dataset.says;
  }
  const here = picture.querySelector(".here");
  here.textContent = count;
  here.setAttribute("x", middle(count));
  const words = named.slice(1).map((k) => `${k} (${wholePercents(chances[k])}%)`).join(", ");
  const frame = picture.closest("svg");
  const [name] = frame.getAttribute("aria-label").split(":");
  frame.setAttribute("aria-label", `${name}: when the truth is ${count}, the truth in ${wholePercents(chances[count])}% of cases${words && `, and more often ${words}`}`);
}
