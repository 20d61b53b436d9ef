// The group that the story is about: who said yes, kept in the page alone. The last of them is you.

import { data } from "./page.js";

const { n: people, others: firstOthers } = data();
const saidYes = Array.from({ length: people }, (_, k) => k < firstOthers || k === people - 1);
const heard = [];
let answered = false;

export const saysYes = (k) => saidYes[k];
export const yourYes = () => saidYes[people - 1];
export const hasAnswered = () => answered;
export const inAll = () => saidYes.filter(Boolean).length;
export const othersYes = () => inAll() - Number(yourYes());

export function changeAnswer(k, yes = !saidYes[k]) {
  answered ||= k === people - 1;
  saidYes[k] = yes;
  for (const tell of heard) tell();
}

// Whatever is shown of the group is shown anew when it changes, and now.
export function withGroup(tell) {
  heard.push(tell);
  tell();
}
