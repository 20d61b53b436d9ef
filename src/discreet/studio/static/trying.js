// Five things to try, one at a time, for whoever opens the page for the first time. When one is done, here or where it stands, the
// next is offered.

import { byId } from "./page.js";

const KEY = "discreet-studio-tried";
const WHERE = { you: "#crowd .you", draw: "[data-draw='100']", fair: "#property-F", learn: "#tab-learn", months: "[data-publish]" };

// A browser may forbid to remember; then they are offered again.
function remembered(value) {
  try {
    if (value) localStorage.setItem(KEY, value);
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function close() {
  byId("try").hidden = true;
  remembered("yes");
}

function tick(step) {
  const item = document.querySelector(`[data-try=${step}]`).parentNode;
  if (item.classList.contains("done")) return;
  item.classList.add("done");
  document.querySelector("#try .now").classList.remove("now");
  const next = document.querySelector("#try li:not(.done)");
  if (next) return next.classList.add("now");
  byId("tried").hidden = false;
  remembered("yes");
}

// A step is done by its control, wherever the page shows it.
function go(step) {
  if (!step) return close();
  byId(["learn", "months"].includes(step) ? "tab-learn" : "tab-watch").click();
  const control = document.querySelector(WHERE[step]);
  if (step === "fair") byId("fold").open = true;
  control.focus();
  if (step !== "learn") control.click();
  if (step === "learn") byId("known").scrollIntoView();
  if (step === "months") byId("monthly").scrollIntoView();
}

// What the third step took away is there again for those after it, which compare two mechanisms.
let unticked = false;
function restore() {
  const fair = document.querySelector(WHERE.fair);
  if (!unticked) return;
  unticked = false;
  if (fair.checked) return;
  fair.checked = true;
  fair.dispatchEvent(new Event("input", { bubbles: true }));
}

export function startTrying() {
  if (location.search || remembered()) return; // a setting that was shared is to be looked at
  byId("try").hidden = false;
  document.addEventListener("click", ({ target }) => {
    const step = target.closest("[data-try]");
    if (step) go(step.dataset.try);
    else if (target.closest(WHERE.draw)) tick("draw");
    else if (target.closest(WHERE.months)) tick("months");
    else if (target.closest("#crowd span")) tick("you");
  });
  document.addEventListener("input", ({ target }) => {
    if (target.matches(WHERE.fair)) {
      unticked = !target.checked && !byId("try").hidden;
      tick("fair");
    }
    else if (target.id === "count") tick("you");
  });
  new MutationObserver(() => {
    if (byId("results").dataset.view !== "learn") return;
    restore();
    tick("learn");
  }).observe(byId("results"), { attributeFilter: ["data-view"] });
}
