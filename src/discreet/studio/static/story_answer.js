// Screen 1: an exact count gives away whoever is left when the others are subtracted.

import { byId, data } from "./page.js";
import { changeAnswer, inAll, othersYes, saysYes, withGroup, yourYes } from "./story_group.js";

let changes = 0;

function showAnswers() {
  const [others, published] = [othersYes(), inAll()];
  for (const person of byId("crowd").children) {
    const yes = saysYes(Number(person.dataset.person));
    person.setAttribute("aria-pressed", yes);
    person.classList.toggle("yes", yes);
  }
  byId("sum-published").textContent = published;
  byId("sum-others").textContent = others;
  byId("sum-you").textContent = published - others;
  byId("sum-says").textContent = yourYes() ? "you said yes" : "you said no";
  const known = `Published: ${published}. Whoever knows the other ${data().words[data().n - 1]} subtracts ${others}: you said ${yourYes() ? "yes" : "no"}.`;
  byId("answer-says").textContent = changes ? `${known} An exact count always gives you away.` : known;
}

export function startAnswer() {
  byId("crowd").addEventListener("click", ({ target }) => {
    const person = target.closest("[data-person]");
    if (!person) return;
    changes += 1;
    changeAnswer(Number(person.dataset.person));
  });
  withGroup(showAnswers);
}
