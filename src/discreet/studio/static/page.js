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
export const percent = (chance) => `${(100 * chance).toFixed(1)}%`;
export const element = (name, text = "", attributes = {}) => {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
