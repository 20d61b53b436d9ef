// Pictures of the story: bars of chances on which drawn numbers fall as dots, a scale from 0 to 100%, lines. Text is as large on a
// phone, upright or sideways, as on a wide screen, so pictures have another shape there; and one that fills its screen is as high as there is room.

export const narrow = matchMedia("(max-width: 900px), (max-height: 500px)");
export const still = matchMedia("(prefers-reduced-motion: reduce)");

const WIDE = 660;

// How wide to draw a picture: on a phone or a tablet as wide as it is shown, so that its words are as large as those around it.
export const widthFor = (picture) => (narrow.matches ? Math.min(WIDE, Math.max(330, picture.parentElement.getBoundingClientRect().width)) : WIDE);

// How wide and high to draw a picture that fills the room it is given; `beside` is how many stand side by side.
export function roomFor(picture, least = 0.3, beside = 1) {
  const { width, height } = picture.getBoundingClientRect();
  const wide = narrow.matches ? Math.max(330 / beside, Math.min(WIDE, width)) : WIDE / beside;
  return [wide, Math.max(least * wide, width ? (wide * height) / width : 0)];
}

// What depends on the size of the window is shown anew when that changes.
export const whenResized = (show) => addEventListener("resize", () => show());

export const timesOver = (count) => (count === 1 ? "once" : `${count} times`);

export function shape(name, attributes, words = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = words;
  return made;
}

export function redraw(picture, [wide, high], parts, words) {
  picture.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  picture.setAttribute("aria-label", words);
  picture.replaceChildren(...parts);
}

// Lines across at round shares, as many as have room, each with its share at the left.
function shareLines(top, [left, wide], y) {
  const apart = [0.05, 0.1, 0.2, 0.25, 0.5].find((share) => y(0) - y(share) >= (narrow.matches ? 26 : 34) && top / share < 7) ?? 0.5;
  return Array.from({ length: Math.floor(top / apart + 1e-9) + 1 }, (_, k) => k * apart).flatMap((share) => [
    shape("line", { class: "grid", x1: left, x2: wide, y1: y(share), y2: y(share) }),
    shape("text", { class: "label tick", "text-anchor": "end", x: left - 5, y: y(share) + 5 }, `${Math.round(100 * share)}%`)]);
}

// Bars for the numbers from 0 to n, as high as their chances; `top` is the chance at the upper edge. Returns where dots belong.
export function drawBars(picture, { chances, colour, top, truth, strong = [], small = false, words }) {
  const [wide, tall] = roomFor(picture, small ? 0.25 : 0.4, small ? 2 : 1);
  const [left, above, base] = [narrow.matches ? (small ? 34 : 42) : 50, 12, tall - 44];
  const step = (wide - left) / chances.length;
  const scale = (base - above) / top;
  const before = [...picture.querySelectorAll(".bar")].map((bar) => Number(bar.getAttribute("height")) / Number(picture.dataset.scale));
  const bars = chances.map((chance, k) => shape("rect", {
    class: `bar${strong.includes(k) ? " strong" : ""}`, x: left + k * step + step * 0.1, width: step * 0.8, y: base - chance * scale,
    height: chance * scale, fill: colour, stroke: colour,
  }));
  const labels = chances.map((_, k) => shape("text", { class: k === truth ? "number true" : "number", x: left + (k + 0.5) * step, y: base + 20 }, k));
  const line = shape("line", { class: "axis", x1: left, x2: wide, y1: base + 1, y2: base + 1 });
  const told = shape("text", { class: "under", x: Math.min(wide - 34, Math.max(left + 34, left + (truth + 0.5) * step)), y: base + 38 }, "the truth");
  const lines = chances.some(Boolean) ? shareLines(top, [left, wide], (share) => base - share * scale) : []; // before a guess they would tell
  redraw(picture, [wide, tall], [...lines, ...bars, line, ...labels, told], words);
  picture.dataset.scale = scale;
  bars.forEach((bar, k) => grow(bar, (before[k] ?? 0) / chances[k]));
  return { base, scale, step, colour, left };
}

// A bar grows, or shrinks, from what it was.
function grow(bar, from) {
  if (!still.matches && Number.isFinite(from) && Math.abs(from - 1) > 0.01) bar.animate([{ transform: `scaleY(${from})` }, { transform: "none" }], { duration: 350, easing: "ease-out" });
}

