// A file of people, pasted where the sizes of groups belong: it is counted here, in the page, by the columns that somebody ticks.
// The address of the page gets the names of the columns that are chosen and the sizes of the groups; groups are numbered, and nothing
// else of the file is sent or kept.

import { byId, element } from "./page.js";

const LONGEST = 11000; // characters of the sizes that the studio reads; more groups than fit go without their columns
// Any of the words that the page's entry of sizes carries, which are those of the studio.
const anyOf = (name) => new RegExp(`\\b(?:${byId("sizes").dataset[name].replaceAll(" ", "|")})\\b`, "i");
const [SIZE, WHO] = ["people", "who"].map(anyOf);
const PLACE = /\b(region|county|district|area|school|class|year|clinic|practice|hospital|ward|site|branch|team|department|group|household)\b/i;
const named = (pattern, name) => pattern.test(name.replaceAll("_", " "));
const SEPARATORS = ["\t", ";", ","];
// "8", "80 of 8", "48 classes of 18 to 28 people": an entry of sizes as one types it.
const TYPED = /^(?:[0-9]+(?:(?:\s+\p{L}+)?\s*(?:of|x|×|\*)\s*(?:between\s+[0-9]+\s+and\s+[0-9]+|[0-9]+(?:\s*(?:-|–|—|to)\s*[0-9]+)?))?(?:\s+\p{L}+)?)?$/iu;

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

// The header and the rows of what may be such a file. Of three lines or more only this is none: sizes as one types them, a name and a number
// in each line, and rows whose header names a number of people. `groups` is what was pasted, where its rows may be groups all the same,
// with their people in the last column.
function peopleIn(text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length < 3) return null;
  const mark = SEPARATORS.find((one) => lines[0].includes(one));
  const cells = lines.map((line) => cut(line, mark));
  const across = Math.max(...cells.map((row) => row.length));
  const even = cells.every((row) => row.length === across);
  const grid = even && across > 2 && cells.flat().every((cell) => /^[0-9]+$/.test(cell)); // answers may be numbers too
  if (!grid && lines.every((line) => line.split(/[,;\t]/).every((entry) => TYPED.test(entry.trim())))) return null;
  const rows = cells.map((row) => [...row, ...Array(across - row.length).fill("")]);
  const headed = rows[0].every((name) => /^\p{L}/u.test(name));
  if (!headed && even && across === 2 && rows.every((row) => /^[0-9]+$/.test(row[1]))) return null;
  const [head, body] = headed ? [rows[0], rows.slice(1)] : [rows[0].map((_, k) => `column ${k + 1}`), rows];
  const numbersIn = (k) => body.filter((row) => /^[0-9]+$/.test(row[k])).length;
  const saysWho = head.some((name) => named(WHO, name));
  const last = across - 1;
  // one that is no number is the studio's to tell, by its row
  const sized = (name, k) => SIZE.test(name) && 2 * numbersIn(k) > body.length && (k === last || !saysWho);
  if (headed && head.some(sized)) return null;
  // a group has one row: where the columns before the last repeat, or say who, rows are people, whatever they answered
  const names = new Set(body.map((row) => row.slice(0, -1).join("\t")));
  const may = numbersIn(last) === body.length && names.size === body.length && (across === 2 || !saysWho) && body.some((row) => Number(row[last]) > 1);
  return { head, body, groups: may ? text : "" };
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

