// The people of the group, drawn: a click changes one person's answer, and with it the true count by one. The last of them is you.
// From the keyboard, arrows go from one to the next and Enter changes an answer; the slider beside them does the same. Who said what is kept in the page alone: only their number is a setting.

import { byId, data, element } from "./page.js";

const PERSON = '<svg viewBox="0 0 20 32"><circle cx="10" cy="6.5" r="5"/><path d="M2.5 31v-9a7.5 7.5 0 0 1 15 0v9z"/></svg>';
const MANY = 12; // people up to whom each is drawn large
let saidYes = [];

const inAll = () => saidYes.filter(Boolean).length;

// As many as the true count said yes; those who change their answer for it are on the left, and you are the last to.
export function showCrowd(count) {
  const place = byId("crowd");
  if (saidYes.length !== data().n) saidYes = Array(data().n).fill(false);
  while (inAll() < count) saidYes[saidYes.indexOf(false)] = true;
  while (inAll() > count) saidYes[saidYes.slice(0, -1).includes(true) ? saidYes.slice(0, -1).lastIndexOf(true) : saidYes.length - 1] = false;
  drawPeople(place, saidYes, "data-person");
}

// Everybody but you, as somebody knows them who knows all of them; your own answer is what they would like to know.
export function showOthers(others) {
  drawPeople(byId("insiders"), Array.from({ length: data().n }, (_, k) => k < others), "data-other");
}

// The last of them is you.
function drawPeople(place, yes, mark) {
  place.classList.toggle("many", yes.length > MANY);
  if (place.children.length !== yes.length) {
    place.replaceChildren(...yes.map((_, k) => {
      const person = element("span", "", { [mark]: k });
      person.innerHTML = PERSON;
      if (k === yes.length - 1) {
        person.className = "you";
        person.append(element("small", mark === "data-person" ? "you" : "you?"));
      }
      return person;
    }));
  }
  yes.forEach((said, k) => {
    const person = place.children[k];
    person.classList.toggle("yes", said);
    if (mark !== "data-person") return;
    person.setAttribute("role", "button");
    person.setAttribute("aria-pressed", said);
    person.setAttribute("aria-label", `${k === yes.length - 1 ? "You" : `Person ${k + 1}`} said yes`);
  });
  if (mark === "data-person" && !place.querySelector("[tabindex='0']")) place.lastChild.tabIndex = 0;
}

// One of them is in the order of the page, and arrows go on from there.
export function startCrowd() {
  byId("crowd").addEventListener("keydown", (event) => {
    const people = [...byId("crowd").children];
    const at = people.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: people.length - 1 }[event.key];
    if (event.key === "Enter" || event.key === " ") event.target.click();
    else if (!people[to]) return;
    else {
      event.target.tabIndex = -1;
      people[to].tabIndex = 0;
      people[to].focus();
    }
    event.preventDefault();
  });
}

// One person changes their answer; returns the true count that makes.
export function changeAnswer(person) {
  const k = Number(person.dataset.person);
  saidYes[k] = !saidYes[k];
  return inAll();
}

// What one changed answer did: no chance moved by more than the bound, which is the promise of differential privacy.
export function whatChanged(from, to, person) {
  const { bound } = data();
  if (bound === 1) return `The true count is ${to}, not ${from}, and no chance has changed: nothing depends on anybody's answer.`;
  const [people, most] = [Math.abs(to - from), (factor) => Number(factor.toPrecision(3))];
  const dashes = `The true count is ${to}, not ${from}; the dashes are the chances before. None grew or shrank by a factor of more than`;
  if (people > 1) return `${people} people changed their answers. ${dashes} ${most(bound)} for each of them, ${most(bound ** people)} in all.`;
  const who = person?.classList.contains("you") ? "You changed your answer." : "One person changed their answer.";
  return `${who} ${dashes} ${most(bound)}: that is the whole promise.`;
}
