// The page that a web server can carry: settings chosen when it was made, each with its exact numbers and its draws.
// Settings that differ in privacy only share a slider.

import { shownAnew, startInPage } from "./inpage.js";
import { dashesFor } from "./dashes.js";
import { CHANGED, clearDraws } from "./draws.js";
import { gliding } from "./gliding.js";
import { byId } from "./page.js";
import { showColumn } from "./pictures.js";
import { apply } from "./swap.js";
import { showView, startViews } from "./views.js";

const dials = JSON.parse(byId("privacies").textContent); // places and their privacy, from more private to less
const dialOf = (place) => dials.find((dial) => dial.some(([one]) => one === place));
const KEPT = ["count", "answer", "others"]; // what a hand on the slider does not want to lose

function choose(place, keep = false) {
  const values = KEPT.map((id) => byId(id).value);
  const leave = dashesFor(keep ? "dial" : "");
  gliding(() => {
    apply(byId(`setting-${place}`).content.cloneNode(true), { valid: true, everything: !keep });
    if (keep) KEPT.forEach((id, k) => { byId(id).value = values[k]; });
    shownAnew(!keep);
    showColumn();
    if (leave()) clearDraws(CHANGED);
  });
  showDial(place);
}

function showDial(place) {
  const dial = dialOf(place);
  const slider = byId("dial-slider");
  const at = dial.findIndex(([one]) => one === place);
  for (const part of [slider, byId("dial-ends")]) part.hidden = dial.length < 2;
  slider.max = dial.length - 1;
  slider.value = at;
  slider.setAttribute("aria-valuetext", dial[at][1]);
  for (const link of document.querySelectorAll(".stories a")) {
    if (dial.some(([one]) => link.hash === `#${one}`)) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// "#3-learn" is the view of what an answer gives away, of the fourth setting. Other addresses lead to a part of the page.
const isSetting = (place) => Boolean(byId(`setting-${place}`));
function ofAddress() {
  const [place, view] = location.hash.slice(1).split("-");
  return { place: place || "0", view: view || "watch" };
}
const hashOf = (place, view) => `#${place}${view === "watch" ? "" : `-${view}`}`;
let chosen = isSetting(ofAddress().place) ? ofAddress().place : "0";

document.addEventListener("input", (event) => {
  if (event.target.id !== "dial-slider") return;
  [chosen] = dialOf(chosen)[event.target.value];
  history.replaceState(null, "", hashOf(chosen, byId("results").dataset.view));
  choose(chosen, true);
});
startInPage(() => {});
startViews(ofAddress().view, (name) => history.pushState(null, "", hashOf(chosen, name)));
window.addEventListener("hashchange", () => {
  const { place, view } = ofAddress();
  if (!isSetting(place)) return;
  if (chosen !== place) choose(place);
  chosen = place;
  showView(view);
});
choose(chosen);
document.body.dataset.ready = "yes";
