// What every part of the page shares: finding an element, the numbers that came with the picture, asking the studio.

export const byId = (id) => document.getElementById(id);

let numbers = null;
export const forget = () => { numbers = null; };
export const data = () => (numbers ??= JSON.parse(byId("numbers").textContent));

// The setting of the picture that is shown; that of the controls may be ahead of it.
export const shown = () => location.search || `?${document.body.dataset.query}`;
// That of the numbers, at a true count: the address follows them a little later, or, on the way back, is ahead of them.
export const pictured = (count) => {
  const query = new URLSearchParams(document.body.dataset.query);
  query.set("count", count);
  return String(query);
};
export const controls = () => `?${new URLSearchParams(new FormData(byId("controls")))}`;

// A page that takes too long comes as 503 and says so itself; the studio stops working on what is given up.
export async function asked(path, { part = "", signal } = {}) {
  const answer = await fetch(path, { headers: { "X-Part": part }, credentials: "omit", signal });
  const isPage = (answer.headers.get("Content-Type") || "").startsWith("text/html");
  if (!answer.ok && !isPage) throw new Error(await answer.text());
  return answer;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// How sure somebody is, who is never quite: what one decimal would call certain has more of them.
export const sureness = (chance) => {
  if (Math.min(chance, 1 - chance) >= 0.0005) return percent(chance);
  if (Math.min(chance, 1 - chance) >= 0.000001) return `${(100 * chance).toFixed(4)}%`;
  return chance < 0.5 ? "under 0.0001%" : "over 99.9999%";
};
// A limit of that, as `odds.py` has it: away from a toss-up, so that it holds as it is printed. A hair is what is lost on the way here.
export const limitOfSureness = (chance) => {
  const [up, left] = [chance > 0.5, Math.min(chance, 1 - chance)];
  if (left < 0.000001) return sureness(chance);
  const [places, hair] = [left >= 0.001 ? 1 : 4, 1e-7];
  const steps = 100 * 10 ** places * chance;
  return `${((up ? Math.ceil(steps - hair) : Math.floor(steps + hair)) / 10 ** places).toFixed(places)}%`;
};
// A chance; only what cannot happen is 0, and only what must is 100%.
export const likely = (chance) => (chance > 0 && chance < 1 ? sureness(chance) : percent(chance));
export const percent = (chance) => `${(100 * chance).toFixed(1)}%`;
// In whole percents, where what is possible is not 0, as `show/cells.py` has it.
export const wholePercents = (chance) => {
  if (chance > 0 && chance < 0.005) return "<1";
  return chance >= 0.995 && chance < 1 ? ">99" : Math.round(100 * chance);
};
export const element = (name, text = "", attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
