// The numbers of a column and of the whole design as tables, filled when they are opened; and exact chances as fractions.

import { asked, byId, data, element, pictured } from "./page.js";
import { shownCount } from "./pictures.js";

const exactly = new Map(); // the exact chances of a column, by setting and count
let filling = 0; // what was asked for before the newest is dropped: it may be of another setting

// An exported page carries them.
export async function fractions(count) {
  const kept = data().exact?.[count];
  if (kept) return kept;
  const key = pictured(count);
  if (!exactly.has(key)) {
    if (exactly.size > 100) exactly.clear();
    exactly.set(key, asked(`/exact?${key}`).then((answer) => answer.json()));
  }
  return exactly.get(key);
}

// A long fraction is broken at its stroke and nowhere else.
function wholeNumbers(cell) {
  const [above, ...below] = cell.textContent.split("/");
  cell.className = "exact-text";
  if (below.length) cell.replaceChildren(`${above}/`, element("wbr"), below.join("/"));
}

function fill(table, titles, rows) {
  const line = (texts, first, attributes) => {
    const row = element("tr", "", attributes);
    row.append(...texts.map((text, k) => element(k && first ? "td" : "th", String(text), k && first ? {} : { scope: first ? "row" : "col" })));
    for (const cell of row.querySelectorAll("td")) if (cell.textContent.length > 16) wholeNumbers(cell);
    return row;
  };
  const [head, body] = [element("thead"), element("tbody")];
  head.append(line(titles, false));
  body.append(...rows.map(({ texts, marked }) => line(texts, true, marked ? { class: "yours" } : {})));
  table.replaceChildren(head, body);
}

export async function fillColumn(drawn) {
  if (!byId("column-details").open || document.body.dataset.valid === "no") return;
  const mine = ++filling;
  const coming = fractions(shownCount());
  writeColumn(drawn, [[], []], true); // fractions of another setting are gone at once
  const exact = await coming.catch(() => [[], []]);
  if (mine === filling) writeColumn(drawn, exact, false);
}

function writeColumn(drawn, exact, busy) {
  const [count, times] = [shownCount(), drawn[0].length];
  const side = (k, answer) => {
    const chance = data().chances[k][count][answer];
    const came = drawn[k].filter((one) => one === answer).length;
    return [chance.toFixed(4), exact[k][answer] ?? "", ...(times ? [came, (times * chance).toFixed(1)] : [])];
  };
  const titles = ["chance", "exactly", ...(times ? ["drawn", "expected"] : [])];
  byId("column-table").setAttribute("aria-busy", busy);
  const other = data().beside.replace(/^the | mechanism$/g, ""); // short: it heads narrow columns
  const heads = data().same ? titles : [...titles.map((t) => `${other}: ${t}`), ...titles.map((t) => `yours: ${t}`)];
  const sides = data().same ? [1] : [0, 1]; // one set of columns where both are one mechanism
  fill(byId("column-table"), ["published", ...heads],
    data().chances[1][count].map((_, answer) => ({ texts: [answer, ...sides.flatMap((k) => side(k, answer))], marked: answer === count })));
}

export function fillMatrix() {
  if (!byId("matrix-details").open || document.body.dataset.valid === "no") return;
  const columns = data().chances[1];
  fill(byId("matrix-table"), ["published", ...columns.keys()],
    columns.map((_, answer) => ({ texts: [answer, ...columns.map((column) => column[answer].toFixed(4))] })));
}
