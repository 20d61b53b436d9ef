// The plan of a table of which only group sizes are typed in; asked for anew whenever what it depends on changes.

import { asked, byId, controls } from "./page.js";

let asking = null;
let timer = 0;

export function planTable(wait = 0) {
  clearTimeout(timer);
  asking?.abort();
  const place = byId("own-plan");
  if (!byId("sizes").value.trim()) {
    place.replaceChildren();
    place.dataset.state = "empty";
    return;
  }
  place.dataset.state = "stale";
  timer = setTimeout(async () => {
    const mine = (asking = new AbortController());
    try {
      const text = await (await asked(`/table${controls()}`, { signal: mine.signal })).text();
      if (mine.signal.aborted) return;
      place.innerHTML = text;
    } catch (problem) {
      if (mine.signal.aborted) return;
      place.textContent = problem.message;
    }
    place.dataset.state = "fresh";
  }, wait);
}

export function fillTable(button) {
  const [sizes, regions, answers] = button.dataset.table.split("|");
  Object.entries({ sizes, regions, answers }).forEach(([id, value]) => { byId(id).value = value; });
}
