/** What the formulas of all groups are written with. */

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Numbers in 0 … 1, by the generator of Park and Miller, which Python computes exactly too. */
export function uniforms(seed) {
  let x = 1 + 7919 * seed;
  return () => (x = (48271 * x) % (2 ** 31 - 1)) / (2 ** 31 - 1);
}
