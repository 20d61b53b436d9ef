// The plan of a table of which only group sizes are typed in; asked for anew whenever what it depends on changes.

import { layOut } from "./layout.js";
import { asked, byId, controls, element } from "./page.js";
import { followAddress, publicSizes, publish, sizesSaid, unread } from "./sizes.js";
import { placeTip } from "./tips.js";

export const FIELDS = ["sizes", "questions", "regions", "share", "yes", "table_epsilon", "empty", "who", "file", "counted"];
export const entryOf = (id) => (id === "sizes" ? publicSizes : byId(id)); // that an address carries
const ASKED = ["wishes", ...FIELDS]; // what a plan depends on
let asking = null;
let timer = 0;
let planned = ""; // what the plan that is shown was made of
let [shownLines, shownRest] = [[], ""]; // ... its questions, and all else
let refused = null; // why there is no plan, beneath the entry that it is about
let pending = ""; // what the plan that is worked out is made of

// A plan takes longer than a picture, so it is made when somebody looks at it.
export function planTable(wait = 0) {
  const place = byId("own-plan");
  followAddress();
  showFields();
  const query = new URLSearchParams(controls());
  const wanted = String(ASKED.map((name) => [name, ...query.getAll(name)]));
  if (wanted === pending || (wanted === planned && place.dataset.state === "fresh")) return;
  clearTimeout(timer);
  asking?.abort();
  pending = "";
  if (!publicSizes.value.trim()) {
    place.replaceChildren(...(unread() ? [element("p", unread(), { class: "problem", "data-wrong": "sizes" })] : []));
    mark(unread() && "sizes");
    setState(unread() ? "fresh" : "empty");
    byId("own-entries").open = true; // there is nothing else to look at
    return;
  }
  if (refused || place.querySelector(":scope > .problem")) { // what was wrong with the entries before is not said of these
    place.replaceChildren();
    mark("");
  }
  const rest = String(ASKED.filter((name) => name !== "questions").map((name) => [name, ...query.getAll(name)]));
  keepSame(rest === shownRest && !byId("regions").value.trim());
  setState("stale");
  if (!["own", "take"].includes(byId("results").dataset.view)) return;
  pending = wanted;
  timer = setTimeout(async () => {
    const mine = (asking = new AbortController());
    const put = async (path) => {
      const text = await (await asked(`${path}${controls()}`, { signal: mine.signal })).text();
      if (mine.signal.aborted || !text.trim()) return false;
      place.innerHTML = text;
      [shownLines, shownRest] = [questionLines(), rest];
      layOut();
      mark(place.querySelector("[data-wrong]")?.dataset.wrong);
      return true;
    };
    try {
      // What takes no design of its own is there at once, and the rest follows.
      if (/[:,]/.test(byId("questions").value) && await put("/table/at-once")) setState("partly");
      if (mine.signal.aborted) return;
      await put("/table");
    } catch (problem) {
      if (!mine.signal.aborted) {
        mark("");
        place.replaceChildren(element("p", problem.message, { class: "problem" }));
      }
    }
    if (mine.signal.aborted) return;
    planned = wanted;
    pending = "";
    setState("fresh");
    await tryRemedies(mine.signal);
  }, wait);
}

const questionLines = () => byId("questions").value.split(/[\n;]/).map((line) => line.trim()).filter(Boolean);

// Questions share epsilon evenly, so where another one is changed, and nothing else, what is said of a question stays true.
function keepSame(only) {
  const [lines, parts] = [questionLines(), byId("own-plan").querySelectorAll(".part")];
  const comparable = only && lines.length === shownLines.length && lines.length === parts.length;
  parts.forEach((part, k) => part.classList.toggle("same", comparable && lines[k] === shownLines[k] && !part.matches(".being")));
  const changed = comparable ? lines.filter((line, k) => line !== shownLines[k]).map((line) => line.split(":")[0].trim()) : [];
  byId("own-what").textContent = changed.length && changed.length < lines.length ? `The plan of ${changed.join(" and ")}` : "The plan";
}

const example = () => document.querySelector("[data-table]");
const isExample = () => example().dataset.table.split("|").every((value, k) => entryOf(FIELDS[k]).value === value);

// The slider stands where the entry beside it says.
function showFields() {
  const lines = questionLines();
  byId("own-example").hidden = !isExample();
  if (publicSizes.value && !isExample()) leaveDesigns();
  byId("own-entered").textContent = [sizesSaid(), lines.join(", ") || "yes or no", `epsilon ${byId("table_epsilon").value}`].filter(Boolean).join("; ");
  const theirs = byId("tabs-epsilon").querySelector("button")?.value;
  byId("tabs-epsilon").hidden = !theirs || theirs === byId("table_epsilon").value;
  const [slider, typed] = [byId("table-slider"), Number(byId("table_epsilon").value)];
  if (!typed) return;
  const off = slider.dataset.stops.split(" ").map((stop) => Math.abs(stop - typed));
  slider.value = off.indexOf(Math.min(...off));
  slider.setAttribute("aria-valuetext", `epsilon = ${typed}`);
}

