// Copying, also where the page was not served securely and the browser keeps its clipboard to itself.

import { byId } from "./page.js";

export async function copyText(button) {
  const source = byId(button.dataset.copy);
  const done = await navigator.clipboard?.writeText(source.textContent).then(() => true, () => false);
  const worked = done || copiedBySelection(source);
  const before = button.textContent;
  button.textContent = worked ? "Copied" : "Press Ctrl+C";
  setTimeout(() => { button.textContent = before; }, 1500);
}

// What is selected stays selected, so that Ctrl+C works where even this is refused.
function copiedBySelection(source) {
  getSelection().selectAllChildren(source);
  return document.execCommand("copy");
}
