// Words explained where they stand, on focus, hover and touch; Escape puts the explanation away. And the exact chance of
// the cell under the pointer.

import { byId, data } from "./page.js";
import { fractions } from "./draws.js";

let shown = null;

function show(word) {
  shown = word;
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
  shown?.removeAttribute("aria-describedby");
  shown = null;
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
  addEventListener("scroll", () => { if (shown) show(shown); }, { passive: true, capture: true });
}

let latest = "";

export async function readOut(event) {
  const cell = event.target.closest?.("#pictures [data-answer]");
  const place = byId("readout");
  if (!cell || !place) return;
  const { count, answer } = cell.dataset;
  const side = Number(cell.closest(".panel").dataset.side);
  const chance = data().chances[side][count][answer];
  const words = `${side ? "Your design" : "Left"}: true count ${count}, answer ${answer}: ${chance.toPrecision(4)}`;
  latest = `${side} ${count} ${answer}`;
  const mine = latest;
  place.textContent = words;
  const exact = await fractions(Number(count)).catch(() => null);
  if (exact && mine === latest) place.textContent = `${words}, exactly ${exact[side][answer]}`;
}