// What would help is tried change by change, a plan for each, as long as this is the table that is shown.
async function tryRemedies(signal) {
  const place = byId("own-remedies");
  try {
    for (let next; (next = place?.querySelector("[data-next]")?.dataset.next) !== undefined;) {
      const text = await (await asked(`/remedies${next && `/${next}`}${controls()}`, { signal })).text();
      if (signal.aborted) return;
      place.innerHTML = text;
    }
  } catch (problem) {
    if (signal.aborted) return;
    place.replaceChildren(element("p", problem.message, { class: "problem" }));
  }
  if (place) place.dataset.state = "done";
}

// There is no table, its plan is being worked out, is there in part, or is there. The lines that release the table, or why there are
// none, are there for whoever takes things away, too.
function setState(state) {
  const place = byId("own-plan");
  place.dataset.state = state;
  byId("table-promise").textContent = byId("own-promise")?.textContent ?? "";
  const stale = state === "stale" || state === "partly";
  place.setAttribute("aria-busy", stale);
  byId("own-working").hidden = state !== "stale";
  byId("own-dimmed").hidden = !place.children.length; // before the first plan nothing is
  const lines = [["ledger-line", "take-ledger"], ["release-line", "take-release"]].map((ids) => ids.map(byId));
  const ready = !stale && lines.every(([from]) => from);
  if (ready) for (const [from, to] of lines) to.replaceChildren(...from.cloneNode(true).childNodes);
  byId("take-table").hidden = !ready;
  byId("take-example").hidden = !isExample();
  byId("take-title").textContent = isExample() ? "Release a table" : "Release your own table";
  // what somebody has planned comes first; before that, what is on the screen
  const own = state !== "empty" && !isExample();
  const [first] = document.querySelectorAll("#view-take > .taking");
  if ((first.id === "take-own") !== own) byId("view-take").querySelector("h2").after(byId(own ? "take-own" : "take-design"));
  byId("take-unsaid").hidden = !place.querySelector(".unsaid");
  byId("take-none").hidden = state !== "empty";
  byId("take-working").hidden = !stale;
  const wrong = refused ?? place.querySelector(":scope > .problem");
  const waits = [...place.querySelectorAll(".unsaid")].map((one) => one.dataset.waits);
  const without = state === "fresh" && !ready;
  byId("take-refused").hidden = !without || !wrong;
  byId("take-held").hidden = !without || Boolean(wrong);
  byId("take-waits").textContent = `${waits.length === 1 ? "One question is" : `${waits.length} questions are`} left: ${waits.join(" ")}`;
  byId("take-epsilon").textContent = byId("table_epsilon").value;
  byId("take-reason").textContent = (wrong?.textContent ?? "").replace(/\.$/, "");
}

// The entry that was refused is marked as one of the controls would be, and what is wrong with it stands beneath it.
function mark(wrong) {
  refused?.remove();
  refused = FIELDS.includes(wrong) ? byId("own-plan").querySelector("[data-wrong]") : null;
  refused?.setAttribute("role", "alert");
  for (let fold = refused && byId(wrong).closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true;
  if (refused) {
    byId(wrong).closest(".wide").append(refused);
    byId("own-plan").append(element("p", "No plan yet: the entry that is marked has to be put right first.", { class: "note" }));
  }
  for (const id of FIELDS) {
    if (id === wrong) byId(id).setAttribute("aria-invalid", "true");
    else byId(id).removeAttribute("aria-invalid");
  }
  placeTip(); // never over what was just said
}

// Whoever opens the view for the first time finds a plan there: that of the first example, which says that it is one.
let offered = false;
export function offerExample() {
  if (offered || byId("results").dataset.view !== "own" || byId("sizes").value.trim()) return false;
  offered = true;
  fillTable(example());
  byId("own-entries").open = !matchMedia("(max-width: 860px)").matches; // its plan comes first
  return true;
}

export function fillTable(button) {
  const values = button.dataset.table.split("|");
  publish(values[0]);
  FIELDS.slice(1, 4).forEach((id, k) => { byId(id).value = values[k + 1] ?? ""; }); // how a file writes a yes stays
  byId("table_epsilon").value = button.dataset.epsilon ?? "1"; // at which it is good to look at, whatever was typed before
  dropWish("");
}

// All answers of a question are told: its line of the questions gets them.
export function tellAnswers(name, answers) {
  const lines = questionLines().filter((line) => line !== name);
  return [...lines, `${name}: ${answers}`].join("\n");
}

// The page opens with a story as long as its table is the one that is shown.
export function leaveStory() {
  byId("own-sentence").textContent = byId("own-sentence").dataset.plain;
}

// An example of a design alone is no longer what is shown, once there is a table of one's own.
function leaveDesigns() {
  document.querySelector("#stories [data-go=watch][aria-current]")?.removeAttribute("aria-current");
}

// The properties of the table that are ticked.
export const wishes = () => [...document.querySelectorAll("[name=wishes]")];

// One of them is asked for.
export function addWish(name) {
  for (const box of wishes()) if (box.value === name) box.checked = true;
  byId("own-wishes").open = true;
}

// One of them is left out, or all.
export function dropWish(name) {
  for (const box of wishes()) if (!name || box.value === name) box.checked = false;
}
