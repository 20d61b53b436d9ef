// What stands in the box of group sizes: sizes as one types them, or a table, which is cut into cells here. Nothing of it is sent from here.

import { byId } from "./page.js";

const LONGEST = 11000; // characters of the sizes that the studio reads; more groups than fit go without their names
// Any of the words that the page's box of sizes carries, which are those of the studio.
const words = (name) => byId("sizes").dataset[name].replaceAll(" ", "|");
const anyOf = (name) => new RegExp(`\\b(?:${words(name)})\\b`, "i");
const [SIZE, WHO, PLACE] = ["people", "who", "place"].map(anyOf);
const PLACED = new RegExp(`^(?:${words("place")})(?:[ _](?:id|no|nr|number|code|name))?$`, "i");
// A whole name that says how many people: "patients", "number of people", "class size". "Count" and "smokers" may be what is to be protected.
const PEOPLE = words("people").split("|").filter((word) => !/^(?:number|count|total|rows)$/.test(word)).join("|");
const SIZED = new RegExp(`^(?:(?:n|no|nr|number|count|total)(?: of)? )?(?:${PEOPLE})(?: (?:count|number|total))?$|^(?:group|${words("place")}) sizes?$`, "i");
const spaced = (name) => name.replaceAll("_", " ");
export const saysSize = (name) => SIZE.test(spaced(name));
export const isSize = (name) => SIZED.test(spaced(name)); // and nothing else: "number of smokers" is none
export const saysWho = (name) => WHO.test(spaced(name));
export const saysPlace = (name) => PLACE.test(spaced(name));
export const isPlace = (name) => PLACED.test(name); // and nothing else: "smokers by clinic" is none

