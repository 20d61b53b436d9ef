// Another privacy or property leaves dashes where the chances were, as another answer does. While one control is moved, they stay
// where they were when the hand took hold of it, and the axis only grows: heights are compared on one scale.

import { data } from "./page.js";
import { leaveDashes } from "./pictures.js";

const HELD = 2000; // changes of one control within this are one movement
let movement = { control: "" };

const axisNow = () => {
  const { inner, scale } = document.querySelector("#column .bars")?.dataset ?? {};
  return scale ? inner / scale : 0;
};

// Taken before the picture changes; what is returned is called after it.
export function dashesFor(control) {
  const goesOn = control && control === movement.control && performance.now() - movement.at < HELD;
  const was = goesOn ? movement.was : data();
  movement = { control, at: performance.now(), was, top: axisNow() };
  return () => control && control !== "none" && was.n === data().n && was !== data() && leaveDashes(was.chances, goesOn ? movement.top : 0);
}
