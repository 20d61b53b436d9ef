// Sends the controls to the studio whenever one changes and swaps the parts of the page that came back different.
// No mathematics lives here: every number is the library's. What is not known yet is dimmed, and says so.

import { dashesFor } from "./dashes.js";
import { CHANGED, clearDraws } from "./draws.js";
import { gliding } from "./gliding.js";
import { inPage, shownAnew, startInPage } from "./inpage.js";
import { addWish, dropWish, entryOf, FIELDS, fillTable, leaveStory, offerExample, planTable, tellAnswers, wishes } from "./own.js";
import { asked, byId, controls, shown } from "./page.js";
import { fetchPrice, fetchPrices, stopPrices } from "./prices.js";
import { holdSentence } from "./sentence.js";
import { enterSizes } from "./sizes.js";
import { apply } from "./swap.js";
import { hideTip } from "./tips.js";
import { showView, startViews } from "./views.js";

const NOTICE = 120; // milliseconds after which a picture that has not come is said to be worked out
const REST = 150; // how long a hand must rest before prices are asked for
const SLOW = 1000; // after which a picture is given up when something newer is asked for
const TOLD = 7000; // how long what changed is told
const ABOUT = { watch: "column", learn: "gauge", counts: "pictures", compare: "scores", own: "own-plan", take: "taken" };
const SAME = 2000; // changes of one control within this are one step of the browser's history

let running = null; // one request for the picture at a time ...
let waiting = null; // ... and the newest change waits for it, so that a dragged slider never queues up work
let latest = 0; // changes so far: prices of anything but the newest picture are dropped
let timer = 0;
let restTimer = 0;
let slowTimer = 0;
let toldTimer = 0;
let last = { control: "", at: 0 };
let placed = ""; // the setting that the address holds

// The page says what it is working on, or why it cannot, and dims what belongs to the setting before.
function working(words, waiting = Boolean(words)) {
  document.body.dataset.waiting = waiting ? "yes" : "no";
  byId("working").textContent = words;
}

// Whether the picture is that of the controls, and whether prices and all are there too.
const state = (shown, busy) => Object.assign(document.body.dataset, { shown, busy });
const idle = () => state("yes", "no");

async function show(wanted, options = {}) {
  const query = wanted || "?";
  state("no", "yes");
  clearTimeout(restTimer);
  stopPrices();
  const mine = ++latest;
  if (running) {
    waiting = [query, options];
    clearTimeout(slowTimer);
    slowTimer = setTimeout(() => running?.abort(), Math.max(0, running.since + SLOW - performance.now()));
    return;
  }
  running = Object.assign(new AbortController(), { since: performance.now() });
  const notice = setTimeout(() => working("Working it out. What is dimmed belongs to the setting before."), NOTICE);
  let [valid, trouble] = [false, ""];
  try {
    const text = await (await asked(`/${query}`, { part: "screen", signal: running.signal })).text();
    valid = display(new DOMParser().parseFromString(text, "text/html"), options);
  } catch (problem) {
    if (!running.signal.aborted) {
      trouble = `The studio does not answer: ${problem.message}`;
      document.body.dataset.valid = "no";
    }
  }
  clearTimeout(slowTimer);
  clearTimeout(notice);
  running = null;
  if (waiting) {
    const next = waiting;
    waiting = null;
    show(...next);
    return;
  }
  working(trouble, false); // what an entry lacks stands beside it
  if (!valid) return idle();
  if (options.step && options.step !== "none") tell();
  state("yes", "yes");
  restTimer = setTimeout(async () => { if (await fetchPrices(query) && mine === latest) idle(); }, options.everything ? 0 : REST);
}

// Where what the view is about is not in sight, what changed is told where the hand is.
function tell() {
  const { top, bottom } = byId(ABOUT[byId("results").dataset.view]).getBoundingClientRect();
  const panel = byId("controls"); // which stands over its foot where there is little room
  const foot = getComputedStyle(panel).position === "fixed" ? panel.getBoundingClientRect().top : innerHeight;
  const seen = bottom > 60 && top < foot - 60;
  clearTimeout(toldTimer);
  byId("told").replaceChildren(...(seen || byId("results").dataset.view === "own" ? [] : news()));
  toldTimer = setTimeout(() => byId("told").replaceChildren(), TOLD);
}

