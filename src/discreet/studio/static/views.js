// One idea at a time: the views of the page are tabs. Without a script they stand below each other.

import { byId } from "./page.js";

const NO_PICTURE = "Nothing can be shown yet"; // the address is wrong; one's own table does not depend on it
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
  // its question, and the sentence that answers it, stand above the picture
  if (document.body.dataset.valid === "yes" || document.body.dataset.ready) byId("question").textContent = name !== "own" && document.querySelector(".nothing") ? NO_PICTURE : byId(`view-${name}`).dataset.question;
  for (const says of document.querySelectorAll(".answer")) says.hidden = says.dataset.of !== name;
  document.querySelector(".skip").hash = name === "own" ? "#own-entries" : "#dials";
}

export function startViews(first, changed = () => {}) {
  const choose = (name) => { showView(name); changed(name); };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[role=tab], [data-turn]");
    if (!link) return;
    event.preventDefault();
    choose(link.dataset.turn ?? nameOf(link));
    const part = link.hash && byId(link.hash.slice(1));
    if (link.dataset.opens) {
      byId(link.dataset.opens).open = true;
      part.focus();
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
