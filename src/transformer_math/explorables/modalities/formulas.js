/** The formulas of the group modalities. */
import { range } from "../numbers.js";

/** The patches of a picture, row by row, each as one list; a row of the picture holds its pixels with their C channels. */
export function patchify(X, P, C) {
  const side = P * C;
  const square = (r, s) => range(P).flatMap((a) => X[r * P + a].slice(s * side, (s + 1) * side));
  return range(X.length / P).flatMap((r) => range(X[0].length / side).map((s) => square(r, s)));
}

/** An order in which n patches look shuffled: the patch that comes to each place. */
export const shuffledOrder = (n) => range(n).map((i) => (7 * i + 3) % n);