// The picture that changed, and what the page says of it.
function news() {
  const picture = document.querySelector("#column svg").cloneNode(true);
  return [picture, byId("point").textContent];
}

function display(answer, { step = "", everything = false, focus = null, view = "" }) {
  const valid = answer.body.dataset.valid === "yes";
  const leave = valid ? dashesFor(everything ? "" : step) : null;
  gliding(() => {
    apply(answer, { valid, everything });
    document.body.dataset.valid = answer.body.dataset.valid;
    if (!valid) return;
    document.body.dataset.query = answer.body.dataset.query; // first: numbers are asked for by it
    shownAnew(everything);
    if (leave()) clearDraws(CHANGED);
  });
  if (valid) {
    planTable(everything ? 0 : REST); // before the prices, which would take the process that stands ready
    remember(`?${answer.body.dataset.query}`, step, view);
  }
  if (focus) byId(focus)?.focus();
  return valid;
}

// Every change, and every turn to another view, is a step that the browser's Back undoes; a dragged slider is one step.
function remember(address, step, view = "") {
  if (step === "none") return;
  const same = step && step === last.control && performance.now() - last.at < SAME;
  last = { control: step, at: performance.now() };
  const to = address + (view ? hashOf(view) : location.hash);
  if (to === location.search + location.hash) return;
  history[same ? "replaceState" : "pushState"](null, "", to);
  placed = location.search;
  sayAddress();
}

const hashOf = (view) => (view === "watch" ? "" : `#${view}`);

function sayAddress() {
  if (byId("address-line")) byId("address-line").textContent = location.href;
}

function rememberView(name) {
  remember(offerExample() ? addressOf(...FIELDS.map(entryOf)) : location.search, "", name);
  byId("told").replaceChildren(); // of another view
  holdSentence();
  planTable();
}

const viewOfAddress = () => location.hash.slice(1) || "watch";

// What changed in the page alone is part of the address too.
function changed(control) {
  if (control.id !== "others") remember(addressOf(control), control.id);
}

function addressOf(...changed) {
  const query = new URLSearchParams(shown().slice(1));
  for (const control of changed) {
    const value = control.name === "wishes" ? wishes().filter((box) => box.checked).map((box) => box.value).join(" ") : control.value;
    if (value) query.set(control.name, value);
    else query.delete(control.name);
  }
  if (query.get("sizes")) query.set("table_epsilon", byId("table_epsilon").value);
  return `?${String(query).replaceAll("%2F", "/").replaceAll("%2C", ",")}`;
}

// What is typed letter by letter is no file, and half a line of it looks like none of what sizes look like.
const TYPING = ["insertLineBreak", "insertCompositionText", "deleteContentBackward", "deleteContentForward"];
const isTyped = ({ inputType, data }) => TYPING.includes(inputType) || (inputType === "insertText" && data?.length === 1);

// Something of one's own table is entered; of the sizes only what is public counts.
function entered(control, typed) {
  if (control.id === "sizes") {
    return enterSizes(typed, (more) => {
      if (more) return tableChanged();
      leaveStory();
      remember(addressOf(entryOf("sizes"), entryOf("counted")), "sizes");
      planTable(400);
    });
  }
  if (control.id === "questions") leaveStory();
  remember(addressOf(control), control.id);
  planTable(400);
}

