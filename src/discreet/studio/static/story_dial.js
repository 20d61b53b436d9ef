// Screen 4: epsilon, and how alike it makes two worlds: one in which you said no, and one in which you said yes.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, shareLines, whenResized } from "./story_bars.js";
import { othersYes, withGroup } from "./story_group.js";
import { glide, holdRoom } from "./story_moving.js";

const { dial: stops, epsilon: usedSoFar, noises: dialNoises, n: dialOf, coin: dialCoin } = data();
const { usual: dialSide } = dialNoises[usedSoFar];
const firstStop = stops.findIndex((stop) => stop.epsilon === usedSoFar);
// One scale at every stop, so that a bar that grows is a chance that grows: up to the round share above the highest of all.
const topFor = (others) => Math.ceil(10 * Math.max(...stops.flatMap(({ columns }) => [...columns[others], ...columns[others + 1]]))) / 10;

// Both worlds over the numbers that may be published: what they share is grey, the rest gives away which of them it is.
function drawHills(no, yes, most) {
  const [wide, high] = roomFor(byId("dial-worlds"), 0.35);
  const [left, top, base] = [narrow.matches ? 46 : 52, 34, high - 26];
  const [step, scale] = [(wide - left) / (dialOf + 1), (base - top) / most];
  const y = (share) => base - share * scale;
  const bar = (look, k, from, to) => shape("rect", { class: look, x: left + k * step + 1, width: step - 2, y: y(to), height: Math.max(0, (to - from) * scale) });
  const outline = (look, world) => shape("polyline", { class: look, points: [`${left},${base}`, ...world.flatMap((share, k) =>
    [`${left + k * step},${y(share)}`, `${left + (k + 1) * step},${y(share)}`]), `${left + (dialOf + 1) * step},${base}`].join(" ") });
  const parts = shareLines(most, [left, wide], y);
  no.forEach((share, k) => {
    const [alike, higher] = [Math.min(share, yes[k]), Math.max(share, yes[k])];
    parts.push(bar("alike", k, 0, alike), bar(share > yes[k] ? "hill no" : "hill yes", k, alike, higher));
    parts.push(shape("text", { class: "number", x: left + (k + 0.5) * step, y: base + 20 }, k));
  });
  parts.push(outline("outline no", no), outline("outline yes", yes), shape("line", { class: "axis", x1: left, x2: wide, y1: base, y2: base }));
  const [from, third] = narrow.matches ? [0, wide / 3] : [left, (wide - left) / 3];
  for (const [k, [look, words]] of [["hill no", "you said no"], ["hill yes", "you said yes"], ["alike", "alike in both"]].entries()) {
    parts.push(shape("circle", { class: look, cx: from + k * third + 8, cy: 12, r: 7 }), shape("text", { class: "told named", "text-anchor": "start", x: from + k * third + 21, y: 18 }, words));
  }
  const percents = (world) => world.map((share) => `${Math.round(1000 * share) / 10}%`).join(", ");
  redraw(byId("dial-worlds"), [wide, high], parts, `The chances of the numbers 0 to ${dialOf}. If you said no: ${percents(no)}. If you said yes: ${percents(yes)}.`);
}

