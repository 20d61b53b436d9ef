// The plan of a table of which only group sizes are typed in; asked for anew whenever what it depends on changes.

import { asked, byId, controls } from "./page.js";

const FIELDS = ["sizes", "regions", "answers"];
const NOT_ASKED = ["n", "count", "answer", "beside", "story", "pin"]; // what a plan does not depend on
let asking = null;
let timer = 0;
let planned = ""; // what the plan that is shown was made of

// A plan takes longer than a picture, so it is made when somebody looks at it.
export function planTable(wait = 0) {
  const place = byId("own-plan");
  const query = new URLSearchParams(controls());
  for (const name of NOT_ASKED) query.delete(name);
  const wanted = String(query);
  if (wanted === planned && place.dataset.state === "fresh") return;
  clearTimeout(timer);
  asking?.abort();
  if (!byId("sizes").value.trim()) {
    place.replaceChildren();
    place.dataset.state = "empty";
    mark("");
    return;
  }
  place.dataset.state = "stale";
  if (byId("results").dataset.view !== "own") return;
  timer = setTimeout(async () => {
    const mine = (asking = new AbortController());
    try {
      const text = await (await asked(`/table${controls()}`, { signal: mine.signal })).text();
      if (mine.signal.aborted) return;
      place.innerHTML = text;
      mark(place.querySelector("[data-wrong]")?.dataset.wrong);
    } catch (problem) {
      if (mine.signal.aborted) return;
      place.textContent = problem.message;
    }
    planned = wanted;
    place.dataset.state = "fresh";
  }, wait);
}

// The entry that was refused is marked as one of the controls would be.
function mark(wrong) {
  for (const id of FIELDS) {
    if (id === wrong) byId(id).setAttribute("aria-invalid", "true");
    else byId(id).removeAttribute("aria-invalid");
  }
}

export function fillTable(button) {
  const values = button.dataset.table.split("|");
  FIELDS.forEach((id, k) => { byId(id).value = values[k]; });
}
