/** What the formulas of all groups are written with. */

// plain loops: everything calls these two, and a function for each entry takes several times as long

export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

export function mean(x) {
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += x[i];
  return sum / x.length;
}

/** The Euclidean length of a vector. */
export const length = (x) => Math.sqrt(dot(x, x));

/** The cosine of the angle between two vectors. */
export const cosine = (a, b) => dot(a, b) / length(a) / length(b);

export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Where the largest number stands; all places, where it stands at several up to rounding. */
export function placesOfLargest(x, tie = 1e-9) {
  const most = Math.max(...x);
  return range(x.length).filter((i) => most - x[i] < tie);
}

/** Numbers in 0 … 1, by the generator of Park and Miller, which Python computes exactly too. */
export function uniforms(seed) {
  let x = 1 + 7919 * seed;
  return () => (x = (48271 * x) % (2 ** 31 - 1)) / (2 ** 31 - 1);
}
