// Takes the parts of another answer into the page.

import { byId } from "./page.js";

// What waits for its numbers keeps the height that it had: nothing below it moves under a hand.
function put(part, fresh) {
  const high = part.offsetHeight;
  part.replaceChildren(...fresh.childNodes);
  part.style.minHeight = part.querySelector(".pending") ? `${high}px` : "";
}

// Put what is live in the answer into the page; the control in use is left alone.
export function apply(answer, { valid, everything }) {
  for (const fresh of answer.querySelectorAll("[data-live]")) {
    const shown = byId(fresh.id);
    const wanted = valid || fresh.classList.contains("problem");
    if (shown && wanted && shown.innerHTML !== fresh.innerHTML) put(shown, fresh);
  }
  for (const fresh of answer.querySelectorAll("[data-sync]")) {
    const shown = byId(fresh.id);
    if (!shown) continue;
    const inUse = shown === document.activeElement && !everything;
    if (fresh.hasAttribute("aria-invalid")) shown.setAttribute("aria-invalid", "true");
    else shown.removeAttribute("aria-invalid");
    if (fresh.open || everything) shown.open = fresh.open;
    if (!valid && !everything) continue;
    if (fresh.dataset.state) shown.dataset.state = fresh.dataset.state;
    for (const name of ["max", "data-stops", "data-slides", "aria-valuetext"]) {
      if (fresh.hasAttribute(name)) shown.setAttribute(name, fresh.getAttribute(name));
    }
    if (inUse) continue;
    if (fresh.type === "checkbox" || fresh.type === "radio") shown.checked = fresh.checked;
    else if (fresh.tagName === "SELECT") {
      if (shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...[...fresh.options].map((o) => o.cloneNode(true)));
      shown.value = fresh.value;
    } else if ("value" in fresh) shown.value = fresh.value;
  }
}
