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

function drawnHere(times, count, plan) {
  const weights = data().columns[plan][count].map(BigInt);
  const whole = weights.reduce((sum, one) => sum + one, 0n);
  return Array.from({ length: times }, () => numberAt(weights, uniform(whole)));
}

const AHEAD = 100; // asked for at once, so that the next is there when it is wanted
const stock = new Map();

// So many numbers for a true count; of two ways to spend a year's epsilon, `plan` is which.
export async function drawNumbers(times, count, plan = 0) {
  if (data().columns) return drawnHere(times, count, plan);
  const key = `${plan} ${count}`;
  const had = stock.get(key) ?? [];
  if (had.length < times) {
    const [, drawn] = await (await asked(`/draw/${AHEAD}?${data().months[plan].query}&count=${count}`)).json();
    stock.set(key, [...(stock.get(key) ?? []), ...drawn]);
  }
  return stock.get(key).splice(0, times);
}
