// Words explained where they stand, on focus, hover and touch; Escape puts the explanation away. And the exact chance of
// the cell under the pointer.

import { byId, data } from "./page.js";
import { cellAt, shownCount } from "./pictures.js";
import { fractions } from "./tables.js";

let explained = null;

function show(word) {
  explained = word;
  const tip = byId("tip");
  tip.textContent = word.dataset.tip;
  tip.hidden = false;
  const at = word.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  tip.style.top = `${at.bottom + height + 14 > innerHeight ? at.top - height - 6 : at.bottom + 6}px`;
  word.setAttribute("aria-describedby", "tip");
}

export function hideTip() {
  byId("tip").hidden = true;
  explained?.removeAttribute("aria-describedby");
  explained = null;
}

export function startTips() {
  const word = (event) => event.target.closest?.(".term");
  for (const kind of ["focusin", "mouseover", "click"]) {
    document.addEventListener(kind, (event) => { if (word(event)) { hideTip(); show(word(event)); } });
  }
  document.addEventListener("focusout", (event) => { if (word(event)) hideTip(); });
  document.addEventListener("mouseout", (event) => {
    if (word(event) && event.relatedTarget !== byId("tip") && word(event) !== document.activeElement) hideTip();
  });
  byId("tip").addEventListener("mouseleave", hideTip);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  addEventListener("scroll", () => { if (explained) show(explained); }, { passive: true, capture: true });
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
  const words = `${side ? "Your design" : data().beside}: true count ${count}, published ${answer}: ${data().chances[side][count][answer].toPrecision(4)}`;
  place.textContent = words;
  const exact = await fractions(count).catch(() => null);
  if (exact && mine === latest) place.textContent = `${words}, exactly ${exact[side][answer]}`;
}
