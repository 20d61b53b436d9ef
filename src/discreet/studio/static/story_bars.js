// Pictures of the story: bars of chances on which drawn numbers fall as dots, a scale from 0 to 100%, lines. Text is as large on a
// phone as on a wide screen, so pictures have another shape there.

export const narrow = matchMedia("(max-width: 900px)");
export const still = matchMedia("(prefers-reduced-motion: reduce)");

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

// Bars for the numbers from 0 to n, as high as their chances; `top` is the chance at the upper edge. Returns where dots belong.
export function drawBars(picture, { chances, colour, top, truth, strong = [], small = false, words }) {
  const [wide, high] = small ? (narrow.matches ? [360, 138] : [360, 520]) : (narrow.matches ? [360, 240] : [660, 380]);
  const [base, above] = small && narrow.matches ? [high - 38, 2] : [high - 44, 8];
  const step = wide / chances.length;
  const scale = (base - above) / top;
  const bars = chances.map((chance, k) => shape("rect", {
    class: `bar${strong.includes(k) ? " strong" : ""}`, x: k * step + step * 0.1, width: step * 0.8, y: base - chance * scale,
    height: chance * scale, fill: colour, stroke: colour,
  }));
  const labels = chances.map((_, k) => shape("text", {
    class: k === truth ? "number true" : "number", x: (k + 0.5) * step, y: base + (small && narrow.matches ? 17 : 20),
  }, k));
  const line = shape("line", { class: "axis", x1: 0, x2: wide, y1: base + 1, y2: base + 1 });
  const told = shape("text", { class: "under", x: Math.min(wide - 34, Math.max(34, (truth + 0.5) * step)), y: base + (small && narrow.matches ? 33 : 38) }, "the truth");
  redraw(picture, [wide, high], [...bars, line, ...labels, told], words);
  return { base, scale, step, colour };
}

// Dots of a bar stand in rows, as high as the share of all draws that they stand for: a full bar came as often as its chance says.
export function dropDots(picture, { base, scale, step, colour }, numbers, before) {
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
      class: when >= before ? "dot fresh" : "dot", r: 0.44 * Math.min(row, width / across), fill: colour,
      cx: k * step + step * 0.1 + ((at % across) + 0.5) * (width / across), cy: base - (Math.floor(at / across) + 0.5) * row,
    });
    dot.style.animationDelay = `${(when - before) * Math.min(12, 1200 / (numbers.length - before))}ms`;
    picture.append(dot);
  });
}

// Shares of a hundred on one scale: rows that are filled, and marks across all of them with a word above or below. One that has a name
// says it above all of that, and where it begins and ends.
export function drawScale(picture, rows, marks, words, name = "", amount = "") {
  const [wide, left, right] = narrow.matches ? [360, 4, 4] : [660, 4, 4];
  const [first, tall] = [name ? 58 : 34, narrow.matches || rows.length === 1 ? 44 : 70];
  const x = (share) => left + (wide - left - right) * share;
  const end = first + rows.length * tall;
  const parts = rows.flatMap(({ share, text, colour }, k) => [
    shape("rect", { class: "track", x: left, width: wide - left - right, y: first + k * tall, height: tall - 12, rx: 4 }),
    shape("rect", { class: "part", x: left, width: x(share ?? 0) - left, y: first + k * tall, height: tall - 12, rx: 4, fill: colour }),
    shape("text", { class: "row", x: left + 10, y: first + k * tall + tall / 2 }, text),
  ]);
  for (const { share, text, below, side = "middle", bare } of marks) {
    const away = bare ? 0 : { middle: 0, start: 5, end: -5 }[side];
    if (!bare) parts.push(shape("line", { class: below ? "mark below" : "mark", x1: x(share), x2: x(share), y1: below ? first - 6 : first - 12, y2: end - (below ? -2 : 6) }));
    parts.push(shape("text", { class: "label", "text-anchor": side, x: x(share) + away, y: below ? end + 18 : first - 16 }, text));
  }
  if (name) {
    parts.push(shape("text", { class: "label", "text-anchor": "start", x: left, y: 16 }, name), shape("text", { class: "told", "text-anchor": "end", x: x(1), y: 16 }, amount));
    for (const [share, side] of [[0, "start"], [1, "end"]]) parts.push(shape("text", { class: "label", "text-anchor": side, x: x(share), y: end + 18 }, share ? `${100 * share}%` : "0"));
  }
  redraw(picture, [wide, end + 26], parts, words);
}

// Guesses as dots, in the order in which they were made: filled if right.
export function drawGuesses(picture, guesses, colour, words) {
  const across = 25;
  const step = 660 / across;
  redraw(picture, [660, 4 * step], guesses.map((right, k) => shape("circle", {
    class: right ? "guess" : "guess wrong", r: step * 0.36, cx: ((k % across) + 0.5) * step, cy: (Math.floor(k / across) + 0.5) * step, fill: colour, stroke: colour,
  })), words);
}