// What epsilon moves: how often the best attacker is right, and how often the truth comes out.
function drawCurves(at, shares, { epsilon, truth, right }) {
  const [wide, high] = roomFor(byId("dial-lines"), 0.2);
  const [left, end] = narrow.matches ? [46, 14] : [52, 20];
  const [top, base] = [46, high - 28];
  const x = (k) => left + ((wide - left - end) * k) / (stops.length - 1);
  const y = (share) => base - (base - top) * share;
  const parts = [0, 0.5, 1].flatMap((share) => [
    shape("line", { class: share === 0.5 ? "axis coin" : share ? "grid" : "axis", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label tick", "text-anchor": "end", x: left - 6, y: y(share) + 5 }, `${100 * share}%`)]);
  stops.forEach((stop, k) => {
    if (Number(stop.epsilon) % 0.5) return;
    parts.push(shape("text", { class: "label tick", x: x(k), y: base + 20 }, stop.epsilon));
  });
  parts.push(shape("line", { class: "hair", x1: x(at), x2: x(at), y1: top, y2: base }));
  const lines = [["attacker", stops.map((stop) => stop.right.share), right, true], ["truth", stops.map((stop) => stop.truth.share), truth, false]];
  lines.forEach(([look, all, now, above], k) => {
    parts.push(shape("polyline", { class: `line ${look}`, points: all.map((share, stop) => `${x(stop)},${y(share)}`).join(" ") }),
      shape("circle", { class: `line ${look}`, cx: x(at), cy: y(shares[k]), r: 8 }));
    // lines rise: there is room on the left above them and on the right below, but for the ends of the picture
    const edge = above ? at < 3 : at > stops.length - 5;
    const side = above === edge ? "start" : "end";
    // near an end the words stand over the line, or below it: beyond where it is at their own end
    const along = edge ? all[Math.min(stops.length - 1, Math.max(0, Math.round(at) + (above ? 5 : -5)))] : shares[k];
    const away = above ? -10 : 24;
    parts.push(shape("text", { class: "value", "text-anchor": side, x: x(at) + (side === "end" ? -8 : 10), y: Math.min(base - 4, y(along) + away) }, now.text));
  });
  const names = narrow.matches ? ["attacker right", `truth, at 1 to ${dialOf - 1}`] : ["the best attacker is right", `the truth comes out (at 1 to ${dialOf - 1})`];
  for (const [k, look] of ["attacker", "truth"].entries()) {
    const cx = left + 8 + k * (narrow.matches ? wide / 2 - left + 8 : wide / 2 - 42);
    parts.push(shape("circle", { class: `line ${look}`, cx, cy: 12, r: 6 }), shape("text", { class: `told ${look}`, "text-anchor": "start", x: cx + 13, y: 18 }, names[k]));
  }
  redraw(byId("dial-lines"), [wide, high], parts, `At epsilon ${epsilon} the truth comes out in ${truth.text} of cases, and the best attacker is right in ${right.text}.`);
  for (const one of byId("dial-lines").querySelectorAll(".truth")) one.style.setProperty("--mark", dialSide.colour);
  byId("dial-slide").style.paddingLeft = `calc(${(100 * left) / wide}% - 8px)`;
  byId("dial-slide").style.paddingRight = `calc(${(100 * end) / wide}% - 8px)`;
}

function showDial() {
  const at = Number(byId("dial-epsilon").value);
  const [stop, others] = [stops[at], othersYes()];
  const [no, yes] = [stop.columns[others], stop.columns[others + 1]];
  glide("dial", [...no, ...yes, at, stop.right.share, stop.truth.share], (now) => {
    drawHills(now.slice(0, dialOf + 1), now.slice(dialOf + 1, 2 * dialOf + 2), topFor(others));
    drawCurves(now.at(-3), now.slice(-2), stop);
  });
  byId("dial-shown").textContent = `epsilon ${stop.epsilon}`;
  byId("dial-epsilon").setAttribute("aria-valuetext", `epsilon ${stop.epsilon}`);
  byId("dial-says").replaceChildren(`${gains(at, others > 0 && others < dialOf - 1)} `, element("b", promise(at)));
}

const promise = (at) => (at
  ? `The promise: your answer makes no number more than ${stops[at].times} times as likely.`
  : `Your answer changes nothing: 0 or ${dialOf} comes out, by a coin.`);

// What is gained and what it costs at this stop, beside the epsilon of the screens before. Where the others are all alike,
// one of the two worlds is 0 or everybody, which comes out more often than what is said here of the counts between.
function gains(at, inside) {
  const [now, before] = [stops[at], stops[firstStop]];
  const [truthThen, rightThen] = at === firstStop ? ["", `, a coin in ${dialCoin.text}`] : [` (${before.truth.text} at epsilon ${before.epsilon})`, ` (${before.right.text})`];
  return `You get ${inside ? "the truth" : `a true count from 1 to ${dialOf - 1}`} in ${now.truth.text} of cases${truthThen}. The price: the best attacker is right in ${now.right.text}${rightThen}.`;
}

export function startDial() {
  byId("dial-epsilon").value = firstStop;
  byId("dial-epsilon").addEventListener("input", showDial);
  whenResized(showDial);
  withGroup(showDial);
  holdRoom(byId("dial-says"), [stops.length - 2].map((at) => `${gains(at, false)} ${promise(at)}`));
}
