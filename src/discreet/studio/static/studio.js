// Sends the controls to the server whenever one changes and swaps the parts of the page that came back different.
// No mathematics lives here: every number is the library's.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const PATIENCE = 150; // milliseconds: how long a hand must rest before prices are asked for
  const SLOW = 1000; // milliseconds after which a picture is given up when something newer is asked for
  let running = null; // one request for the picture at a time ...
  let waiting = null; // ... and the newest change waits for it, so that a dragged slider never queues up work
  let latest = 0; // prices of anything but the newest picture are dropped
  let timer = 0;
  let restTimer = 0;
  let slowTimer = 0;
  let prices = null; // the request for prices, given up when the picture changes

  const controls = () => `?${new URLSearchParams(new FormData(byId("controls")))}`;

  // A page that takes too long comes as 503 and says so itself; the studio stops working on what is given up.
  async function fetched(path, part, signal) {
    const answer = await fetch(path, { headers: { "X-Part": part }, credentials: "omit", signal });
    const isPage = (answer.headers.get("Content-Type") || "").startsWith("text/html");
    if (!answer.ok && !isPage) throw new Error(await answer.text());
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  // Put what is live in the answer into the page; the control in use is left alone.
  function apply(answer, { valid, everything }) {
    for (const fresh of answer.querySelectorAll("[data-live]")) {
      const shown = byId(fresh.id);
      const wanted = valid || fresh.classList.contains("problem") || fresh.id === "sentence";
      if (shown && wanted && shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...fresh.childNodes);
    }
    for (const fresh of answer.querySelectorAll("[data-sync]")) {
      const shown = byId(fresh.id);
      if (!shown) continue;
      const inUse = shown === document.activeElement && !everything;
      if (fresh.hasAttribute("aria-invalid")) shown.setAttribute("aria-invalid", "true");
      else shown.removeAttribute("aria-invalid");
      if (!valid && !everything) continue;
      if (fresh.dataset.state) shown.dataset.state = fresh.dataset.state;
      for (const name of ["max", "data-stops", "data-slides", "aria-valuetext"]) {
        if (fresh.hasAttribute(name)) shown.setAttribute(name, fresh.getAttribute(name));
      }
      if (inUse) continue;
      if (fresh.type === "checkbox" || fresh.type === "radio") shown.checked = fresh.checked;
      else if (fresh.tagName === "SELECT") {
        if (shown.innerHTML !== fresh.innerHTML) shown.replaceChildren(...[...fresh.options].map((o) => o.cloneNode(true)));
        shown.value = fresh.value;
      } else if ("value" in fresh) shown.value = fresh.value;
    }
  }

  const idle = () => { document.body.dataset.busy = "no"; };

  async function show(query, options = {}) {
    document.body.dataset.busy = "yes";
    clearTimeout(restTimer);
    prices?.abort();
    const mine = ++latest;
    if (running) {
      waiting = [query, options];
      clearTimeout(slowTimer);
      slowTimer = setTimeout(() => running?.abort(), Math.max(0, running.since + SLOW - performance.now()));
      return;
    }
    running = Object.assign(new AbortController(), { since: performance.now() });
    let valid = false;
    try {
      valid = display(await fetched(`/${query}`, "screen", running.signal), options);
    } catch (problem) {
      if (!running.signal.aborted) byId("sentence").textContent = `The studio does not answer: ${problem.message}`;
    }
    clearTimeout(slowTimer);
    running = null;
    if (waiting) {
      const next = waiting;
      waiting = null;
      show(...next);
    } else if (valid) restTimer = setTimeout(() => rest(query, mine), options.everything ? 0 : PATIENCE);
    else idle();
  }

  function display(answer, { push = false, everything = false, focus = null }) {
    const valid = answer.body.dataset.valid === "yes";
    apply(answer, { valid, everything });
    document.body.dataset.valid = answer.body.dataset.valid;
    if (valid) {
      const address = `?${answer.body.dataset.query}`;
      if (push) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
    }
    if (focus) byId(focus)?.focus();
    return valid;
  }

  // Prices and the recommendation take several designs more, so they follow the picture.
  async function rest(query, mine) {
    prices = new AbortController();
    try {
      const answer = await fetched(`/rest${query}`, "rest", prices.signal);
      if (mine === latest) apply(answer, { valid: true, everything: false });
    } catch (problem) {
      if (mine === latest) byId("problem-design").textContent = `No prices: ${problem.message}`;
    } finally {
      if (mine === latest) idle();
    }
  }

  document.addEventListener("input", (event) => {
    const control = event.target;
    if (!control.closest("#controls")) return;
    if (control.dataset.slides) {
      const target = byId(control.dataset.slides);
      target.value = control.dataset.stops ? control.dataset.stops.split(" ")[control.value] : control.value;
      control.setAttribute("aria-valuetext", `${target.id} = ${target.value}`);
    }
    if (control.id === "epsilon" || control.id === "alpha") byId(`by-${control.id}`).checked = true;
    if (control.id === "count") byId("count-shown").textContent = control.value;
    document.body.dataset.busy = "yes";
    clearTimeout(timer);
    timer = setTimeout(() => show(controls()), control.type === "text" ? 150 : 30);
  });

  document.addEventListener("submit", (event) => {
    event.preventDefault();
    show(controls());
  });

  document.addEventListener("click", async (event) => {
    const target = event.target;
    const link = target.closest("a[data-go]");
    const cell = target.closest("[data-count]");
    const fill = target.closest("[data-fill]");
    const copy = target.closest("[data-copy]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      const keep = link.dataset.go === "keep";
      show(link.getAttribute("href"), { push: true, everything: true, focus: keep ? "pins-title" : "sentence" });
    } else if (cell) {
      byId("count").value = cell.dataset.count;
      byId("count-shown").textContent = cell.dataset.count;
      show(controls());
    } else if (fill) {
      byId(fill.dataset.fill).value = fill.value;
      show(controls());
    } else if (copy) {
      await navigator.clipboard.writeText(byId(copy.dataset.copy).textContent);
      copy.textContent = "Copied";
      setTimeout(() => { copy.textContent = "Copy"; }, 1500);
    }
  });

  window.addEventListener("popstate", () => show(location.search, { everything: true }));
  document.body.dataset.ready = "yes";
})();