// Dots of a bar stand in rows, as high as the share of all draws that they stand for: a full bar came as often as its chance says.
export function dropDots(picture, { base, scale, step, colour, left }, numbers, before, solid = null) {
  const width = step * 0.8;
  const share = scale / Math.max(100, numbers.length);
  const across = Math.max(1, Math.round(Math.sqrt(width / share)));
  const seen = {};
  for (const dot of picture.querySelectorAll(".dot")) dot.remove();
  const tallies = numbers.reduce((sums, k) => ({ ...sums, [k]: (sums[k] ?? 0) + 1 }), {});
  numbers.forEach((k, when) => {
    const at = seen[k] ?? 0;
    seen[k] = at + 1;
    const rows = Math.ceil(tallies[k] / across);
    const row = Math.min(across * share, base / rows); // one that came far too often stays in the picture
    const dot = shape("circle", {
      class: `dot${when >= before ? " fresh" : ""}${k === solid ? " light" : ""}`, r: 0.44 * Math.min(row, width / across), fill: colour,
      cx: left + k * step + step * 0.1 + ((at % across) + 0.5) * (width / across), cy: base - (Math.floor(at / across) + 0.5) * row,
    });
    dot.style.setProperty("--mark", colour);
    dot.style.animationDelay = `${(when - before) * Math.min(12, 1200 / (numbers.length - before))}ms`;
    picture.append(dot);
  });
}

// Shares of a hundred on one scale: rows that are filled, and marks across all of them with a word above or below. One that has a name
// says it above all of that, and where it begins and ends.
export function drawScale(picture, rows, marks, words, name = "", amount = "") {
  const [wide, left, right] = [widthFor(picture), 4, 4];
  const [first, tall] = [name ? 58 : 34, narrow.matches || rows.length === 1 ? 44 : 80];
  const x = (share) => left + (wide - left - right) * share;
  const end = first + rows.length * tall;
  const names = rows.some(({ text }) => text) ? (narrow.matches ? 20 : 30) : 0; // above each row
  const parts = rows.flatMap(({ share, colour }, k) => [["track", 1, "none"], ["part", share ?? 0, colour]].map(([look, reach, fill]) => shape("rect", {
    class: look, x: left, width: x(reach) - left, y: first + k * tall + names, height: tall - 12 - names, rx: 4, fill,
  })));
  for (const { share, text, below, side = "middle", bare } of marks) {
    const away = bare ? 0 : { middle: 0, start: 5, end: -5 }[side];
    // across every row, and between its word and the nearest: not through the names of the others
    if (!bare) rows.forEach((_, k) => parts.push(shape("line", { class: below ? "mark below" : "mark", x1: x(share), x2: x(share),
      y1: k || below ? first + k * tall + names - 2 : first - 12, y2: first + (k + 1) * tall - (below && k === rows.length - 1 ? -2 : 6) })));
    parts.push(shape("text", { class: "label", "text-anchor": side, x: x(share) + away, y: below ? end + 18 : first - 16 }, text));
  }
  rows.forEach(({ text }, k) => parts.push(shape("text", { class: "row", x: left, y: first + k * tall + names - (narrow.matches ? 5 : 9) }, text)));
  if (name) {
    parts.push(shape("text", { class: "label", "text-anchor": "start", x: left, y: 16 }, name), shape("text", { class: "told", "text-anchor": "end", x: x(1), y: 16 }, amount));
    for (const [share, side] of [[0, "start"], [1, "end"]]) parts.push(shape("text", { class: "label", "text-anchor": side, x: x(share), y: end + 18 }, share ? `${100 * share}%` : "0"));
  }
  redraw(picture, [wide, end + 26], parts, words);
}

// A hundred guesses as dots, in the order in which they were made: filled if right; those to come are faint.
export function drawGuesses(picture, guesses, colour, words) {
  const [wide, high] = roomFor(picture, 0.1);
  const across = [10, 20, 25].find((many) => (100 / many) * (wide / many) <= high) ?? 25;
  const step = Math.min(wide / across, (high * across) / 100);
  const parts = Array.from({ length: 100 }, (_, k) => shape("circle", {
    class: k >= guesses.length ? "guess to-come" : guesses[k] ? "guess" : "guess wrong", r: step * 0.36, cx: ((k % across) + 0.5) * step,
    cy: (Math.floor(k / across) + 0.5) * step, fill: colour, stroke: colour,
  }));
  redraw(picture, [wide, high], parts, words);
}
