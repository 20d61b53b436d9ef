// What the theme's own script adds after loading: copy buttons stop being landmarks, and what scrolls can be reached by keyboard.
function finish() {
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
new MutationObserver(finish).observe(document.querySelector("article") ?? document.body, { childList: true, subtree: true });
window.addEventListener("resize", finish);
finish();
