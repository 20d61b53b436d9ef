// A table with a row for each group, pasted where the sizes of groups belong. Somebody says which column has the number of people and which
// name the groups: these leave the page, and the names of columns of counts. All else stays in it, whatever it is.

import { element } from "./page.js";
import { coarserFirst, isAnswer, isFigures, isPlace, isSize, saysPlace, saysSize, saysWho, sizesAlone, whole, written } from "./pasted.js";

const NAME = "names the group (public)";
const SIZE = "number of people (public)";
const COUNT = "a count to protect: stays here";
const STAYS = "stays here";

const numbersIn = ({ body }, k) => body.filter((row) => !Number.isNaN(whole(row[k]))).length;
const mostly = (many, { body }) => 2 * many > body.length;

// The columns that may have the number of people: whole numbers, in most rows at least.
const numeric = (table) => table.head.flatMap((_, k) => (mostly(numbersIn(table, k), table) ? [k] : []));

// How sure it is that rows are groups: a column is called a number of people ("yes"), or some column may be one ("maybe").
export function mayBeGroups(table) {
  const { head, headed, body } = table;
  const [numbers, who, last] = [numeric(table), headed && head.some(saysWho), head.length - 1];
  if (!numbers.length) return "no";
  if (headed && numbers.some((k) => saysSize(head[k]) && (k === last || !who))) return "yes";
  if (head.length === 1) return "yes";
  const texts = head.flatMap((_, k) => (numbers.includes(k) ? [] : [k]));
  const keys = texts.length ? texts : head.map((_, k) => k).slice(0, -1);
  const alone = new Set(body.map((row) => keys.map((k) => row[k]).join("\t"))).size === body.length;
  const whoHere = who && head.length > 2;
  const bits = numbers.every((k) => body.every((row) => whole(row[k]) <= 1));
  if (!headed && head.length === 2 && alone && !bits) return "yes";
  const lastAlone = new Set(body.map((row) => row.slice(0, -1).join("\t"))).size === body.length;
  return (alone || lastAlone) && !whoHere && !bits ? "maybe" : "no";
}

// What each column is taken for until somebody says otherwise: a column of numbers is public only if its whole name says what it is, and
// with names above the columns, so are the names of groups.
export function rolesOf(table) {
  const { head, headed, body } = table;
  const numbers = numeric(table);
  const called = headed ? numbers.filter((k) => isSize(head[k])) : [];
  const size = called.length === 1 ? called[0] : -1;
  const figures = (k) => mostly(body.filter((row) => isFigures(row[k])).length, table);
  const answers = (k) => body.every((row) => isAnswer(row[k]));
  const texts = head.flatMap((_, k) => (k === size || figures(k) || answers(k) ? [] : [k]));
  const places = texts.filter((k) => headed && saysPlace(head[k]));
  const names = [...(headed ? places : texts.slice(0, 1)), ...head.flatMap((name, k) => (k !== size && figures(k) && headed && isPlace(name) ? [k] : []))];
  return head.map((_, k) => (k === size ? SIZE : names.includes(k) ? NAME : numbers.includes(k) && headed ? COUNT : STAYS));
}

// What is public of the rows, by what somebody says that columns are; or what is wrong with that.
export function publicRows(table, roles) {
  const { head, headed, body } = table;
  const all = (role) => roles.flatMap((one, k) => (one === role ? [k] : []));
  const [sizes, names] = [all(SIZE), coarserFirst(all(NAME), body)];
  if (sizes.length !== 1) return { problem: sizes.length ? "Only one column can be the number of people." : "Say which column has the number of people in each group. If none has, add one: a plan is made of these numbers." };
  const [size] = sizes;
  const row = (place) => `Row ${place + 1}${headed ? " below the header" : ""}`;
  const bad = body.findIndex((one) => !(whole(one[size]) > 0));
  if (bad >= 0) return { problem: `${row(bad)} has no whole number above 0 in ${head[size]}: write how many people the group has, or leave the row out.` };
  const seen = new Set();
  for (const [place, one] of body.entries()) {
    const key = names.map((k) => one[k]).join("\t");
    if (names.length && seen.has(key)) return { problem: `${row(place)} names a group again. Add up rows that are one group; if another public column tells them apart, choose it too.` };
    seen.add(key);
  }
  const groups = body.map((one) => [names.map((k) => one[k]), whole(one[size])]);
  const counts = all(COUNT).map((k) => head[k]).filter((name) => !/[:,;]/.test(name));
  const text = names.length ? written(headed ? [...names.map((k) => head[k]), head[size]] : null, groups) : sizesAlone(groups);
  const nameless = names.length > 0 && !text.includes("\n") && groups.length > 1;
  return { text, nameless, questions: counts, counted: counts.length ? head[size] : "", many: groups.length };
}

// Ask what the columns are. `use` gets what is public; `people` is for who says that rows are people.
export function askGroups(place, table, { use, people, cancel, focus }) {
  const { head, body, all } = table;
  const numbers = numeric(table);
  const guessed = rolesOf(table);
  const selects = head.map((name, k) => {
    const select = element("select", "", { id: `group-${k}` });
    const offered = [...(body.every((row) => isAnswer(row[k])) ? [] : [NAME]), ...(numbers.includes(k) ? [SIZE] : []), ...(numbers.includes(k) && table.headed ? [COUNT] : []), STAYS];
    select.append(...offered.map((role) => element("option", role, { value: role })));
    select.value = guessed[k];
    return select;
  });
  const title = element("p");
  title.append(element("b", `A table of ${body.length.toLocaleString("en")} group${body.length === 1 ? "" : "s"}: what may leave this page?`),
    " Nothing of it has. Only what you call public will be sent and stand in the address.", all.length > body.length ? " The row of totals is left out." : "");
  const asked = element("fieldset");
  const ticks = element("div", "", { class: "ticks" });
  ticks.append(...selects.map((select, k) => {
    const line = element("span", "", { class: "asking" });
    line.append(element("label", head[k], { for: select.id }), select);
    return line;
  }));
  asked.append(element("legend", "What is in each column? Never make public what people answered, nor how many did."), ticks);
  const said = element("p", "", { class: "note", role: "status" });
  const button = element("button", "", { type: "button" });
  const rowsArePeople = element("button", "Each row is a person", { type: "button", class: "quiet" });
  const stop = element("button", "Cancel", { type: "button", class: "quiet" });
  const actions = element("p", "", { class: "actions" });
  actions.append(button, " ", ...(head.length > 1 ? [rowsArePeople, " "] : []), stop);
  const found = () => publicRows(table, selects.map((select) => select.value));
  const say = () => {
    const { problem = "", text, nameless, many, questions, counted } = found();
    button.disabled = Boolean(problem);
    button.textContent = problem ? "Use these groups" : `Use ${many === 1 ? "this group" : `these ${many.toLocaleString("en")} groups`}`;
    const [first, second, ...rest] = (text ?? "").split("\n");
    const begins = [first, second].filter(Boolean).join(" / ");
    const shown = `${begins.length > 90 ? `${begins.slice(0, 90)} …` : begins}${rest.length && begins.length <= 90 ? " / …" : ""}`;
    said.textContent = problem || `Will be sent: “${shown}”${counted ? `, and of ${questions.join(" and ")} the name alone` : ""}.${nameless ? " Sizes alone: so many names do not fit into an address." : ""}`;
  };
  place.oninput = (event) => { event.stopPropagation(); say(); };
  button.onclick = () => use(found());
  rowsArePeople.onclick = people;
  stop.onclick = cancel;
  place.replaceChildren(title, asked, said, actions);
  say();
  if (focus) selects[0].focus();
}
