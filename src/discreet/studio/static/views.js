// One idea at a time: the views of the page are tabs. Without a script they stand below each other.

import { foldSpoken, isNarrow } from "./layout.js";
import { byId } from "./page.js";

const tabs = () => [...document.querySelectorAll("[role=tab]")];
const nameOf = (tab) => tab.id.slice("tab-".length);

export function showView(name) {
  if (!byId(`tab-${name}`)) return;
  for (const tab of tabs()) {
    const chosen = nameOf(tab) === name;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    byId(`view-${nameOf(tab)}`).hidden = !chosen;
  }
  byId("results").dataset.view = name;
  if (!isNarrow()) foldSpoken(); // on a phone it is as the reader left it
  document.querySelector(".skip").hash = name === "own" ? "#own-title" : "#dials";
}

export function startViews(first, changed = () => {}) {
  const choose = (name) => { showView(name); changed(name); };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[role=tab], [data-turn]");
    if (!link) return;
    event.preventDefault();
    choose(link.dataset.turn ?? nameOf(link));
    const part = link.hash && byId(link.hash.slice(1));
    if (part?.tagName === "DETAILS") {
      part.open = true;
      part.querySelector("summary").focus();
      part.scrollIntoView();
    } else if (link.dataset.turn) byId(`tab-${link.dataset.turn}`).focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.getAttribute?.("role") !== "tab") return;
    const all = tabs();
    const at = all.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[to % all.length].focus();
    choose(nameOf(all[to % all.length]));
  });
  showView("watch");
  showView(first);
}
