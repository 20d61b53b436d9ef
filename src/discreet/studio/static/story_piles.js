// A column of dots, each as near as there is room to the level where it belongs: those of one level stand in rows, and no pile covers another.

const ACROSS = 6; // dots in a row

// Centres of piles from top to bottom, moved apart as little as order and frame allow. Pushed down and pushed up are equally good: the mean of both.
function movedApart(piles, top, base) {
  const pushed = (order, from, to, sign) => {
    let edge = from;
    const down = order.map(({ level, high }) => {
      const centre = sign * Math.max(sign * level, sign * edge + high / 2);
      edge = centre + (sign * high) / 2;
      return centre;
    });
    let end = to;
    for (let k = order.length - 1; k >= 0; k -= 1) {
      down[k] = sign * Math.min(sign * down[k], sign * end - order[k].high / 2);
      end = down[k] - (sign * order[k].high) / 2;
    }
    return down;
  };
  const fromTop = pushed(piles, top, base, 1);
  const fromBase = pushed([...piles].reverse(), base, top, -1).reverse();
  return fromTop.map((centre, k) => (centre + fromBase[k]) / 2);
}

// Dots by their levels, from top to bottom; levels so near each other that they would be one pile are one.
function levelled(dots, near) {
  const order = dots.map((_, who) => who).sort((one, other) => dots[one].level - dots[other].level || dots[other].kind - dots[one].kind);
  const piles = [];
  for (const who of order) {
    const { level } = dots[who];
    if (piles.length && level - piles.at(-1).last < near) piles.at(-1).members.push(who);
    else piles.push({ members: [who], first: level });
    piles.at(-1).last = level;
  }
  return piles;
}

// Where each dot stands: how far beside the middle of its column, and how high. `kind` keeps those that are alike together.
export function piled(dots, { top, base, middle, column }) {
  const step = Math.min((column - 3) / ACROSS, (base - top) / (dots.length / 2)); // piles of all sizes find room
  const piles = levelled(dots, 1.5 * step).map(({ members, first, last }) => ({
    members, level: (first + last) / 2, high: Math.ceil(members.length / ACROSS) * step + 2,
  }));
  const centres = movedApart(piles, top, base);
  const spots = [];
  piles.forEach(({ members, level, high }, k) => members.forEach((who, nth) => {
    const below = level > middle; // the row that is not full looks to the middle
    const place = below ? members.length - 1 - nth : nth;
    const row = Math.floor(place / ACROSS);
    const inRow = Math.min(ACROSS, members.length - row * ACROSS);
    const away = high / 2 - 1 - (row + 0.5) * step;
    spots[who] = [((place % ACROSS) - (inRow - 1) / 2) * step, centres[k] + (below ? away : -away)];
  }));
  return { step, spots };
}
