// Screen 4: epsilon, and the two chances that it moves.

import { byId, data } from "./page.js";
import { narrow, redraw, shape } from "./story_bars.js";
import { othersYes, withGroup } from "./story_group.js";

const { dial: stops, epsilon: usedSoFar, fair: dialSide } = data();

function showDial() {
  const at = Number(byId("dial-epsilon").value);
  const { epsilon, times, truth, right } = stops[at];
  const best = right[othersYes()];
  const [wide, high, left, end] = narrow.matches ? [360, 300, 40, 14] : [660, 420, 52, 20];
  const [top, base] = [18, high - 14];
  const x = (k) => left + ((wide - left - end) * k) / (stops.length - 1);
  const y = (share) => base - (base - top) * share;
  const parts = [0, 0.5, 1].flatMap((share) => [
    shape("line", { class: share === 0.5 ? "axis coin" : "axis", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label", "text-anchor": "end", x: left - 8, y: y(share) + 6 }, `${100 * share}%`)]);
  parts.push(shape("line", { class: "hair", x1: x(at), x2: x(at), y1: top, y2: base }));
  const line = (look, values) => shape("polyline", { class: look, points: values.map((share, k) => `${x(k)},${y(share)}`).join(" ") });
  const lines = [["attacker", stops.map((stop) => stop.right[othersYes()].share), best, true], ["truth", stops.map((stop) => stop.truth.share), truth, false]];
  for (const [look, shares, now, above] of lines) {
    parts.push(line(`line ${look}`, shares), shape("circle", { class: `line ${look}`, cx: x(at), cy: y(now.share), r: 9 }));
    // lines rise: there is room on the left above them and on the right below, but for the ends of the picture
    const [edge, side] = above ? [at < 2, at < 2 ? "start" : "end"] : [at > stops.length - 3, at > stops.length - 3 ? "end" : "start"];
    const away = above ? (edge ? -24 : -14) : (edge ? (narrow.matches ? 76 : 58) : 30);
    parts.push(shape("text", { class: "value", "text-anchor": side, x: x(at) + (side === "end" ? 6 : -6), y: y(now.share) + away }, now.text));
  }
  parts.push(shape("text", { class: "told", "text-anchor": "start", x: left + 6, y: y(0.88) }, "the best attacker is right"),
    shape("text", { class: "told truth", "text-anchor": "end", x: wide - end, y: y(0.07) }, "the truth comes out"));
  redraw(byId("dial-lines"), [wide, high], parts, `At epsilon ${epsilon} the truth comes out in ${truth.text} of cases, and the best attacker is right in ${best.text}.`);
  for (const one of byId("dial-lines").querySelectorAll(".truth")) one.style.setProperty("--mark", dialSide.colour);
  byId("dial-slide").style.paddingLeft = `calc(${(100 * left) / wide}% - 14px)`;
  byId("dial-slide").style.paddingRight = `calc(${(100 * end) / wide}% - 14px)`;
  byId("dial-shown").textContent = `epsilon ${epsilon}`;
  byId("dial-epsilon").setAttribute("aria-valuetext", `epsilon ${epsilon}`);
  byId("dial-says").textContent = `At epsilon ${epsilon}, one answer makes no published number more than ${times} times as likely. That is the whole promise.`;
}

export function startDial() {
  byId("dial-epsilon").value = stops.findIndex((stop) => stop.epsilon === usedSoFar);
  byId("dial-epsilon").addEventListener("input", showDial);
  narrow.addEventListener("change", showDial);
  withGroup(showDial);
}
