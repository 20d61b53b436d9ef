// The page that a web server can carry: settings chosen when it was made, each with its exact numbers and its draws.

import { shownAnew, startInPage } from "./inpage.js";
import { byId } from "./page.js";
import { apply } from "./swap.js";
import { startViews } from "./views.js";

function choose(place) {
  const kept = byId(`setting-${place}`);
  if (!kept) return;
  apply(kept.content.cloneNode(true), { valid: true, everything: true });
  shownAnew();
  for (const link of document.querySelectorAll(".stories a")) {
    if (link.hash === `#${place}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

startInPage(() => {});
startViews("watch");
window.addEventListener("hashchange", () => choose(location.hash.slice(1) || "0"));
if (location.hash) choose(location.hash.slice(1));
document.body.dataset.ready = "yes";
