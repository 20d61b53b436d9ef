// Screen 4: epsilon, and the two chances that it moves.

import { byId, data, element } from "./page.js";
import { narrow, redraw, roomFor, shape, whenResized } from "./story_bars.js";

const { dial: stops, epsilon: usedSoFar, noises: dialNoises, n: dialOf, coin: dialCoin } = data();
const { usual: dialSide } = dialNoises[usedSoFar];
const firstStop = stops.findIndex((stop) => stop.epsilon === usedSoFar);

function showDial() {
  const at = Number(byId("dial-epsilon").value);
  const { epsilon, times, truth, right: best } = stops[at];
  const [wide, high] = roomFor(byId("dial-lines"), 0.5);
  const [left, end] = narrow.matches ? [44, 14] : [52, 20];
  const [top, base] = [narrow.matches ? 70 : 48, high - 30];
  const x = (k) => left + ((wide - left - end) * k) / (stops.length - 1);
  const y = (share) => base - (base - top) * share;
  const parts = [0, 0.5, 1].flatMap((share) => [
    shape("line", { class: share === 0.5 ? "axis coin" : "axis", x1: left, x2: wide - end, y1: y(share), y2: y(share) }),
    shape("text", { class: "label", "text-anchor": "end", x: left - 8, y: y(share) + 6 }, `${100 * share}%`)]);
  stops.forEach((stop, k) => {
    if (Number(stop.epsilon) % 0.5) return;
    parts.push(shape("line", { class: "axis", x1: x(k), x2: x(k), y1: base, y2: base + 6 }), shape("text", { class: "label", x: x(k), y: base + 25 }, stop.epsilon));
  });
  parts.push(shape("line", { class: "hair", x1: x(at), x2: x(at), y1: top, y2: base }));
  const line = (look, values) => shape("polyline", { class: look, points: values.map((share, k) => `${x(k)},${y(share)}`).join(" ") });
  const lines = [["attacker", stops.map((stop) => stop.right.share), best, true], ["truth", stops.map((stop) => stop.truth.share), truth, false]];
  for (const [look, shares, now, above] of lines) {
    parts.push(line(`line ${look}`, shares), shape("circle", { class: `line ${look}`, cx: x(at), cy: y(now.share), r: 9 }));
    // lines rise: there is room on the left above them and on the right below, but for the ends of the picture
    const edge = above ? at === 0 : at > stops.length - 5;
    const side = above === edge ? "start" : "end";
    const away = above ? (edge ? -30 : -14) : edge ? (narrow.matches ? 76 : 58) : 30;
    parts.push(shape("text", { class: "value", "text-anchor": side, x: x(at) + (side === "end" ? 6 : -6), y: y(now.share) + away }, now.text));
  }
  // which line is which stands above the picture, where no value can stand
  const [across, down] = narrow.matches ? [left, 38] : [wide / 2 + 40, 14];
  for (const [look, cx, cy, words] of [["attacker", left, 14, "the best attacker is right"], ["truth", across, down, "the truth comes out"]]) {
    parts.push(shape("circle", { class: `line ${look}`, cx, cy, r: 7 }), shape("text", { class: `told ${look}`, "text-anchor": "start", x: cx + 14, y: cy + 6 }, words));
  }
  redraw(byId("dial-lines"), [wide, high], parts, `At epsilon ${epsilon} the truth comes out in ${truth.text} of cases, and the best attacker is right in ${best.text}.`);
  for (const one of byId("dial-lines").querySelectorAll(".truth")) one.style.setProperty("--mark", dialSide.colour);
  byId("dial-slide").style.paddingLeft = `calc(${(100 * left) / wide}% - 8px)`;
  byId("dial-slide").style.paddingRight = `calc(${(100 * end) / wide}% - 8px)`;
  byId("dial-shown").textContent = `epsilon ${epsilon}`;
  byId("dial-epsilon").setAttribute("aria-valuetext", `epsilon ${epsilon}`);
  byId("dial-says").replaceChildren(`${gains(at)} `, element("b", at
    ? `The promise: no answer makes any number more than ${times} times as likely.`
    : `No answer changes anything: 0 or ${dialOf} comes out, by a coin.`));
}

// What is gained and what it costs at this stop, beside the epsilon of the screens before.
function gains(at) {
  const [now, before] = [stops[at], stops[firstStop]];
  const [truthThen, rightThen] = at === firstStop ? ["", `, a coin in ${dialCoin.text}`] : [` (${before.truth.text} at epsilon ${before.epsilon})`, ` (${before.right.text})`];
  return `You get the truth in ${now.truth.text} of cases${truthThen}. The price: the best attacker is right in ${now.right.text}${rightThen}.`;
}

export function startDial() {
  byId("dial-epsilon").value = firstStop;
  byId("dial-epsilon").addEventListener("input", showDial);
  whenResized(showDial);
  showDial();
}
