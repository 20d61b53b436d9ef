// What moves on the screens of the story: marks glide from where they were, counts rise as dots land. And the room that is kept for sentences.

import { element } from "./page.js";
import { apart, still } from "./story_bars.js";

const moving = new Map();
const GLIDE = 380; // milliseconds

// Draw a picture of some numbers, step by step from those that were drawn last; where motion is not wanted, at once.
export function glide(name, to, draw) {
  const from = moving.get(name)?.now ?? to;
  const run = { now: from };
  moving.set(name, run);
  const begun = performance.now();
  const step = (time) => {
    if (moving.get(name) !== run) return; // overtaken by the next
    const left = (1 - Math.min(1, Math.max(0, time - begun) / GLIDE)) ** 3;
    run.now = left ? to.map((one, k) => one + (from[k] - one) * left) : to;
    draw(run.now);
    if (left) requestAnimationFrame(step);
  };
  if (!still.matches && from.length === to.length && from.some((one, k) => one !== to[k])) {
    draw(from);
    requestAnimationFrame(step);
  } else {
    run.now = to;
    draw(to);
  }
}

const FALLING = 450;

const counting = new WeakMap();

// Tell how many have landed so far, while they fall; at the end, all.
export function countAlong(part, many, tell) {
  const mine = {};
  counting.set(part, mine);
  const begun = performance.now();
  const step = (time) => {
    if (counting.get(part) !== mine) return;
    const landed = Math.min(many, Math.max(0, Math.floor((time - begun - FALLING) / apart(many)) + 1));
    tell(landed);
    if (landed < many) requestAnimationFrame(step);
  };
  if (still.matches || !many) tell(many);
  else step(begun);
}

// Room for the longest of what a part will say, at every width: sentences, or parts of one, are laid out unseen in its place.
export function holdRoom(part, sentences) {
  for (const words of sentences) {
    const held = element("p", "", { class: "says reserved", "aria-hidden": "true" });
    held.append(...[words].flat());
    part.after(held);
  }
}
