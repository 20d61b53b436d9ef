// Prices, scores and the recommendation take longer than the picture, so they follow it, one at a time.
// Each has a limit of its own, and then offers to be computed.

import { showMultiples } from "./multiples.js";
import { asked, byId } from "./page.js";
import { apply } from "./swap.js";

let asking = null;
const unfolded = new Set(); // the prices of which the reader wants to see more, whatever the setting

document.addEventListener("toggle", ({ target }) => {
  if (target.isConnected && target.matches(".more-of-price")) unfolded[target.open ? "add" : "delete"](target.parentNode.id);
}, true);

export const stopPrices = () => asking?.abort();

export async function fetchPrices(query) {
  stopPrices();
  const mine = (asking = new AbortController());
  const pending = [...document.querySelectorAll(".pending[data-price]")].map((one) => one.dataset.price);
  // what takes no other design comes first
  for (const name of pending.sort((a, b) => (b === "details") - (a === "details"))) {
    await fetchPrice(name, query, mine.signal);
    if (mine.signal.aborted) return false;
  }
  return true;
}

// The price of one property, scores and accuracy, or the recommendation; whoever asks for it by hand waits longer.
export async function fetchPrice(name, query, signal, long = false) {
  const alone = name === "advice" || name === "details";
  const place = byId(alone ? name.replace("details", "scores") : `price-${name}`);
  try {
    const text = await (await asked(`${alone ? `/${name}` : `/price/${name}`}${query}${long ? "&long=1" : ""}`, { signal })).text();
    if (signal?.aborted) return;
    if (name === "details") {
      apply(new DOMParser().parseFromString(text, "text/html"), { valid: true });
      showMultiples(Number(byId("count").value)); // which may have moved since they were asked for
    } else {
      place.innerHTML = text;
      place.style.minHeight = "";
      if (unfolded.has(place.id) && place.firstElementChild.matches("details")) place.firstElementChild.open = true;
    }
  } catch (problem) {
    if (!signal?.aborted) place.textContent = problem.message;
  }
}