document.addEventListener("input", (event) => {
  const control = event.target;
  if (inPage(control) || !control.form || control.form !== byId("controls")) return;
  const { slides, stops } = control.dataset;
  if (slides) {
    byId(slides).value = stops ? stops.split(" ")[control.value] : control.value;
    control.setAttribute("aria-valuetext", `${slides} = ${byId(slides).value}`);
  }
  if ("own" in control.dataset) return entered(byId(slides) ?? control, isTyped(event));
  if (control.id === "epsilon" || control.id === "alpha") byId(`by-${control.id}`).checked = true;
  state("no", "yes");
  latest += 1;
  clearTimeout(timer);
  timer = setTimeout(() => show(controls(), { step: control.id }), control.type === "text" ? 150 : 0);
});

document.addEventListener("submit", (event) => {
  if (event.target !== byId("controls")) return;
  event.preventDefault();
  show(controls());
});

// A story or a pathology turns to the view that it is about; whoever pins or removes stays in the view.
function follow(link) {
  const { go } = link.dataset;
  const view = ["watch", "own", "counts"].includes(go) ? go : "";
  if (view) showView(view);
  show(link.getAttribute("href"), { everything: true, view, focus: { keep: "pin", watch: "point" }[go] ?? "question" });
}

function tableChanged() {
  leaveStory();
  rememberTable();
}

function rememberTable() {
  remember(addressOf(...FIELDS.map(entryOf), wishes()[0]), "table");
  planTable();
}

function put(entry, value) {
  entry.value = value;
  last = { control: "", at: 0 }; // a step of its own
  entry.dispatchEvent(new Event("input", { bubbles: true }));
}

const ACTIONS = {
  "[data-compute]": async (button) => {
    const name = button.dataset.compute;
    button.parentNode.textContent = "being computed";
    await fetchPrice(name, shown(), undefined, true);
  },
  "[data-table]": (button) => {
    fillTable(button);
    tableChanged();
  },
  "[data-drop]": (button) => {
    dropWish(button.dataset.drop);
    rememberTable();
  },
  "[data-wish]": (button) => {
    addWish(button.dataset.wish);
    rememberTable();
  },
  "[data-focus]": (button) => {
    byId("own-entries").open = true;
    byId(button.dataset.focus).focus();
  },
  "[data-put]": (button) => put(byId(button.dataset.put), button.value),
  "[data-answers]": (button) => {
    const typed = button.value || button.previousElementSibling.value.trim();
    if (typed) put(byId("questions"), tellAnswers(button.dataset.answers, typed));
    else button.previousElementSibling.focus();
  },
  "[data-tick]": (button) => {
    const box = byId(`property-${button.dataset.tick}`);
    box.checked = true;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  },
  "[data-fill]": (button) => {
    byId(button.dataset.fill).value = button.value;
    show(controls(), { step: button.dataset.fill });
  },
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if (link.dataset.go !== "again") follow(link);
    else {
      byId("again").onclose = () => { if (byId("again").returnValue === "yes") follow(link); };
      byId("again").showModal();
    }
    return;
  }
  for (const [selector, act] of Object.entries(ACTIONS)) {
    const found = event.target.closest(selector);
    if (found) act(found);
  }
});

// Where the address alone leads to the view of one's own table, no step is added.
function openExample() {
  if (offerExample()) history.replaceState(null, "", addressOf(...FIELDS.map(entryOf)) + location.hash);
  placed = location.search;
  sayAddress();
}

window.addEventListener("popstate", () => {
  hideTip();
  last = { control: "", at: 0 };
  showView(viewOfAddress());
  sayAddress();
  const { valid, shown: whole } = document.body.dataset;
  if (location.search === placed && valid === "yes" && whole === "yes") { // another view of the same
    openExample();
    return planTable();
  }
  placed = location.search;
  show(location.search, { everything: true, step: "none" });
});
if (!location.search) history.replaceState(null, "", shown() + location.hash); // the address holds the whole setting
placed = location.search;
startInPage(changed);
startViews(location.hash ? viewOfAddress() : document.body.dataset.view, rememberView);
openExample();
planTable();
if (document.body.dataset.valid === "yes") {
  state("yes", "yes");
  fetchPrices(shown()).then((all) => { if (all && latest === 0) idle(); });
} else idle();
sayAddress();
document.body.dataset.ready = "yes";
