// What works in the page alone, served or exported: another column or row, draws, exact chances, words, copying.

import { copyText } from "./copying.js";
import { clearDraws, draw, fillDrawn, placeAgain } from "./draws.js";
import { layOut, startLayout } from "./layout.js";
import { byId, forget } from "./page.js";
import { cellAt, showBlind, showColumn, showRow } from "./pictures.js";
import { holdSentence } from "./sentence.js";
import { fillMatrix } from "./tables.js";
import { readOut, startTips } from "./tips.js";

const SHOW = { count: showColumn, answer: showRow, others: showRow };
const valid = () => document.body.dataset.valid === "yes";

// Whether a control is about what the page shows already.
export const inPage = (control) => control.id in SHOW && valid();

// Another setting is on the screen: what was made of the last one goes.
export function shownAnew(story = false) {
  forget();
  layOut();
  clearDraws();
  showRow();
  showBlind();
  fillMatrix();
  holdSentence(story);
}

export function startInPage(changed) {
  const show = (control) => {
    SHOW[control.id]();
    if (control.id === "count") clearDraws();
    changed(control);
  };
  document.addEventListener("input", (event) => { if (inPage(event.target)) show(event.target); });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-draw], [data-copy]");
    const cell = valid() && cellAt(event);
    if (button?.dataset.draw) draw(Number(button.dataset.draw));
    else if (button) copyText(button);
    else if (cell) {
      byId("count").value = cell.count;
      show(byId("count"));
    }
  });
  document.addEventListener("mousemove", (event) => { if (valid()) readOut(event); });
  byId("column-details").addEventListener("toggle", fillDrawn);
  byId("matrix-details").addEventListener("toggle", fillMatrix);
  startTips();
  startLayout(placeAgain);
  if (valid()) shownAnew();
  byId("gallery").open = !matchMedia("(max-width: 560px)").matches; // a page of its own on a narrow screen
}
