// The box of group sizes, and what of it is public. The box itself has no name, so no request and no address can carry it: they carry
// a hidden entry, which holds sizes as one types them, or the rows that somebody has said to be public.

import { askGroups, mayBeGroups } from "./groups.js";
import { byId, element } from "./page.js";
import { isColumn, isSizes, readTable, sizesAlone, unclearNumber, whole } from "./pasted.js";
import { askPeople } from "./people.js";

const REST = 400; // how long a hand must rest before what it types is asked about
const HOW = "write “80 of 8, 40 of 9” or “48 of 18 to 28”, or paste a row for each group with its name and its number of people.";
const box = byId("sizes");
export const publicSizes = byId("public-sizes");
const place = byId("own-people");
let published = publicSizes.value; // ... as the box shows it, unless something is asked about it
let timer = 0;
let foldedAtFirst = true;
let why = ""; // what stands in the box cannot be read

export const unread = () => why;

// Make something public; the box shows it, unless it is what stands there.
export function publish(text, counted = "", shown = true) {
  stopAsking();
  [published, publicSizes.value, byId("counted").value] = [text, text, counted];
  if (shown) box.value = text;
  foldedAtFirst = shown; // what somebody types on stays open
  sayNumbered();
}

// The public entry may have come from an address: the box follows it.
export function followAddress() {
  if (publicSizes.value !== published) publish(publicSizes.value, byId("counted").value);
}

function stopAsking() {
  clearTimeout(timer);
  place.hidden = true;
  place.replaceChildren();
  byId("questions").oninput = null;
  why = "";
}

// What is public in few words: of many rows how many groups there are of each size. Nothing of sizes as one types them.
const FEW_ROWS = 6;
const SHORT = 60; // characters
function summed() {
  const rows = publicSizes.value.split("\n").length > FEW_ROWS && readTable(publicSizes.value)?.body;
  const groups = (rows || []).map((row) => [row, whole(row.at(-1))]);
  if (!groups.length || groups.some(([, size]) => Number.isNaN(size))) return "";
  const all = sizesAlone(groups).replace(/(\d+) of/g, (_, many) => `${many} group${many === "1" ? "" : "s"} of`);
  const sizes = groups.map(([, size]) => size);
  return all.length <= SHORT ? all : `${groups.length} groups of ${Math.min(...sizes)} to ${Math.max(...sizes)}`;
}
export const sizesSaid = () => summed() || publicSizes.value;

// Many rows are folded to one, which opens when it is wanted, pressed or typed in.
function foldRows(folded = true) {
  const words = summed();
  box.classList.toggle("folded", Boolean(words) && folded);
  if (words && folded) {
    box.setSelectionRange(0, 0); // its first row is the one that is seen
    box.scrollTop = 0;
  }
  byId("sizes-rows").hidden = !words;
  byId("sizes-summed").textContent = words;
  byId("sizes-unfold").textContent = folded ? "Show rows" : "Hide rows";
  byId("sizes-unfold").setAttribute("aria-expanded", !folded);
}
byId("sizes-unfold").addEventListener("click", () => foldRows(!box.classList.contains("folded")));
box.addEventListener("pointerdown", () => foldRows(false));
box.addEventListener("keydown", ({ key }) => { if (key !== "Tab" && key !== "Shift") foldRows(false); });

function sayNumbered() {
  foldRows(foldedAtFirst);
  byId("sizes-numbered").hidden = !/\n#\d+,/.test(publicSizes.value);
}

// A table that is typed on: its columns are those that are public already.
function typedOn(text) {
  const [now, before] = [readTable(text), published.includes("\n") && readTable(published)];
  return Boolean(before && now) && before.head.length > 1 && now.headed === before.headed && String(now.head) === String(before.head);
}

// Something was typed or pasted. Sizes alone are public; of anything else it is asked what is, and until then nothing is sent. A column of
// numbers may be sizes or what is to be protected: it is asked about too, unless it is typed on from what is public.
// `changed` is called when what is public has changed, with whether more than the sizes has.
export function enterSizes(typed, changed) {
  const text = box.value;
  const same = typed && typedOn(text);
  if (same || (isSizes(text) && !unclearNumber(text) && ((typed && published) || !isColumn(text)))) {
    publish(text.replace(/^\ufeff/, ""), same ? byId("counted").value : "", false);
    return changed(false);
  }
  publish("", "", false);
  if (typed) timer = setTimeout(() => ask(text, changed, false), REST);
  else ask(text, changed, true);
  changed(false);
}

function ask(text, changed, focus) {
  const table = readTable(text);
  why = wrongWith(text, table);
  if (why) return changed(false);
  const use = ({ text: sizes, questions, counted = "", who = "" }) => {
    publish(sizes, counted);
    // a question that is no column of the table, such as that of an example, is not asked of it
    const known = (line) => !table.headed || table.head.includes(line.split(":")[0].trim());
    if (questions.length) byId("questions").value = questions.join("\n");
    else if (!byId("questions").value.split(/[\n;]/).every(known)) byId("questions").value = "";
    byId("yes").value = ""; // how another file was written
    byId("who").value = who;
    box.focus();
    changed(true);
  };
  const cancel = () => {
    stopAsking();
    box.focus();
  };
  const everybody = { ...table, body: table.all };
  const people = (to = true) => askPeople(place, everybody, { use, cancel, focus: to });
  const groups = (to = true) => askGroups(place, table, { use, people, cancel, focus: to });
  place.hidden = false;
  const sure = mayBeGroups(table);
  if (sure === "yes") return groups(focus);
  if (sure === "no") return people(focus);
  const [which, either] = [element("p"), element("p", "", { class: "actions" })]; // nothing is sent before somebody says which
  which.append(element("b", `Is each of the ${table.all.length.toLocaleString("en")} rows a group or a person?`), " Nothing of them has left this page.");
  const choices = [["A group, with its number of people", groups, ""], ["A person: count them here", people, "quiet"], ["Cancel", cancel, "quiet"]];
  either.append(...choices.flatMap(([words, act, look]) => {
    const button = element("button", words, { type: "button", class: look });
    button.onclick = () => act();
    return [button, " "];
  }));
  place.replaceChildren(which, either);
  if (focus) either.firstChild.focus();
}

// Why a text is neither sizes nor a table, with what to do.
function wrongWith(text, table) {
  const unclear = unclearNumber(text);
  if (unclear) return `The group sizes have ${unclear}, which may be one number or two: write ${unclear.replace(/\D/, "")}, or ${unclear.replace(/\D/, ", ")}.`;
  const lines = text.split(/\r?\n|\r/);
  const typed = lines.some((line) => line.split(/[,;\t]/).some((entry) => /\d\s*(?:of|x|×|\*)\s*\d/i.test(entry) && isSizes(entry)));
  const single = lines.filter((line) => line.trim()).length === 1;
  const names = table?.head.length === 1 && mayBeGroups(table) === "no" && new Set(table.all.map(String)).size === table.all.length;
  if (table && !typed && !names && !(single && (/^\s*[\d.-]/.test(text) || !/[,;|\t]/.test(text) || mayBeGroups(table) === "no"))) return "";
  const at = lines.findIndex((line) => line.trim() && !isSizes(line));
  const entry = (lines[at] ?? text).split(/[,;\t]/).find((one) => !isSizes(one)) ?? lines[at] ?? text;
  return `The group sizes must be numbers of people, not ${entry.trim().slice(0, 40)}${single ? "" : ` (line ${at + 1})`}: ${HOW}`;
}

sayNumbered();
