// Bars glide from where they stood to where they stand, so that the eye sees what changed; where motion is not wanted, they are there.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const bars = () => [...document.querySelectorAll(".results .bar")];
const nameOfBar = (bar) => `${bar.closest("[data-live]").id} ${bar.dataset.side} ${bar.dataset.at}`;
const standing = (bar) => ({ y: `${bar.getAttribute("y")}px`, height: `${bar.getAttribute("height")}px` });

export function gliding(change) {
  if (still.matches) return change();
  const before = new Map(bars().map((bar) => [nameOfBar(bar), standing(bar)]));
  change();
  for (const bar of bars()) {
    const [from, to] = [before.get(nameOfBar(bar)), standing(bar)];
    if (from && from.y !== to.y) bar.animate([from, to], { duration: 260, easing: "ease-out" });
  }
}
