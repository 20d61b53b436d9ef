// A file of people, pasted where the sizes of groups belong: it is counted here, in the page, by the columns that somebody ticks.
// The address of the page gets the names of the columns that are chosen and the sizes of the groups; groups are numbered, and nothing
// else of the file is sent or kept.

import { byId, element } from "./page.js";
import { coarserFirst, saysPlace, saysWho, written } from "./pasted.js";

// The groups by the columns ticked, in the order in which they come and the coarser column first, as rows that the studio reads: numbers stand for names.
function counted({ head, body }, ticked) {
  const columns = coarserFirst(ticked, body);
  const groups = new Map();
  const numbered = columns.map(() => new Map());
  const number = (known, name) => known.get(name) ?? known.set(name, known.size + 1).get(name);
  for (const row of body) {
    const key = columns.map((k, place) => number(numbered[place], row[k])).join(",");
    groups.set(key, (groups.get(key) ?? 0) + 1);
  }
  const rows = [...groups].map(([key, many]) => [key.split(","), many]);
  return { many: groups.size, text: written([...columns.map((k) => head[k]), "people"], rows) };
}

// The columns that may be asked about, by their names alone: what people answered decides nothing here.
function questionsIn({ head }) {
  return head.filter((name) => !/[:,;]/.test(name) && !saysPlace(name) && !saysWho(name));
}

// Ask which columns are meant. `use` gets what is public: sizes, questions, and who a row is about.
export function askPeople(place, found, { use, cancel, focus }) {
  const button = element("button", "", { type: "button" });
  const stop = element("button", "Cancel", { type: "button", class: "quiet" });
  const boxes = found.head.map((name, k) => {
    const box = element("input", "", { type: "checkbox", id: `people-${k}` });
    box.checked = saysPlace(name) && !saysWho(name);
    return box;
  });
  const chosen = () => boxes.flatMap((box, k) => (box.checked ? [k] : []));
  const who = element("select", "", { id: "people-who" });
  who.append(...["", ...found.head].map((name) => element("option", name || "none of these", { value: name })));
  who.value = found.head.find((name) => saysWho(name)) ?? "";
  const questions = questionsIn(found).map((name, k) => asking(name, k));
  const together = element("p", "", { class: "note", role: "status" });
  const picked = () => questions.filter(({ box }) => box.checked);
  const say = () => {
    const lacks = !chosen().length ? "Tick at least one column" : questions.length && !picked().length ? "Tick at least one question" : "";
    button.disabled = Boolean(lacks);
    button.textContent = lacks || `Use these ${counted(found, chosen()).many.toLocaleString("en")} groups`;
    for (const { box, answers } of questions) answers.parentNode.hidden = !box.checked;
    together.textContent = !chosen().length ? "" : countedTogether(found, chosen(), [who.value, ...picked().map(({ name }) => name)]);
  };
  const title = element("p");
  title.append(element("b", `A file of people: ${found.body.length.toLocaleString("en")} rows, one for each person.`),
    " It is counted in this page, and its groups are numbered. Their sizes, the names of the columns that you choose and the words that you type leave the page; nothing else does.");
  const buttons = element("p", "", { class: "actions" });
  buttons.append(button, " ", stop);
  place.replaceChildren(title,
    part("Which columns say to which group somebody belongs? They become public.", ...boxes.map((box, k) => labelled(box, found.head[k]))), together,
    part("Who is a row about?", labelled(who, "The column")),
    ...(questions.length ? [part("Which columns are questions?", ...questions.map(({ line }) => line))] : []),
    buttons);
  place.oninput = (event) => { event.stopPropagation(); say(); };
  byId("questions").oninput = () => { // a column that is typed there is one that is asked about
    for (const { name, box } of questions) box.checked ||= typedLine(name) !== undefined;
    say();
  };
  button.onclick = () => use({
    text: counted(found, chosen()).text,
    questions: picked().map(({ name, answers }) => [name, answers.value.trim()].filter(Boolean).join(": ")),
    who: who.value,
  });
  stop.onclick = cancel;
  say();
  if (focus) (boxes.find((box) => box.checked) ?? boxes[0]).focus();
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

// A column that may be a question; its answers may be typed. Without them it is one of yes or no, and the plan asks how that is written:
// the page does not look.
function asking(name, k) {
  const box = element("input", "", { type: "checkbox", id: `people-ask-${k}` });
  const answers = element("input", "", { type: "text", id: `people-answers-${k}` });
  const typed = typedLine(name);
  box.checked = typed !== undefined; // a question that stands in the entry already
  answers.value = typed?.split(":")[1]?.trim() ?? "";
  const line = element("span", "", { class: "asking" });
  const words = labelled(answers, "as the file writes its answers (of two, yes first)");
  for (const usual of ["yes, no", "1, 0"]) {
    const button = element("button", usual, { type: "button", class: "quiet small", "aria-label": `${name}: ${usual}` });
    button.onclick = () => { answers.value = usual; };
    words.append(" ", button);
  }
  line.append(labelled(box, name), words);
  return { name, box, answers, line };
}

// Rows that agree in the columns ticked are one group, though another column that names a place may tell them apart: that is said.
function countedTogether({ head, body }, columns, others) {
  const places = head.flatMap((name, k) => (saysPlace(name) && !columns.includes(k) && !others.includes(name) ? [k] : []));
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
