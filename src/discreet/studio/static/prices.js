// Prices and the recommendation take several designs more, so they follow the picture, one at a time.
// Each has a limit of its own, and then offers to be computed.

import { asked, byId } from "./page.js";

let asking = null;

export const stopPrices = () => asking?.abort();

export async function fetchPrices(query) {
  stopPrices();
  const mine = (asking = new AbortController());
  for (const pending of document.querySelectorAll(".pending[data-price]")) {
    await fetchPrice(pending.dataset.price, query, mine.signal);
    if (mine.signal.aborted) return false;
  }
  return true;
}

// The price of one property, or the recommendation; whoever asks for it by hand waits longer.
export async function fetchPrice(name, query, signal, long = false) {
  const path = name === "advice" ? "/advice" : `/price/${name}`;
  const place = byId(name === "advice" ? "advice" : `price-${name}`);
  try {
    const text = await (await asked(`${path}${query}${long ? "&long=1" : ""}`, { signal })).text();
    if (!signal?.aborted) place.innerHTML = text;
  } catch (problem) {
    if (!signal?.aborted) place.textContent = problem.message;
  }
}
