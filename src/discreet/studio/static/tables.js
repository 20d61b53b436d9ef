// The numbers of a column and of the whole design as tables, filled when they are opened; and exact chances as fractions.

import { asked, byId, data, element, shown } from "./page.js";
import { shownCount } from "./pictures.js";

const exactly = new Map(); // the exact chances of a column, by setting and count

// An exported page carries them.
export async function fractions(count) {
  const kept = data().exact?.[count];
  if (kept) return kept;
  const query = new URLSearchParams(shown().slice(1));
  query.set("count", count);
  const key = String(query);
  if (!exactly.has(key)) {
    if (exactly.size > 100) exactly.clear();
    exactly.set(key, asked(`/exact?${key}`).then((answer) => answer.json()));
  }
  return exactly.get(key);
}

function fill(table, titles, rows) {
  const line = (texts, first, attributes) => {
    const row = element("tr", "", attributes);
    row.append(...texts.map((text, k) => element(k && first ? "td" : "th", String(text), k && first ? {} : { scope: first ? "row" : "col" })));
    for (const cell of row.children) if (cell.textContent.length > 16) cell.className = "exact-text";
    return row;
  };
  const [head, body] = [element("thead"), element("tbody")];
  head.append(line(titles, false));
  body.append(...rows.map(({ texts, marked }) => line(texts, true, marked ? { class: "yours" } : {})));
  table.replaceChildren(head, body);
}

export async function fillColumn(drawn) {
  if (!byId("column-details").open || document.body.dataset.valid === "no") return;
  const count = shownCount();
  const exact = await fractions(count).catch(() => [[], []]);
  if (count !== shownCount()) return;
  const side = (k, answer) => {
    const chance = data().chances[k][count][answer];
    const times = drawn[k].length;
    const came = drawn[k].filter((one) => one === answer).length;
    return [chance.toFixed(4), exact[k][answer] ?? "", times ? came : "", times ? (times * chance).toFixed(1) : ""];
  };
  const titles = ["chance", "exactly", "drawn", "expected"];
  fill(byId("column-table"), ["answer", ...titles.map((t) => `${data().beside}: ${t}`), ...titles.map((t) => `yours: ${t}`)],
    data().chances[0][count].map((_, answer) => ({ texts: [answer, ...side(0, answer), ...side(1, answer)], marked: answer === count })));
}

export function fillMatrix() {
  if (!byId("matrix-details").open || document.body.dataset.valid === "no") return;
  const columns = data().chances[1];
  fill(byId("matrix-table"), ["answer", ...columns.keys()],
    columns.map((_, answer) => ({ texts: [answer, ...columns.map((column) => column[answer].toFixed(4))] })));
}
