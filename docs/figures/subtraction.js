// The figure of hiding.md: the subtraction, step by step, and what it gets from the same months published with noise.
// Every number and word of the attack is in subtraction-numbers.js, which the tools of the repository wrote.
(() => {
  const box = document.getElementById("subtraction");
  const { region, clinics, steps, grown, epsilon, releases, most, least } = window.SUBTRACTION;
  const last = steps.length;
  let at = 0, draw = 0;

  box.innerHTML = `
    <div class="subtraction-moves"><button type="button" class="back">Back</button><button type="button" class="next">Next</button>
      <button type="button" class="again">Draw again</button><span class="where"></span></div>
    <p class="figure-title" aria-live="polite"></p>
    <table class="subtraction"><thead><tr><th scope="col">${region}</th><th scope="col">March</th><th scope="col">April</th></tr></thead><tbody></tbody></table>
    <p class="subtraction-line"></p>
    <p class="subtraction-says" aria-live="polite"></p>`;
  const part = (name) => box.querySelector(name);
  const back = part("button.back"), next = part("button.next"), again = part("button.again");

  function cell(look, number, below, about) {
    return `<td class="${look}${about ? " about" : ""}"><b>${number}</b> <small>${below}</small></td>`;
  }
  function printed([interval, of], about) {
    return cell("private", interval, of, about);
  }
  const LOOKS = { hidden: "hidden", back: "found" };

  function show() {
    const ours = at === last;
    const step = ours ? null : steps[at];
    const release = releases[draw % releases.length];
    const rows = clinics.map(([name, ...sizes], k) => {
      const cells = [0, 1].map((month) => {
        const of = `of ${sizes[month]}`;
        if (ours) {
          return printed(release.cells[month][k], name === grown && month === 1);
        }
        const [look, number, about] = step.cells[month][k];
        return cell(look, number, LOOKS[look] ? `${of}, ${LOOKS[look]}` : of, about);
      });
      return `<tr><th scope="row">${name}</th>${cells.join("")}</tr>`;
    });
    const totals = ours
      ? release.totals.map((total) => printed(total, false)).join("")
      : step.totals.map(([look, number, about]) => cell(look, number, "published", about)).join("");
    part("tbody").innerHTML = `${rows.join("")}<tr class="sum"><th scope="row">total</th>${totals}</tr>`;
    part(".figure-title").textContent = ours ? `The same two months with discreet, epsilon ${epsilon} each` : `${at + 1}. ${step.title}`;
    part(".subtraction-line").textContent = ours ? "" : step.line;
    part(".subtraction-says").innerHTML = ours
      ? `Every number is now an interval, and so is the total: there is no exact total to subtract from. ` +
        `About 1 interval in 20 may miss the truth. In this draw ${release.missed}. Only we can know that, because we made the table up. ` +
        `<br>Take somebody who knows the answers of all others in ${grown}, and thought yes and no equally likely for the new one. They are now <b>${release.sure}</b> sure of a yes. ` +
        `No draw takes them above ${most} or below ${least}.`
      : step.words;
    part(".where").textContent = `step ${at + 1} of ${last + 1}`;
    back.disabled = at === 0;
    next.hidden = ours;
    again.hidden = !ours;
  }

  // the focus stays where it is of use when its button goes
  back.addEventListener("click", () => { at -= 1; show(); if (back.disabled) next.focus(); });
  next.addEventListener("click", () => { at += 1; show(); if (at === last) again.focus(); });
  again.addEventListener("click", () => { draw += 1; show(); });
  box.classList.add("ready");
  show();
})();
