// What the theme's own script adds after loading: copy buttons stop being landmarks, what scrolls can be reached by keyboard and shows where more
// follows. Long tables of the appendix are folded on a phone. Pages opened from a folder say how to search them.
function mark(box) {
  box.classList.toggle("more-right", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  box.classList.toggle("more-left", box.scrollLeft > 2);
}
function finish() {
  for (const box of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset p:has(> .enlarge > .wide)")) {
    if (!box.dataset.marked) {
      box.addEventListener("scroll", () => mark(box), { passive: true });
      const hint = document.createElement("div");
      hint.className = "more-hint";
      hint.setAttribute("aria-hidden", "true");
      hint.textContent = "\u2190 move sideways \u2192";
      box.after(hint);
    }
    box.dataset.marked = "yes";
    mark(box);
  }
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.setAttribute("role", "none");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) {
    if (box.scrollWidth > box.clientWidth) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", "Table");
    } else {
      box.removeAttribute("tabindex");
    }
  }
}
for (const table of document.querySelectorAll("details.long")) {
  if (matchMedia("(max-width: 44.9em)").matches) table.open = false;
  table.addEventListener("toggle", finish);
}
new MutationObserver(finish).observe(document.querySelector("article") ?? document.body, { childList: true, subtree: true });
window.addEventListener("resize", finish);
window.addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("article details")) fold.open = true;
});
// Somebody looks for "--nulls": the search would take a dash for "without this word", and a second one for a mistake. What finds nothing is
// looked for once more, with one letter of each word other than typed, missing or too many.
const post = Worker.prototype.postMessage;
const asked = new WeakMap();
function once_more({ target, data }) {
  const words = asked.get(target);
  if (!words || !Array.isArray(data?.data?.items) || data.data.items.length) return;
  asked.delete(target);
  post.call(target, { type: 2, data: words.map((word) => `${word}~1`).join(" ") });
}
Worker.prototype.postMessage = function (message, ...rest) {
  if (typeof message?.data !== "string") return post.call(this, message, ...rest);
  const data = message.data.replace(/(^|\s)-+/g, "$1");
  const words = data.match(/[\p{L}\d]{4,}/gu);
  if (words) asked.set(this, words);
  else asked.delete(this);
  this.addEventListener("message", once_more);
  return post.call(this, { ...message, data }, ...rest);
};
finish();
if (location.protocol === "file:") {
  const why = document.createElement("p");
  why.className = "no-search";
  why.innerHTML =
    "To search, open these pages through a web server: run <code>python -m http.server</code> in their folder, then open " +
    '<a href="http://localhost:8000">http://localhost:8000</a>.';
  document.querySelector("article")?.prepend(why);
}