// The names of the questions that are typed.
const namesIn = (text) => text.split(/[\n;]/).map((line) => line.split(":")[0].trim()).filter(Boolean);

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
  const rowsAreGroups = element("button", "A group: its people are in the last column", { type: "button" });
  const rowsArePeople = element("button", "A person: count them here", { type: "button", class: "quiet" });
  const boxes = found.head.map((name, k) => {
    const box = element("input", "", { type: "checkbox", id: `people-${k}` });
    box.checked = named(PLACE, name) && !named(WHO, name);
    return box;
  });
  const chosen = () => boxes.flatMap((box, k) => (box.checked ? [k] : []));
  const who = element("select", "", { id: "people-who" });
  who.append(...["", ...found.head].map((name) => element("option", name || "none of these", { value: name })));
  who.value = found.head.find((name) => named(WHO, name)) ?? "";
  const questions = questionsIn(found).map((name, k) => asking(name, k));
  const yes = element("input", "", { type: "text", id: "people-yes", placeholder: "1, or a word such as yes" });
  const yesLine = labelled(yes, "Yes is written as");
  const together = element("p", "", { class: "note", role: "status" });
  const picked = () => questions.filter(({ box }) => box.checked);
  const say = () => {
    const lacks = !chosen().length ? "Tick at least one column" : questions.length && !picked().length ? "Tick at least one question" : "";
    use.disabled = Boolean(lacks);
    use.textContent = lacks || `Use these ${counted(found, chosen()).many.toLocaleString("en")} groups`;
    for (const { box, answers } of questions) answers.parentNode.hidden = !box.checked;
    yesLine.hidden = !picked().some(({ answers }) => !answers.value.trim());
    together.textContent = !chosen().length ? "" : countedTogether(found, chosen(), [who.value, ...picked().map(({ name }) => name)]);
  };
  const end = (text) => {
    place.hidden = true;
    entry.value = text;
    if (text && picked().length) {
      byId("questions").value = picked().map(({ name, answers }) => [name, answers.value.trim()].filter(Boolean).join(": ")).join("\n");
      byId("yes").value = yesLine.hidden ? "" : yes.value.trim();
    }
    // a question that is no column of the file, such as that of an example, is not asked of it
    else if (text && namesIn(byId("questions").value).some((name) => !found.head.includes(name))) byId("questions").value = "";
    if (text) byId("who").value = who.value;
    place.replaceChildren();
    byId("questions").oninput = null;
    entry.focus();
    changed();
  };
  const title = element("p");
  title.append(element("b", `A file of people: ${found.body.length.toLocaleString("en")} rows, one for each person.`),
    " It is counted in this page. Its groups are numbered: the page's address gets their sizes, the names of the columns that you choose and the words that you type, nothing else.");
  const buttons = element("p", "", { class: "actions" });
  buttons.append(use, " ", cancel);
  const ofPeople = () => place.replaceChildren(title,
    part("Which columns say to which group somebody belongs? They become public.", ...boxes.map((box, k) => labelled(box, found.head[k]))), together,
    part("Who is a row about?", labelled(who, "The column")),
    ...(questions.length ? [part("Which columns are questions?", ...questions.map(({ line }) => line), yesLine)] : []),
    buttons);
  const asPeople = () => {
    ofPeople();
    say();
    (boxes.find((box) => box.checked) ?? boxes[0]).focus();
  };
  place.hidden = false;
  place.oninput = (event) => { event.stopPropagation(); say(); };
  byId("questions").oninput = () => { // a column that is typed there is one that is asked about
    for (const { name, box } of questions) box.checked ||= typedLine(name) !== undefined;
    say();
  };
  use.onclick = () => end(counted(found, chosen()).text);
  rowsAreGroups.onclick = () => {
    place.hidden = true;
    place.replaceChildren();
    entry.value = found.groups;
    entry.focus();
    changed();
  };
  rowsArePeople.onclick = asPeople;
  cancel.onclick = () => end("");
  if (!found.groups) asPeople();
  else { // it may be either: nothing is sent before somebody says which
    const [which, either] = [element("p"), element("p", "", { class: "actions" })];
    which.append(element("b", `Is each of the ${found.body.length.toLocaleString("en")} rows a group or a person?`), " Nothing of them has left this page.");
    either.append(rowsAreGroups, " ", rowsArePeople, " ", cancel);
    place.replaceChildren(which, either);
    rowsAreGroups.focus();
  }
  return true;
}

// A control and its label; a box stands before it.
function labelled(control, text) {
  const pair = element("span");
  const label = element("label", text, { for: control.id });
  pair.append(...(control.type === "checkbox" ? [control, " ", label] : [label, " ", control]));
  return pair;
}

// One thing that is asked.
function part(text, ...lines) {
  const asked = element("fieldset");
  const ticks = element("div", "", { class: "ticks" });
  ticks.append(...lines);
  asked.append(element("legend", text), ticks);
  return asked;
}

// The line of the questions that names a column, in small letters or large.
const typedLine = (name) => byId("questions").value.split(/[\n;]/).find((line) => line.split(":")[0].trim().toLowerCase() === name.toLowerCase());

// A column that may be a question; all its answers may be typed, and without them it is one of yes or no. The page does not look.
function asking(name, k) {
  const box = element("input", "", { type: "checkbox", id: `people-ask-${k}` });
  const answers = element("input", "", { type: "text", id: `people-answers-${k}`, placeholder: "yes or no" });
  const typed = typedLine(name);
  box.checked = typed !== undefined; // a question that stands in the entry already
  answers.value = typed?.split(":")[1]?.trim() ?? "";
  const line = element("span", "", { class: "asking" });
  line.append(labelled(box, name), labelled(answers, "all its answers, with commas"));
  return { name, box, answers, line };
}

// Rows that agree in the columns ticked are one group, though another column that names a place may tell them apart: that is said.
function countedTogether({ head, body }, columns, others) {
  const places = head.flatMap((name, k) => (named(PLACE, name) && !columns.includes(k) && !others.includes(name) ? [k] : []));
  const keyOf = (row) => columns.map((k) => row[k]).join("\t");
  for (const place of places) {
    const seen = new Map();
    for (const row of body) seen.set(keyOf(row), (seen.get(keyOf(row)) ?? new Set()).add(row[place]));
    const many = [...seen.values()].filter((values) => values.size > 1).length;
    if (many) {
      const names = columns.map((k) => head[k]).join(" and ");
      return `Rows of the same ${names} are counted together. In ${many.toLocaleString("en")} of these groups they differ in ${head[place]}: tick it too to keep them apart.`;
    }
  }
  return "";
}
