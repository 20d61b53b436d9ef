// Numbers drawn in the page itself, from exact chances as whole weights, with the browser's cryptographic random numbers.

// A whole number below another, each equally likely: one that is too large is thrown away, so that no chance is rounded.
export function uniform(below) {
  const bits = below.toString(2).length;
  const words = new Uint32Array(Math.ceil(bits / 32));
  for (;;) {
    crypto.getRandomValues(words);
    const word = words.reduce((all, one) => (all << 32n) | BigInt(one), 0n) >> BigInt(32 * words.length - bits);
    if (word < below) return word;
  }
}

// The number that a word falls on, where each number has as many words as its weight.
export function numberAt(weights, word) {
  let k = 0;
  for (let left = word; left >= weights[k]; k += 1) left -= weights[k];
  return k;
}

// So many numbers, each with a chance of its weight over the sum. Weights come as text: a script's own numbers are exact up to sixteen digits only.
export function drawnFrom(column, times) {
  const weights = column.map(BigInt);
  const whole = weights.reduce((sum, one) => sum + one, 0n);
  return Array.from({ length: times }, () => numberAt(weights, uniform(whole)));
}
