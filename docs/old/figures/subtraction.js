// The figure of hiding.md: the subtraction, step by step, and what it gets from the same months published with noise.
// Every number and word of the attack is in subtraction-numbers.js, which the tools of the repository wrote.
(() => {
  const box = document.getElementById("subtraction");
  const { clinics, steps, grown, epsilon, releases, most, least } = window.SUBTRACTION;
  const MONTHS = ["March", "April"];
  const last = steps.length;
  let at = 0, draw = 0;

  box.innerHTML = `
    <div class="subtraction-moves"><button type="button" class="back">Back</button><button type="button" class="next">Next</button>
      <button type="button" class="again">Draw again</button><span class="where"></span></div>
    <p class="figure-title" aria-live="polite"></p>
    <div class="subtraction-field"><table class="subtraction"><thead><tr><td></td>${clinics.map(([name]) => `<th scope="col">${name}</th>`).join("")}
      <th scope="col">total</th></tr></thead><tbody></tbody></table><svg aria-hidden="true"></svg></div>
    <p class="subtraction-line"></p>
    <p class="subtraction-says" aria-live="polite"></p>`;
  const part = (name) => box.querySelector(name);
  const back = part("button.back"), next = part("button.next"), again = part("button.again"), field = part(".subtraction-field");

  // The people of a group: full dots said yes, pale ones may have.
  function people(size, low, high) {
    return `<span class="people" aria-hidden="true">${Array.from({ length: size }, (_, k) => `<i class="${k < low ? "yes" : k < high ? "maybe" : ""}"></i>`).join("")}</span>`;
  }
  function cell(look, number, about, size, low, high, place, sum) {
    return `<td class="${look}${sum ? " sum" : ""}${about ? " about" : ""}" data-place="${place}"><b>${number}</b>` +
      (sum ? `<small>of ${size}</small>` : `${people(size, low, high)}<span class="read">of ${size}${look === "hidden" ? ", hidden" : look === "back" ? ", found" : ""}</span>`) + "</td>";
  }
  function published(row, month, k) {
    const [look, number, about] = row;
    const known = look === "hidden" ? 0 : Number(number);
    return cell(look, number, about, clinics[k][month + 1], known, known, `${MONTHS[month]} ${clinics[k][0]}`);
  }
  function printed([interval], month, k) {
    const [low, high] = interval.split(" to ").map(Number);
    return cell("private", `${low}–${high}`, clinics[k][0] === grown && month === 1, clinics[k][month + 1], low, high, "");
  }

  function show() {
    const ours = at === last;
    const step = ours ? null : steps[at];
    const release = releases[draw % releases.length];
    const all = MONTHS.map((_, month) => clinics.reduce((sum, clinic) => sum + clinic[month + 1], 0));
    part("tbody").innerHTML = MONTHS.map((month, m) => {
      const cells = (ours ? release : step).cells[m].map((one, k) => (ours ? printed : published)(one, m, k));
      const whole = ours
        ? cell("private", release.totals[m][0].replace(" to ", "–"), false, all[m], 0, 0, "", true)
        : cell("shown", step.totals[m][1], step.totals[m][2], all[m], 0, 0, `${month} total`, true);
      return `<tr><th scope="row">${month}</th>${cells.join("")}${whole}</tr>`;
    }).join("");
    part(".figure-title").textContent = ours ? `The same two months with discreet, epsilon ${epsilon} each` : `${at + 1}. ${step.title}`;
    part(".subtraction-line").textContent = ours ? "" : step.line;
    part(".subtraction-says").innerHTML = ours
      ? `Every number is now an interval, and so is the total: there is no exact total to subtract from. ` +
        `About 1 interval in 20 may miss the truth. In this draw ${release.missed}. Only we can know that, because we made the table up. ` +
        `<br>Take somebody who knows the answers of all others in ${grown}, and thought yes and no equally likely for the new one. They are now <b>${release.sure}</b> sure of a yes. ` +
        `No draw takes them above about ${most} or below about ${least}.`
      : step.words;
    part(".where").textContent = `step ${at + 1} of ${last + 1}`;
    back.disabled = at === 0;
    next.hidden = ours;
    again.hidden = !ours;
    ways();
  }

  // Where a number goes, from its tile to the one that it gives away: straight to the other month, around within one.
  function ways() {
    const svg = part("svg"), whole = field.getBoundingClientRect();
    svg.setAttribute("viewBox", `0 0 ${whole.width} ${whole.height}`);
    svg.innerHTML = (at === last ? [] : steps[at].ways).map(([from, to]) => {
      const [one, other] = [from, to].map((place) => {
        const all = box.querySelector(`[data-place="${place}"]`), tile = all.firstChild.getBoundingClientRect();
        const bottom = all.getBoundingClientRect().bottom;
        return { x: tile.left - whole.left + tile.width / 2, top: tile.top - whole.top, bottom: bottom - whole.top };
      });
      const down = other.top > one.bottom, up = other.bottom < one.top;
      let path, x = other.x, y;
      if (down || up) {
        y = down ? other.top - 4 : other.bottom + 4;
        path = `M${one.x} ${down ? one.bottom + 2 : one.top - 2}V${y}`;
      } else { // April's way runs below its tiles, March's above, over the names
        const below = from.startsWith(MONTHS[1]);
        const turn = below ? one.bottom + 14 : one.top - 38;
        y = below ? other.bottom + 3 : other.top - 26;
        path = `M${one.x} ${below ? one.bottom + 2 : one.top - 27}V${turn}H${x}V${y}`;
      }
      const rises = down || (!up && !from.startsWith(MONTHS[1])) ? -1 : 1;
      return `<path d="${path}"/><polygon points="${x - 5},${y + 7 * rises} ${x},${y} ${x + 5},${y + 7 * rises}"/>`;
    }).join("");
  }

  // the focus stays where it is of use when its button goes
  back.addEventListener("click", () => { at -= 1; show(); if (back.disabled) next.focus(); });
  next.addEventListener("click", () => { at += 1; show(); if (at === last) again.focus(); });
  again.addEventListener("click", () => { draw += 1; show(); });
  box.classList.add("ready");
  show();
  new ResizeObserver(ways).observe(field);
})();
