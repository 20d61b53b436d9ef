// The sentence of another true count, or of another setting, may be a line longer or shorter. The place of the longest so far is
// kept, so that nothing below moves under the hand; another story begins anew, and has no empty line.

import { byId, data, element } from "./page.js";

// What is said of a true count. Each chance is underlined in the colour of the mechanism that it is about; " of cases" goes where
// there is little room.
export function inParts(says) {
  const colours = [...document.querySelectorAll("#sides .swatch rect")].map((one) => one.getAttribute("fill"));
  const ours = says.split("\n").length > 2 ? says.lastIndexOf("\n") : -1; // of two, the design has the last line
  let at = 0;
  return says.split(/([0-9]+%| of cases)/).map((part, k) => {
    const mine = ours >= 0 && at > ours;
    at += part.length;
    if (k % 2 === 0) return part;
    if (part === " of cases") return element("span", part, { class: "roomy" });
    const chance = element("b", part);
    chance.style.setProperty("--mark", colours.at(Number(mine) - 2) ?? colours.at(-1) ?? "transparent");
    return chance;
  });
}

export function saySentence(count) {
  byId("point").textContent = data().points[count];
  byId("sentence").replaceChildren(...inParts(data().says[count]));
}

export function holdSentence(anew = false) {
  hold(byId("point"), data().points, (words) => [words], anew);
}

function hold(place, says, made, anew) {
  const held = anew ? 0 : parseFloat(place.style.minHeight) || 0;
  place.style.minHeight = "";
  if (!place.offsetHeight) return;
  const measured = place.cloneNode();
  for (const name of ["id", "role", "data-live"]) measured.removeAttribute(name);
  measured.setAttribute("aria-hidden", "true");
  measured.style.visibility = "hidden";
  place.after(measured);
  const heights = [...new Set(says)].sort((a, b) => b.length - a.length).slice(0, 3).map((words) => {
    measured.replaceChildren(...made(words));
    return measured.offsetHeight;
  });
  measured.remove();
  place.style.minHeight = `${Math.max(held, ...heights)}px`;
}

addEventListener("resize", () => { if (document.body.dataset.valid === "yes") holdSentence(true); });
