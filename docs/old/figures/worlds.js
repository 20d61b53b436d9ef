// The figure of epsilon.md: two distributions side by side, a slider for epsilon, and what one published number tells.
// All chances are in worlds-numbers.js, which the library wrote; nothing is computed here but ratios of two of them.
(() => {
  const box = document.getElementById("worlds");
  const { start, places } = window.WORLDS;
  const NS = "http://www.w3.org/2000/svg";
  const HIGH = 190, TOP = 14, LEFT = 42, RIGHT = 4;
  let chosen = 4;

  box.innerHTML = `
    <p class="figure-title" id="worlds-title">Move epsilon, and pick the number that gets published</p>
    <div class="worlds-control"><label for="worlds-epsilon">epsilon <output id="worlds-value"></output></label>
      <input type="range" id="worlds-epsilon" min="0" max="${places.length - 1}" value="${start}">
      <div class="worlds-ends" aria-hidden="true"><span>your answer hardly shows</span><span>it nearly shows</span></div></div>
    <div class="worlds-key" aria-hidden="true"><span class="no">you said no</span><span class="yes">you said yes</span>
      <span class="most">most allowed: exp(epsilon) times the lower bar</span></div>
    <div class="worlds-chart" role="img"></div>
    <div class="worlds-numbers" role="group" aria-label="published number"></div>
    <p class="worlds-axis" aria-hidden="true">published number: pick one</p>
    <p class="worlds-asks" aria-hidden="true">How sure somebody now is that you said yes, from 50% before</p>
    <div class="worlds-gauge" aria-hidden="true"><i class="band"></i><i class="half"></i><i class="sure"></i>
      <span class="low"></span><span class="high"></span></div>
    <div class="worlds-scale" aria-hidden="true"><span>0%</span><span>50%</span><span>100%</span></div>
    <p class="worlds-says" aria-live="polite"></p>`;
  const part = (name) => box.querySelector(name);
  const slider = part("input"), chart = part(".worlds-chart"), row = part(".worlds-numbers");
  const percent = (share) => (share < 0.001 ? "under 0.1%" : share > 0.999 ? "over 99.9%" : `${(100 * share).toFixed(share > 0.99 ? 1 : share < 0.1 ? 1 : 0)}%`);
  const times = (ratio) => Number(ratio.toPrecision(3)).toString();

  for (let k = 0; k < places[0].no.length; k += 1) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = k;
    button.addEventListener("click", () => { chosen = k; show(); });
    row.append(button);
  }
  row.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    chosen = Math.min(row.children.length - 1, Math.max(0, chosen + move));
    show();
    row.children[chosen].focus();
  });

  // The parts of the chart stand still and only change their height: so a change can be seen as a movement.
  let marks = {};
  function lay() {
    const wide = Math.max(280, chart.clientWidth);
    const step = (wide - LEFT - RIGHT) / row.children.length;
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `0 0 ${wide} ${TOP + HIGH + 7}`);
    svg.setAttribute("width", wide);
    svg.setAttribute("height", TOP + HIGH + 7);
    const add = (name, look, more) => {
      const made = document.createElementNS(NS, name);
      made.setAttribute("class", look);
      for (const [key, value] of Object.entries(more)) made.setAttribute(key, value);
      svg.append(made);
      return made;
    };
    marks = { wide, here: add("rect", "here", { y: 0, width: step, height: TOP + HIGH }), no: [], yes: [], most: [] };
    for (const share of [0, 0.5, 1]) {
      const y = TOP + HIGH * (1 - share);
      add("line", "grid", { x1: LEFT, x2: wide - RIGHT, y1: y, y2: y });
      add("text", "tick", { x: LEFT - 6, y: y + 4.5, "text-anchor": "end" }).textContent = `${100 * share}%`;
    }
    const each = (step - Math.min(8, step * 0.2)) / 2;
    for (let k = 0; k < row.children.length; k += 1) {
      const x = LEFT + k * step + (step - 2 * each) / 2;
      marks.no.push(add("rect", "bar no", { x, y: TOP, width: each - 1, height: HIGH }));
      marks.yes.push(add("rect", "bar yes", { x: x + each, y: TOP, width: each - 1, height: HIGH }));
      marks.most.push(add("line", "most", { x1: x - 2, x2: x + 2 * each + 1, y1: 0, y2: 0 }));
    }
    marks.left = (k) => LEFT + k * step;
    chart.replaceChildren(svg);
    row.style.paddingLeft = `${LEFT}px`;
    row.style.paddingRight = `${RIGHT}px`;
    show();
  }

  function show() {
    const { epsilon, bound, no, yes } = places[slider.value];
    const raise = (bar, share) => { bar.style.transform = `translateY(${HIGH * (1 - share)}px) scaleY(${share})`; bar.style.transformOrigin = `0 ${TOP}px`; };
    no.forEach((share, k) => raise(marks.no[k], share));
    yes.forEach((share, k) => raise(marks.yes[k], share));
    marks.most.forEach((line, k) => {
      const most = Math.min(no[k], yes[k]) * bound;
      line.style.transform = `translateY(${TOP + HIGH * (1 - most)}px)`;
      line.classList.toggle("hidden", most > 1.0005);
    });
    marks.here.style.transform = `translateX(${marks.left(chosen)}px)`;
    [...row.children].forEach((button, k) => button.setAttribute("aria-pressed", k === chosen));
    const likelier = yes[chosen] > no[chosen];
    const ratio = likelier ? yes[chosen] / no[chosen] : no[chosen] / yes[chosen];
    const sure = yes[chosen] / (yes[chosen] + no[chosen]), most = bound / (1 + bound);
    part("#worlds-value").textContent = epsilon;
    slider.setAttribute("aria-valuetext", `epsilon ${epsilon}, at most ${times(bound)} times as likely`);
    chart.setAttribute("aria-label", `Chance of each published number at epsilon ${epsilon}, if you said no: ${no.map(percent).join(", ")}; if you said yes: ${yes.map(percent).join(", ")}`);
    const gauge = part(".worlds-gauge").style;
    gauge.setProperty("--low", `${100 * (1 - most)}%`);
    gauge.setProperty("--high", `${100 * most}%`);
    gauge.setProperty("--sure", `${100 * sure}%`);
    part(".low").textContent = percent(1 - most);
    part(".high").textContent = percent(most);
    part(".worlds-says").innerHTML =
      `<b>${chosen} is published.</b> Its chance was ${percent(no[chosen])} if you said no and ${percent(yes[chosen])} if you said yes: ` +
      `${times(ratio)} times as likely. At epsilon ${epsilon} no number may be more than ${times(bound)} times as likely. ` +
      `Somebody who knows the seven others and thought yes and no equally likely is now <b>${percent(sure)}</b> sure that you said yes. ` +
      `No number can take them above about ${percent(most)} or below about ${percent(1 - most)}.`;
  }

  slider.addEventListener("input", show);
  window.addEventListener("resize", () => { if (marks.wide !== Math.max(280, chart.clientWidth)) lay(); });
  box.classList.add("ready");
  lay();
})();
