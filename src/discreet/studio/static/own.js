// The plan of a table of which only group sizes are typed in; asked for anew whenever what it depends on changes.

import { layOut } from "./layout.js";
import { asked, byId, controls } from "./page.js";

const FIELDS = ["sizes", "questions", "regions", "share"];
const ASKED = ["by", "epsilon", "alpha", "wishes", ...FIELDS]; // what a plan depends on
let asking = null;
let timer = 0;
let planned = ""; // what the plan that is shown was made of

// A plan takes longer than a picture, so it is made when somebody looks at it.
export function planTable(wait = 0) {
  const place = byId("own-plan");
  const query = new URLSearchParams(controls());
  const wanted = String(ASKED.map((name) => [name, ...query.getAll(name)]));
  if (wanted === planned && place.dataset.state === "fresh") return;
  clearTimeout(timer);
  asking?.abort();
  if (!byId("sizes").value.trim()) {
    place.replaceChildren();
    place.dataset.state = "empty";
    mark("");
    takeLines();
    return;
  }
  place.dataset.state = "stale";
  if (!["own", "take"].includes(byId("results").dataset.view)) return;
  timer = setTimeout(async () => {
    const mine = (asking = new AbortController());
    try {
      const text = await (await asked(`/table${controls()}`, { signal: mine.signal })).text();
      if (mine.signal.aborted) return;
      place.innerHTML = text;
      layOut();
      mark(place.querySelector("[data-wrong]")?.dataset.wrong);
    } catch (problem) {
      if (mine.signal.aborted) return;
      place.textContent = problem.message;
    }
    takeLines();
    planned = wanted;
    place.dataset.state = "fresh";
  }, wait);
}

// The lines that release the table are there for whoever takes things away, too.
function takeLines() {
  const lines = [["ledger-line", "take-ledger"], ["release-line", "take-release"]].map((ids) => ids.map(byId));
  const ready = lines.every(([from]) => from);
  if (ready) for (const [from, to] of lines) to.replaceChildren(...from.cloneNode(true).childNodes);
  byId("take-table").hidden = !ready;
  byId("take-none").hidden = ready;
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
  FIELDS.forEach((id, k) => { byId(id).value = values[k] ?? ""; });
  dropWish("");
}

// The properties of the table that are ticked.
export const wishes = () => [...document.querySelectorAll("[name=wishes]")];

// One of them is left out, or all.
export function dropWish(name) {
  for (const box of wishes()) if (!name || box.value === name) box.checked = false;
}
