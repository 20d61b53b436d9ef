// Pictures with an axis keep their height on a narrow screen: it is the steps between their parts that get narrower.

import { byId } from "./page.js";

const narrow = matchMedia("(max-width: 560px)");
export const NARROW = 390; // units of a picture's width there: about as many as it has pixels, so that its letters keep their size
export const isNarrow = () => narrow.matches;
const EDGE = 6;

const START = { circle: "cx", line: "x1", rect: "x", text: "x" };

function placed(part, pad, step) {
  const [from, reach] = [Number(part.dataset.u), Number(part.dataset.v)];
  part.setAttribute(START[part.tagName], pad + step * from);
  const { dot, room } = part.parentNode.dataset;
  if (dot) part.setAttribute("r", Math.min(dot, room * step)); // dots side by side do not touch
  if (!("v" in part.dataset)) return;
  if (part.tagName === "line") part.setAttribute("x2", pad + step * (from + reach));
  else part.setAttribute("width", step * reach);
}

export function layOut() {
  for (const picture of document.querySelectorAll(".results [data-wide]")) {
    const { pad, size, wide } = picture.dataset;
    const across = narrow.matches ? NARROW : Number(wide);
    const step = (across - pad - EDGE) / size;
    const frame = picture.closest("svg");
    const [, , now, high] = frame.getAttribute("viewBox").split(" ");
    if (Number(now) === across) continue;
    frame.setAttribute("viewBox", `0 0 ${across} ${high}`);
    picture.dataset.step = step;
    for (const part of picture.querySelectorAll("[data-u]")) placed(part, Number(pad), step);
    const here = picture.querySelector(".here");
    if (!here) continue;
    here.querySelector("rect").setAttribute("width", step);
    here.querySelector("text").setAttribute("x", step / 2);
    moveMark(picture, here.dataset.at);
  }
}

// The band behind the bars stands at another place.
export function moveMark(picture, at) {
  const here = picture.querySelector(".here");
  if (!here) return;
  here.dataset.at = at;
  here.setAttribute("transform", `translate(${Number(picture.dataset.pad) + at * picture.dataset.step} 0)`);
}

// On a narrow screen the controls are folded to one line at the foot of the window, so that the picture comes first, unless an
// entry there has to be put right.
const stacked = matchMedia("(max-width: 860px)");

function fold() {
  const wrong = (id) => Boolean(document.querySelector(`#${id} .problem:not(:empty)`));
  if (wrong("fold")) byId("fold").open = true;
  byId("setting").open = !stacked.matches || wrong("setting");
  if (!byId("own-entries")) return; // an exported page has neither a table of one's own nor entries
  byId("own-entries").open = !stacked.matches || wrong("own-entries") || !byId("sizes").value.trim();
  byId("own-file").open ||= [...byId("own-file").querySelectorAll("input")].some((entry) => entry.value);
}

// What stays in sight while a view is scrolled: the controls, as far as they fit.
function keepInSight(panel) {
  panel.closest(".stage").style.setProperty("--controls", `${panel.offsetHeight}px`);
}

// On a narrow screen the folded controls shrink to a button on the way down, so that what is read has room; on the way up, and at the end, they are whole.
let lastAt = 0;
function makeRoomToRead() {
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 4;
  if (Math.abs(scrollY - lastAt) < 12 && !atEnd) return;
  byId("controls").classList.toggle("aside", stacked.matches && !byId("setting").open && scrollY > lastAt && scrollY > 80 && !atEnd);
  lastAt = scrollY;
}

export function startLayout(changed) {
  fold();
  for (const kind of [stacked, narrow]) kind.addEventListener("change", fold);
  addEventListener("scroll", makeRoomToRead, { passive: true });
  byId("setting").addEventListener("toggle", () => { if (byId("setting").open) byId("controls").classList.remove("aside"); });
  new ResizeObserver(([{ target }]) => keepInSight(target)).observe(byId("controls"));
  narrow.addEventListener("change", () => { layOut(); changed(); });
  if (byId("results")) layOut();
}
