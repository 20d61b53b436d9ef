// A file of people, pasted where the sizes of groups belong: it is counted here, in the page, by the columns that somebody ticks.
// The address of the page gets the names of the columns that are chosen and the sizes of the groups; groups are numbered, and nothing
// else of the file is sent or kept.

import { byId, element } from "./page.js";

const LONGEST = 11000; // characters of the sizes that the studio reads; more groups than fit go without their columns
// Any of the words that the page's entry of sizes carries, which are those of the studio.
const anyOf = (name) => new RegExp(`\\b(?:${byId("sizes").dataset[name].replaceAll(" ", "|")})\\b`, "i");
const [SIZE, WHO] = ["people", "who"].map(anyOf);
const PLACE = /\b(region|county|district|area|school|class|year|grade|clinic|practice|hospital|ward|site|branch|team|department|group|household)\b/i;
const named = (pattern, name) => pattern.test(name.replaceAll("_", " "));
// How the answers of the question are written. The page does not look: somebody says it, or the plan says that nobody has.
const WRITTEN = { "": "not said yet", bits: "0 and 1", word: "one word means yes", answers: "several answers" };
const SEPARATORS = ["\t", ";", ","];

function cut(line, mark) {
  const cells = [""];
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === mark && !quoted) cells.push("");
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim().replace(/\s+/g, " "));
}

// The header and the rows of such a file; nothing where rows are groups with a number of people, or anything else.
function peopleIn(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const mark = SEPARATORS.find((one) => lines[0]?.includes(one));
  if (!mark || lines.length < 3) return null;
  const [head, ...body] = lines.map((line) => cut(line, mark));
  if (body.some((row) => row.length !== head.length) || !head.every((name) => /^\p{L}/u.test(name))) return null;
  const values = (k) => new Set(body.map((row) => row[k]));
  const numbers = (k) => [...values(k)].every((cell) => /^[0-9]+$/.test(cell));
  const last = head.length - 1;
  if (head.some((name, k) => SIZE.test(name) && numbers(k))) return null;
  const each = head.slice(0, -1).some((name, k) => named(WHO, name) && values(k).size === body.length);
  // a group has one row: where the columns before the last repeat, rows are people, whatever they answered
  const repeated = new Set(body.map((row) => row.slice(0, -1).join("\t"))).size < body.length;
  const bits = [...values(last)].every((cell) => cell === "0" || cell === "1");
  if (numbers(last) && !each && !repeated && !bits) return null;
  return { head, body };
}

// The groups by the columns ticked, in the order in which they come, as rows that the studio reads: numbers stand for names.
function counted({ head, body }, columns) {
  const groups = new Map();
  const numbered = columns.map(() => new Map());
  const written = (cells) => cells.map((cell) => (/[,;\t]/.test(cell) ? `"${cell}"` : cell)).join(",");
  const number = (known, name) => known.get(name) ?? known.set(name, known.size + 1).get(name);
  for (const row of body) {
    const key = columns.map((k, place) => number(numbered[place], row[k])).join(",");
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  const text = [`${written(columns.map((k) => head[k]))},people`, ...[...groups].map(([key, many]) => `${key},${many}`)].join("\n");
  if (text.length <= LONGEST) return { many: groups.size, text };
  const sizes = new Map();
  for (const many of groups.values()) sizes.set(many, (sizes.get(many) ?? 0) + 1);
  return { many: groups.size, text: [...sizes].sort(([a], [b]) => a - b).map(([size, many]) => `${many} of ${size}`).join(", ") };
}

// The columns that may be asked about, by their names alone: what people answered decides nothing here.
function questionsIn({ head }) {
  return head.filter((name) => !/[:,;]/.test(name) && !named(PLACE, name) && !named(WHO, name));
}

// Ask which columns are meant, if it is such a file; it leaves the entry at once, so that no request can carry it.
export function askPeople(entry, changed) {
  const place = byId("own-people");
  const found = peopleIn(entry.value);
  if (entry.value.trim()) place.hidden = true; // what was asked before is not about this
  if (!found) return false;
  entry.value = "";
  place.replaceChildren();
  const use = element("button", "", { type: "button" });
  const cancel = element("button", "Cancel", { type: "button", class: "quiet" });
  const boxes = found.head.map((name, k) => {
    const box = element("input", "", { type: "checkbox", id: `people-${k}` });
    box.checked = named(PLACE, name) && !named(WHO, name);
    return box;
  });
  const chosen = () => boxes.flatMap((box, k) => (box.checked ? [k] : []));
  const say = () => {
    use.disabled = !chosen().length;
    written.closest("span").hidden = !question.value;
    words.closest("span").hidden = !question.value || !["word", "answers"].includes(written.value);
    wordsLabel.textContent = written.value === "word" ? "Which word?" : "All of them, with commas";
    words.placeholder = written.value === "word" ? "yes" : "never, sometimes, often";
    use.textContent = use.disabled ? "Tick at least one column" : `Use these ${counted(found, chosen()).many.toLocaleString("en")} groups`;
  };
  const questions = questionsIn(found);
  const select = (id, options) => {
    const made = element("select", "", { id });
    made.append(...options.map(([value, text]) => element("option", text, { value })));
    return made;
  };
  const question = select("people-question", [["", "as typed above"], ...questions.map((name) => [name, name])]);
  const written = select("people-written", Object.entries(WRITTEN));
  const words = element("input", "", { type: "text", id: "people-words" });
  const wordsLabel = element("label", "", { for: words.id });
  const who = select("people-who", [["", "none of these"], ...found.head.map((name) => [name, name])]);
  who.value = found.head.find((name) => named(WHO, name)) ?? "";
  const end = (text) => {
    const picked = text && question.value;
    place.hidden = true;
    place.replaceChildren();
    entry.value = text;
    const told = words.value.trim();
    if (picked) {
      byId("questions").value = written.value === "answers" && told ? `${picked}: ${told}` : picked;
      byId("yes").value = { bits: "1", word: told }[written.value] ?? "";
    }
    if (text) byId("who").value = who.value;
    entry.focus();
    changed();
  };
  const ticks = element("p", "", { class: "ticks" });
  ticks.append(...boxes.map((box, k) => {
    const pair = element("span");
    pair.append(box, " ", element("label", found.head[k], { for: box.id }));
    return pair;
  }));
  const buttons = element("p", "", { class: "actions" });
  buttons.append(use, " ", cancel);
  const which = element("p", "", { class: "ticks" });
  const pairs = [[who, "Who a row is about"], [question, "The question"], [written, "Its answers are written as"]];
  for (const [control, label] of [...pairs, [words, wordsLabel]]) {
    const pair = element("span");
    pair.append(control === words ? label : element("label", label, { for: control.id }), " ", control);
    which.append(pair);
  }
  const title = element("p");
  title.append(element("b", `A file of people: ${found.body.length.toLocaleString("en")} rows, one for each person.`),
    " It is counted in this page. Its groups are numbered: the page's address gets their sizes, the names of the columns that you choose and the words that you type, nothing else. Which columns say to which group somebody belongs?");
  place.append(title, ticks, which, buttons);
  place.hidden = false;
  say();
  place.oninput = (event) => { event.stopPropagation(); say(); };
  use.onclick = () => end(counted(found, chosen()).text);
  cancel.onclick = () => end("");
  (boxes.find((box) => box.checked) ?? boxes[0]).focus();
  return true;
}
