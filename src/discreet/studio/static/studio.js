// Sends the controls to the studio whenever one changes and swaps the parts of the page that came back different.
// No mathematics lives here: every number is the library's. What is not known yet is dimmed, and says so.

import { copyText } from "./copying.js";
import { clearDraws, draw, fillTable } from "./draws.js";
import { asked, byId, controls, forget } from "./page.js";
import { showColumn, showRow } from "./pictures.js";
import { fetchPrice, fetchPrices, stopPrices } from "./prices.js";
import { hideTip, readOut, startTips } from "./tips.js";

const NOTICE = 120; // milliseconds after which a picture that has not come is said to be worked out
const REST = 150; // how long a hand must rest before prices are asked for
const SLOW = 1000; // after which a picture is given up when something newer is asked for
const SAME = 2000; // changes of one control within this are one step of the browser's history
const IN_PAGE = { count: showColumn, answer: showRow, others: showRow };

let running = null; // one request for the picture at a time ...
let waiting = null; // ... and the newest change waits for it, so that a dragged slider never queues up work
let latest = 0; // prices of anything but the newest picture are dropped
let timer = 0;
let restTimer = 0;
let slowTimer = 0;
let last = { control: "", at: 0 };

// Put what is live in the answer into the page; the control in use is left alone.
function apply(answer, { valid, everything }) {
  for (const fresh of answer.querySelectorAll("[data-live]")) {
    const shown = byId(fresh.id);
    const wanted = valid || fresh.classList.contains("problem") || fresh.id === "sentence";
    if (shown && wanted && shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...fresh.childNodes);
  }
  for (const fresh of answer.querySelectorAll("[data-sync]")) {
    const shown = byId(fresh.id);
    if (!shown) continue;
    const inUse = shown === document.activeElement && !everything;
    if (fresh.hasAttribute("aria-invalid")) shown.setAttribute("aria-invalid", "true");
    else shown.removeAttribute("aria-invalid");
    if (!valid && !everything) continue;
    if (fresh.dataset.state) shown.dataset.state = fresh.dataset.state;
    for (const name of ["max", "data-stops", "data-slides", "aria-valuetext"]) {
      if (fresh.hasAttribute(name)) shown.setAttribute(name, fresh.getAttribute(name));
    }
    if (inUse) continue;
    if (fresh.type === "checkbox" || fresh.type === "radio") shown.checked = fresh.checked;
    else if (fresh.tagName === "SELECT") {
      if (shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...[...fresh.options].map((o) => o.cloneNode(true)));
      shown.value = fresh.value;
    } else if ("value" in fresh) shown.value = fresh.value;
  }
}

// The page says what it is working on, and dims what belongs to the setting before.
function working(words) {
  document.body.dataset.waiting = words ? "yes" : "no";
  byId("working").textContent = words;
}

const idle = () => { document.body.dataset.busy = "no"; };

async function show(wanted, options = {}) {
  const query = wanted || "?";
  document.body.dataset.busy = "yes";
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
  let valid = false;
  try {
    const text = await (await asked(`/${query}`, { part: "screen", signal: running.signal })).text();
    valid = display(new DOMParser().parseFromString(text, "text/html"), options);
  } catch (problem) {
    if (!running.signal.aborted) byId("sentence").textContent = `The studio does not answer: ${problem.message}`;
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
  working("");
  if (!valid) idle();
  else restTimer = setTimeout(async () => { if (await fetchPrices(query) && mine === latest) idle(); }, options.everything ? 0 : REST);
}

function display(answer, { step = "", everything = false, focus = null }) {
  const valid = answer.body.dataset.valid === "yes";
  apply(answer, { valid, everything });
  document.body.dataset.valid = answer.body.dataset.valid;
  if (valid) {
    forget();
    clearDraws();
    showRow();
    remember(`?${answer.body.dataset.query}`, step);
  }
  if (focus) byId(focus)?.focus();
  return valid;
}

// Every change is a step that the browser's Back undoes; a dragged slider is one step.
function remember(address, step) {
  if (step === "none") return;
  const same = step && step === last.control && performance.now() - last.at < SAME;
  last = { control: step, at: performance.now() };
  if (address === location.search) return;
  if (same) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  if (byId("address-line")) byId("address-line").textContent = location.href;
}

function showInPage(control) {
  IN_PAGE[control.id]();
  if (control.id === "count") clearDraws();
  if (control.id !== "others") remember(addressOf(control), control.id);
}

function addressOf(control) {
  const query = new URLSearchParams(location.search || document.body.dataset.query);
  query.set(control.name, control.value);
  return `?${String(query).replaceAll("%2F", "/")}`;
}

document.addEventListener("input", (event) => {
  const control = event.target;
  if (control.id in IN_PAGE && document.body.dataset.valid === "yes") {
    showInPage(control);
    return;
  }
  if (!control.form || control.form !== byId("controls")) return;
  if (control.dataset.slides) {
    const target = byId(control.dataset.slides);
    target.value = control.dataset.stops ? control.dataset.stops.split(" ")[control.value] : control.value;
    control.setAttribute("aria-valuetext", `${target.id} = ${target.value}`);
  }
  if (control.id === "epsilon" || control.id === "alpha") byId(`by-${control.id}`).checked = true;
  document.body.dataset.busy = "yes";
  clearTimeout(timer);
  timer = setTimeout(() => show(controls(), { step: control.id }), control.type === "text" ? 150 : 30);
});

document.addEventListener("submit", (event) => {
  if (event.target !== byId("controls")) return;
  event.preventDefault();
  show(controls());
});

function follow(link) {
  const keep = link.dataset.go === "keep";
  show(link.getAttribute("href"), { everything: true, focus: keep ? "pins-title" : "sentence" });
}

const ACTIONS = {
  "[data-draw]": (button) => draw(Number(button.dataset.draw)),
  "[data-copy]": copyText,
  "[data-compute]": async (button) => {
    const name = button.dataset.compute;
    button.parentNode.textContent = "being computed";
    await fetchPrice(name, controls(), undefined, true);
  },
  "[data-fill]": (button) => {
    byId(button.dataset.fill).value = button.value;
    show(controls(), { step: button.dataset.fill });
  },
  "[data-count]": (cell) => {
    byId("count").value = cell.dataset.count;
    showInPage(byId("count"));
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

document.addEventListener("mouseover", readOut);
byId("column-details").addEventListener("toggle", fillTable);
window.addEventListener("popstate", () => { hideTip(); show(location.search, { everything: true, step: "none" }); });
startTips();
if (document.body.dataset.valid === "yes") {
  showRow();
  document.body.dataset.busy = "yes";
  fetchPrices(location.search || `?${document.body.dataset.query}`).then((all) => { if (all) idle(); });
} else idle();
document.body.dataset.ready = "yes";
