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

/** A mask over a class token and the patches of F frames of N places, in which patches see each other where they agree. */
const maskOf = (F, N, agree) => {
  const tokens = range(F * N + 1);
  return tokens.map((i) => tokens.map((j) => i === 0 || j === 0 || agree(i - 1, j - 1)));
};

/** Each patch sees its own frame, and the class token. */
export const spaceMask = (F, N) => maskOf(F, N, (i, j) => Math.floor(i / N) === Math.floor(j / N));

/** Each patch sees its own place in all frames, and the class token. */
export const timeMask = (F, N) => maskOf(F, N, (i, j) => i % N === j % N);

/** From which tokens something can have come to token i, after a step under one mask and a step under another. */
export const reachedFrom = (first, then, i) => {
  const seen = range(then.length).filter((k) => then[i][k]);
  return range(first.length).map((j) => seen.some((k) => first[k][j]));
};

/** How many pairs a mask allows. */
export const pairsOf = (mask) => mask.reduce((sum, row) => sum + row.filter(Boolean).length, 0);
