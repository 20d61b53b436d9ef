// Numbers drawn by chance: by the sampler of the studio, or, in an exported page, from the exact chances that it carries.

import { drawnFrom } from "./chance.js";
import { asked, data } from "./page.js";

const AHEAD = 100; // asked for at once, so that the next is there when it is wanted
const stock = new Map();

// So many numbers for a true count; `way` is the kind of noise and its epsilon.
export async function drawNumbers(times, count, way = 0) {
  if (data().columns) return drawnFrom(data().columns[way][count], times);
  const key = `${way} ${count}`;
  const missing = () => times - (stock.get(key) ?? []).length;
  while (missing() > 0) { // somebody else may take what has come
    const { query } = data().ways[way];
    const drawn = await (await asked(`/draw/${Math.max(AHEAD, missing())}?${query}&count=${count}`)).json();
    stock.set(key, [...(stock.get(key) ?? []), ...drawn[1]]);
  }
  return times ? stock.get(key).splice(0, times) : [];
}
