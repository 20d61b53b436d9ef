// Numbers drawn by chance: by the sampler of the studio, or, in an exported page, from the exact chances that it carries.

import { asked, data } from "./page.js";

// A whole number below another, each equally likely: one that is too large is thrown away, so that no chance is rounded.
export function uniform(below) {
  const bits = below.toString(2).length;
  const words = new Uint32Array(Math.ceil(bits / 32));
  for (;;) {
    crypto.getRandomValues(words);
    const word = words.reduce((all, one) => (all << 32n) | BigInt(one), 0n) >> BigInt(32 * words.length - bits);
    if (word < below) return word;
  }
}

// The number that a word falls on, where each number has as many words as its weight.
export function numberAt(weights, word) {
  let k = 0;
  for (let left = word; left >= weights[k]; k += 1) left -= weights[k];
  return k;
}

function drawnHere(times, count, way) {
  const weights = data().columns[way][count].map(BigInt);
  const whole = weights.reduce((sum, one) => sum + one, 0n);
  return Array.from({ length: times }, () => numberAt(weights, uniform(whole)));
}

const AHEAD = 100; // asked for at once, so that the next is there when it is wanted
const stock = new Map();

// So many numbers for a true count; `way` is the kind of noise and its epsilon.
export async function drawNumbers(times, count, way = 0) {
  if (data().columns) return drawnHere(times, count, way);
  const key = `${way} ${count}`;
  const missing = () => times - (stock.get(key) ?? []).length;
  while (missing() > 0) { // somebody else may take what has come
    const { query } = data().ways[way];
    const drawn = await (await asked(`/draw/${Math.max(AHEAD, missing())}?${query}&count=${count}`)).json();
    stock.set(key, [...(stock.get(key) ?? []), ...drawn[1]]);
  }
  return times ? stock.get(key).splice(0, times) : [];
}
