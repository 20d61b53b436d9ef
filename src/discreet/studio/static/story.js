// The story: eight screens, one idea each. Page keys, arrows and the space bar go from one to the next, as a lecture wants it.

import { copyText } from "./copying.js";
import { byId } from "./page.js";
import { startAnswer } from "./story_answer.js";
import { startAttack } from "./story_attack.js";
import { still } from "./story_bars.js";
import { startChance } from "./story_chance.js";
import { startDial } from "./story_dial.js";
import { startMonths } from "./story_months.js";
import { startReading } from "./story_reading.js";
import { startUsual } from "./story_usual.js";

// An address that names a tab leads to the instrument.
const instrument = document.querySelector("header p + p a");
if (instrument && location.hash && !byId(location.hash.slice(1))) location.replace(instrument.getAttribute("href") + location.hash);

history.scrollRestoration = "manual"; // the address says which screen it is; a browser may put back where another one was

const screens = [...document.querySelectorAll(".screen")];
const dots = [...document.querySelectorAll("nav a")];
dots.forEach((dot, k) => { dot.title = screens[k].querySelector("h1, h2").textContent; });

// The screen in which the middle of the window is.
const here = () => Math.max(0, screens.findIndex((screen) => screen.getBoundingClientRect().bottom >= innerHeight / 2));

function extent(at) {
  const { top, height } = screens[at].getBoundingClientRect();
  return { top: top + scrollY, height };
}

const skipping = document.querySelector("header p + p");
let shownScreen = -1;
let place = null; // the screen on the window, where it begins and how high it is, and how far it is scrolled
function showWhere() {
  const at = here();
  place = { at, ...extent(at), offset: scrollY - extent(at).top };
  if (at === shownScreen) return;
  shownScreen = at;
  dots.forEach((dot, k) => (k === at ? dot.setAttribute("aria-current", "step") : dot.removeAttribute("aria-current")));
  byId("where").textContent = `${at + 1} of ${screens.length}`;
  document.querySelector("[data-step='-1']").disabled = at === 0;
  document.querySelector("[data-step='1']").disabled = at === screens.length - 1;
  skipping?.classList.toggle("gone", at === screens.length - 1); // nothing is left to skip
  history.replaceState(null, "", at || location.hash ? `#${screens[at].id}` : location.pathname);
}

// While the page still moves, the next key counts from where it is going. It has arrived when it is there, or is moved by hand. How long that
// takes is no sign: a busy machine shows nothing for a while. Only a browser that does not say when scrolling ends is given a time.
const saysEnd = "onscrollend" in window;
let [going, arrival] = [null, 0];
const from = () => going ?? here();
const arrived = () => { going = null; };
function arriveIn(time) {
  clearTimeout(arrival);
  if (!saysEnd) arrival = setTimeout(arrived, time);
}

const isAt = (at) => Math.abs(extent(at).top - scrollY) < 2;

function go(to) {
  const at = Math.min(screens.length - 1, Math.max(0, to));
  going = still.matches || isAt(at) ? null : at;
  arriveIn(800);
  const screen = screens[at];
  screen.scrollIntoView({ behavior: still.matches ? "instant" : "smooth" });
  screen.querySelector("h1, h2").focus({ preventScroll: true });
}

// A window that becomes smaller may be scrolled by the browser before it says its new size: what is shown then is not where somebody went.
const windowSize = () => `${innerWidth} ${innerHeight}`;
let knownSize = windowSize();
function scrolled() {
  if (going !== null) arriveIn(200);
  if (windowSize() === knownSize) showWhere();
}

const fitsWindow = (height) => height <= innerHeight + 1;

// A window of another size, or a phone that is turned, shows the same screen: where it is going, if it moves; and all of it, if it fits.
// Where nothing moves, as when a phone hides the bar with the address, nothing is scrolled.
function keepPlace() {
  knownSize = windowSize();
  const { at, top, height, offset } = going === null ? place : { at: going, height: 1, offset: 0 };
  const now = extent(at);
  if (now.top !== top || now.height !== height) scrollTo({ top: now.top + (fitsWindow(now.height) ? 0 : (offset * now.height) / height), behavior: "instant" });
  showWhere();
}

// What a key moves by, in screens; nothing where the control that has the focus wants it.
function stepOf({ key, shiftKey, target }) {
  const step = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, " ": shiftKey ? -1 : 1, Home: -Infinity, End: Infinity }[key];
  if (!step || key.startsWith("Page")) return step;
  if (key === " " ? target.matches("button, a") : target.matches("input")) return 0; // a slider, and a choice, have no use for space
  return fitsWindow(extent(here()).height) || !["ArrowDown", "ArrowUp"].includes(key) ? step : 0; // one that is higher than the window is scrolled
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const step = stepOf(event);
  if (!step) return;
  event.preventDefault();
  go(from() + step);
});
document.querySelector("nav").addEventListener("click", (event) => {
  const [step, dot] = [event.target.closest("[data-step]"), event.target.closest("a")];
  if (step) go(from() + Number(step.dataset.step));
  if (dot) {
    event.preventDefault();
    go(dots.indexOf(dot));
  }
});
// A button that was clicked, not pressed by a key, gives the keys back: space then turns the page and does not press it again.
document.addEventListener("click", ({ target, detail }) => {
  if (detail) target.closest("button")?.blur();
});

// The last screen leads back to each of them.
byId("contents").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  go(screens.findIndex((screen) => `#${screen.id}` === link.hash));
});
const copying = document.querySelector("[data-copy]");
if (copying) {
  byId("address").textContent = location.href.split("#")[0];
  copying.addEventListener("click", () => copyText(copying));
}

for (const start of [startAnswer, startChance, startAttack, startDial, startReading, startMonths, startUsual]) start();
const makeRoom = () => dispatchEvent(new Event("resize")); // with all the words in their places, pictures know their room
makeRoom();
document.fonts.ready.then(makeRoom); // and again once the words have their typeface
byId(location.hash.slice(1))?.scrollIntoView({ behavior: "instant" });
addEventListener("scroll", scrolled, { passive: true });
addEventListener("scrollend", () => { if (going !== null && isAt(going)) arrived(); }); // elsewhere a window that changes has stopped it: it goes on
addEventListener("resize", keepPlace);
for (const byHand of ["wheel", "touchmove"]) addEventListener(byHand, arrived, { passive: true });
addEventListener("pointerdown", ({ target }) => { if (target === document.documentElement) arrived(); }); // the bar that scrolls the page
showWhere();
addEventListener("unhandledrejection", () => { byId("unanswered").hidden = false; });
document.body.dataset.ready = "yes";