// "80 of 8", "48 classes of 18 to 28 people": groups as one types them.
const MANY = /(?<![\p{L}\d_.-])\d+\s*(?:(?:\p{L}+\s+)?of|x|×|\*)\s*(?:between\s+\d+\s+and\s+\d+|\d+(?:\s*(?:-|–|—|to)\s*\d+)?)(?![\p{L}\d_.])(?:[ \t]+(?!and\b|of\b)\p{L}+)?/giu;
const FILLERS = /^(?:and|people|persons|each|&|\+|)$/i;
const TOTAL = /^(?:(?:grand|sub)[ -]?)?totals?$|^sum$|^overall$|^all$/i;
const THOUSANDS = /^\d{1,3}(?:[,'’\u00a0\u2009\u202f ]\d{3})+$/;

const linesOf = (text) => text.replace(/^\ufeff/, "").split(/\r?\n|\r/).filter((line) => line.trim());

// A number of people, as spreadsheets write it: "1,200" and "8.0" too. NaN for anything else.
export function whole(cell) {
  if (THOUSANDS.test(cell)) return Number(cell.replace(/\D/g, ""));
  return /^\d+(?:\.0+)?$/.test(cell) ? Number(cell) : NaN;
}

const ANSWERS = /^(?:yes|no|y|n|true|false|t|f|positive|negative|pos|neg)?$/i;
export const isAnswer = (cell) => ANSWERS.test(cell);
// A number in any way of writing one: "37.5 %", "<5", "3/8".
export const isFigures = (cell) => /\d/.test(cell) && !/\p{L}/u.test(cell) && !cell.startsWith("#");

// Whether a text is a column of numbers with nothing beside them: of a spreadsheet it may be any, answers and counts too.
export const isColumn = (text) => linesOf(text).length > 1 && linesOf(text).every((line) => !Number.isNaN(whole(line.trim())));

// Whether a text is sizes and nothing else. Several columns of numbers are none: one of them may be counts. Nor is a 0, which no group has.
export function isSizes(text) {
  const lines = linesOf(text);
  if (lines.length > 1 && !text.match(MANY) && lines.some((line) => /\d[\s,;|]+\d/.test(line.trim()))) return false;
  return lines.every((line) => line.replace(MANY, " ").split(/[\s,;]+/).every((word) => (/^\d+$/.test(word) && Number(word) > 0) || FILLERS.test(word)));
}

// What may be one number or two, as it stands there: "1,200", in a text of numbers alone.
export const unclearNumber = (text) => (isSizes(text) || linesOf(text).every((line) => THOUSANDS.test(line.trim()))) && text.match(/(?<![\d.])\d{1,3}[, ]\d{3}(?!\d|\s*(?:of|x|×|\*)|\s+\p{L}+\s+of)/iu)?.[0] || "";

// Cells between marks; a mark or a new line between quotes is part of a cell.
function cut(text, mark) {
  const rows = [[""]];
  let quoted = false;
  for (const letter of text) {
    const row = rows.at(-1);
    if (letter === '"' && (quoted || !row.at(-1).trim())) quoted = !quoted;
    else if (letter === mark && !quoted) row.push("");
    else if (letter === "\n" && !quoted) rows.push([""]);
    else row[row.length - 1] += letter;
  }
  return rows.map((row) => row.map((cell) => cell.trim().replace(/\s+/g, " ")));
}

// A name and a number with no mark between them but spaces, a colon or a dash: the number is last, or else first.
function spacedCells(lines) {
  const words = lines.map((line) => line.trim().split(/\s+/));
  const across = words[0].length;
  const below = words.slice(1);
  const numbers = words[0].filter((_, k) => below.length && below.every((row) => !Number.isNaN(whole(row[k] ?? "")))).length;
  if (across > 1 && words.every((row) => row.length === across) && (numbers > 1 || (across === 2 && !words.some((row) => /[:=–—-]$/.test(row[0]))))) return words;
  const [last, first] = [/^(.*?[^\s:=–—-])[\s:=–—-]+(\d[\d,'’]*)$/, /^(\d[\d,'’]*)[\s:=–—-]+(\D.*)$/];
  const body = lines.map((line) => line.trim());
  for (const pattern of [last, first]) {
    const found = body.map((line) => line.match(pattern)?.slice(1));
    if (found.every(Boolean)) return found;
    if (found.length > 1 && found.slice(1).every(Boolean) && across > 1) { // below a line of names
      const named = [words[0].slice(0, -1).join(" "), words[0].at(-1)];
      return [pattern === last ? named : [words[0][0], words[0].slice(1).join(" ")], ...found.slice(1)];
    }
  }
  return body.map((line) => [line]);
}

// The names of the columns, all rows below them, and those that are no totals. Nothing where there is no table.
export function readTable(text) {
  const lines = linesOf(text);
  if (!lines.length) return null;
  const marks = ["\t", "|", ";", ","];
  const mark = marks.find((one) => lines.every((line) => line.includes(one))) ?? marks.find((one) => lines[0].includes(one));
  let rows = mark ? cut(lines.join("\n"), mark) : spacedCells(lines);
  if (mark === "|") { // a table as Markdown has it
    rows = rows.filter((row) => !row.every((cell) => /^:?-*:?$/.test(cell)));
    if (rows.every((row) => row[0] === "")) rows = rows.map((row) => row.slice(1));
  }
  rows = rows.filter((row) => row.some(Boolean));
  const across = Math.max(0, ...rows.map((row) => row.findLastIndex(Boolean) + 1));
  rows = rows.map((row) => Array.from({ length: across }, (_, k) => row[k] ?? ""));
  if (!rows.length) return null;
  const [first, ...below] = rows;
  const counts = first.some((_, k) => below.length && below.filter((row) => isFigures(row[k])).length * 2 > below.length);
  const headed = below.length > 0 && !first.some(isFigures) && (counts || first.every((name) => /^\p{L}/u.test(name)));
  const named = (name, k) => name.replace(/[;\t"]/g, " ").trim() || `column ${k + 1}`;
  const all = headed ? below : rows;
  const body = all.filter((row) => !TOTAL.test(row.find(Boolean)));
  return { headed, head: first.map((name, k) => (headed ? named(name, k) : `column ${k + 1}`)), all, body };
}

// Columns that name groups, one that holds another before it: of a region and its offices, the region is first.
export function coarserFirst(columns, rows) {
  const names = (k) => new Set(rows.map((row) => row[k])).size;
  const lies = (fine, coarse) => { // each name of the one stands under one name of the other
    const above = new Map();
    return rows.every((row) => (above.get(row[fine]) ?? above.set(row[fine], row[coarse]).get(row[fine])) === row[coarse]);
  };
  const ordered = [];
  for (const k of columns) {
    const at = ordered.findIndex((one) => names(k) < names(one) && lies(one, k));
    ordered.splice(at < 0 ? ordered.length : at, 0, k);
  }
  return ordered;
}

// Groups as the studio reads them, their size last. A name that is a number is marked as a name.
export function written(head, groups) {
  const cell = (text) => (/[,;\t"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const name = (text) => cell(isFigures(text) ? `#${text}` : text || "(empty)");
  const lines = groups.map(([names, size]) => [...names.map(name), size].join(","));
  const text = [...(head ? [head.map(cell).join(",")] : []), ...lines].join("\n");
  return text.length <= LONGEST ? text : sizesAlone(groups);
}

// How many groups there are of each size.
export function sizesAlone(groups) {
  const sizes = new Map();
  for (const [, size] of groups) sizes.set(size, (sizes.get(size) ?? 0) + 1);
  return [...sizes].sort(([a], [b]) => a - b).map(([size, many]) => `${many} of ${size}`).join(", ");
}
