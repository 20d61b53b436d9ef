// Words explained where they stand, on hover, touch and Enter; Escape puts the explanation away. One that only has the focus is explained to
// whoever listens, and covers nothing. And the exact chance of
// the cell under the pointer.

import { byId, capital, data } from "./page.js";
import { cellAt, shownCount } from "./pictures.js";
import { fractions } from "./tables.js";

let explained = null;
let pressed = false; // somebody points at the word, or presses it: the explanation is shown

function show(word, pointed) {
  [explained, pressed] = [word, pointed];
  byId("tip").textContent = word.dataset.tip;
  word.setAttribute("aria-describedby", "tip");
  placeTip();
}

// Beneath the word, or where there is room beside it: within the window, and over nothing that says what is wrong.
export function placeTip() {
  if (!explained || !pressed) return;
  const tip = byId("tip");
  tip.hidden = false;
  const at = explained.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const across = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const messages = [...document.querySelectorAll(".problem")].map((one) => one.getBoundingClientRect()).filter((one) => one.height);
  const free = ([left, top]) => left >= 8 && left + width <= innerWidth - 8 && top >= 8 && top + height <= innerHeight - 8 &&
    messages.every((one) => left >= one.right || one.left >= left + width || top >= one.bottom || one.top >= top + height);
  const found = [[across, at.bottom + 6], [across, at.top - height - 6], [at.right + 8, at.top], [at.left - width - 8, at.top]].find(free);
  const [left, top] = found ?? [across, at.bottom + 6];
  tip.style.left = `${left}px`;
  tip.style.top = `${top}px`;
}

export function hideTip() {
  byId("tip").hidden = true;
  explained?.removeAttribute("aria-describedby");
  explained = null;
}

export function startTips() {
  const word = (event) => event.target.closest?.(".term");
  for (const kind of ["focusin", "mouseover", "click"]) {
    document.addEventListener(kind, (event) => { if (word(event)) { hideTip(); show(word(event), kind !== "focusin"); } });
  }
  document.addEventListener("focusout", (event) => { if (word(event)) hideTip(); });
  document.addEventListener("mouseout", (event) => {
    if (word(event) && event.relatedTarget !== byId("tip") && word(event) !== document.activeElement) hideTip();
  });
  byId("tip").addEventListener("mouseleave", hideTip);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("scroll", placeTip, { passive: true, capture: true });
}

let latest = "";

// The bar of the column under the pointer.
function barAt(event) {
  const bar = event.target.closest?.("#column .bar");
  return bar ? { side: Number(bar.dataset.side), count: shownCount(), answer: Number(bar.dataset.at) } : null;
}

export async function readOut(event) {
  const step = event.target.closest?.("#steps .step");
  if (step) byId("step-readout").textContent = step.textContent;
  const bar = barAt(event);
  const cell = bar ?? cellAt(event);
  const place = byId(bar ? "bar-readout" : "readout");
  if (!cell || !place) return;
  const { side, count, answer } = cell;
  const mine = `${side} ${count} ${answer}`;
  if (mine === latest) return;
  latest = mine;
  const words = `${capital(side ? data().own : data().beside)}: true count ${count}, published ${answer}: ${data().chances[side][count][answer].toPrecision(4)}`;
  place.textContent = words;
  const exact = await fractions(count).catch(() => null);
  if (exact && mine === latest) place.textContent = `${words}, exactly ${exact[side][answer]}`;
}
