// What works in the page alone, served or exported: another column or row, draws, exact chances, words, copying.

import { copyText } from "./copying.js";
import { changeAnswer, showCrowd, startCrowd, whatChanged } from "./crowd.js";
import { clearDraws, draw, fillDrawn, placeAgain } from "./draws.js";
import { layOut, startLayout } from "./layout.js";
import { forgetMonths, startMonths } from "./months.js";
import { showMultiples } from "./multiples.js";
import { byId, forget } from "./page.js";
import { cellAt, showBlind, showColumn, showRow, shownCount } from "./pictures.js";
import { holdSentence, saySentence } from "./sentence.js";
import { fillMatrix } from "./tables.js";
import { readOut, startTips } from "./tips.js";

const SHOWN = ["count", "answer", "others"];
let countBefore = 0; // the true count that was shown last
const valid = () => document.body.dataset.valid === "yes";

// Whether a control is about what the page shows already.
export const inPage = (control) => SHOWN.includes(control.id) && valid();

// Another setting is on the screen: what was made of the last one goes.
export function shownAnew(story = false) {
  forget();
  layOut();
  clearDraws();
  countBefore = shownCount();
  showCrowd(countBefore);
  saySentence(countBefore);
  showMultiples(countBefore);
  showRow();
  showBlind();
  forgetMonths();
  fillMatrix();
  holdSentence(story);
}

export function startInPage(changed) {
  const show = (control, person) => {
    if (control.id === "count") {
      const count = shownCount();
      showColumn(countBefore);
      if (count !== countBefore) clearDraws(whatChanged(countBefore, count, person));
      countBefore = count;
    } else {
      showRow();
      if (control.id === "others") forgetMonths();
    }
    changed(control);
  };
  document.addEventListener("input", ({ target }) => {
    const own = byId(target.dataset.mirrors);
    if (own) own.value = target.value;
    if (inPage(own ?? target)) show(own ?? target);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-draw], [data-copy]");
    const cell = valid() && cellAt(event);
    const person = valid() && event.target.closest("[data-person]");
    const other = valid() && event.target.closest("[data-other]:not(.you)");
    if (button?.dataset.draw) draw(Number(button.dataset.draw));
    else if (button) copyText(button);
    else if (cell || person) {
      byId("count").value = cell ? cell.count : changeAnswer(person);
      show(byId("count"), person);
    } else if (other) {
      byId("others").value = Number(byId("others").value) + (other.classList.contains("yes") ? -1 : 1);
      show(byId("others"));
    }
  });
  document.addEventListener("mousemove", (event) => { if (valid()) readOut(event); });
  byId("column-details").addEventListener("toggle", fillDrawn);
  byId("matrix-details").addEventListener("toggle", fillMatrix);
  startTips();
  startCrowd();
  startMonths();
  startLayout(placeAgain);
  if (valid()) shownAnew();
}
