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

// How long after the one before it a dot begins to fall, in milliseconds.
export const apart = (many) => Math.min(12, 1200 / many);

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
export function shareLines(top, [left, wide], y) {
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
export function dropDots(picture, { base, scale, step, colour, left }, numbers, before) {
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
      class: `dot${when >= before ? " fresh" : ""}`, r: 0.44 * Math.min(row, width / across), fill: colour,
      cx: left + k * step + step * 0.1 + ((at % across) + 0.5) * (width / across), cy: base - (Math.floor(at / across) + 0.5) * row,
    });
    dot.style.setProperty("--mark", colour);
    dot.style.animationDelay = `${(when - before) * apart(numbers.length - before)}ms`;
    picture.append(dot);
  });
}

// One scale from never to always, with marks across it, and who runs along it: the first above the track, the second below.
export function drawLadder(picture, runners, marks, words) {
  const [wide, left] = [widthFor(picture), 12];
  const x = (share) => left + (wide - 2 * left) * share;
  const track = 62;
  const parts = [shape("rect", { class: "track", x: left - 6, width: wide - 2 * left + 12, y: track - 6, height: 12, rx: 6 })];
  for (const { share, text, side } of marks) {
    parts.push(shape("line", { class: "mark", x1: x(share), x2: x(share), y1: 4, y2: track + 12 }),
      shape("text", { class: "label", "text-anchor": side, x: x(share) + (side === "end" ? -6 : 6), y: 16 }, text));
  }
  for (const { share, text, mine } of runners) {
    const half = 0.3 * (narrow.matches ? 16 : 19) * text.length;
    parts.push(shape("circle", { class: mine ? "runner" : "runner best", cx: x(share), cy: track, r: mine ? 11 : 8 }),
      shape("text", { class: "row", x: Math.min(wide - half, Math.max(half, x(share))), y: mine ? track - 17 : track + 32 }, text));
  }
  redraw(picture, [wide, track + 38], parts, words);
}

// Rounds as dots on the number that was published: above it whoever said yes, below it whoever said no; hollow if the guess was wrong.
// Behind them stand pale piles: how often each number comes from either world.
export function drawWorlds(picture, { rounds, fresh, n, split, pale, now, words }) {
  const [wide, high] = roomFor(picture, 0.25);
  const [middle, step, half] = [high / 2, wide / (n + 1), 17];
  const radius = Math.min(20, step * 0.42, (middle - half) * 0.2);
  const room = middle - half - 2 * radius - 6; // for dots: names and what is asked stand beyond them
  // a number that came from one of two worlds: from which?
  const asking = (k) => ["yes", "no"].flatMap((world) => {
    const [x, y] = [(k + 0.5) * step, world === "yes" ? radius + 2 : high - radius - 2];
    return [shape("circle", { class: `asking ${world}`, cx: x, cy: y, r: radius }), shape("text", { class: `told ${world}`, x, y: y + 7 }, "?")];
  });
  const parts = [];
  const highest = Math.max(...pale.flat());
  pale.forEach((chances, yes) => chances.forEach((chance, k) => {
    const tall = (room * chance) / highest;
    parts.push(shape("rect", { class: `pale ${yes ? "yes" : "no"}`, x: k * step + 3, width: step - 6, y: yes ? middle - half - tall : middle + half, height: tall }));
  }));
  if (split !== null) { // what the best attacker guesses, to either side
    const x = (split + 1) * step;
    parts.push(shape("line", { class: "mark parted", x1: x, x2: x, y1: 0, y2: high }));
  }
  const aside = now < 4 ? { "text-anchor": "end", x: wide - 8 } : { "text-anchor": "start", x: 8 }; // clear of what is asked
  parts.push(shape("text", { class: "told yes", ...aside, y: 20 }, "they said yes"), shape("text", { class: "told no", ...aside, y: high - 8 }, "they said no"),
    shape("line", { class: "axis", x1: 0, x2: wide, y1: middle - half, y2: middle - half }), shape("line", { class: "axis", x1: 0, x2: wide, y1: middle + half, y2: middle + half }));
  for (let k = 0; k <= n; k += 1) {
    if (k === now) parts.push(shape("rect", { class: "now", x: k * step + 2, width: step - 4, y: middle - half, height: 2 * half }), ...asking(k));
    parts.push(shape("text", { class: k === now ? "number true" : "number", x: (k + 0.5) * step, y: middle + 6 }, k));
  }
  const most = Math.max(3, ...[0, 1].flatMap((yes) => Array.from({ length: n + 1 }, (_, k) => rounds.filter((one) => one.yes === yes && one.number === k).length)));
  let size = Math.min(step * 0.5, room / 3); // the first few are large
  while (Math.floor((step - 6) / size) * Math.floor(room / size) < most) size *= 0.97;
  const across = Math.floor((step - 6) / size);
  const seen = {};
  rounds.forEach(({ number, yes, right }, when) => {
    const at = seen[`${yes} ${number}`] ??= 0;
    seen[`${yes} ${number}`] = at + 1;
    const away = half + 2 + (Math.floor(at / across) + 0.5) * size;
    const dot = shape("circle", { class: `guess ${yes ? "yes" : "no"}${right ? "" : " wrong"}`, r: size * 0.4,
      cx: (number + 0.5) * step + ((at % across) - (across - 1) / 2) * size, cy: yes ? middle - away : middle + away });
    const late = when - (rounds.length - fresh);
    if (late >= 0) {
      dot.classList.add(yes ? "fresh" : "rising");
      dot.style.animationDelay = `${late * apart(fresh)}ms`;
    }
    parts.push(dot);
  });
  redraw(picture, [wide, high], parts, words);
}
