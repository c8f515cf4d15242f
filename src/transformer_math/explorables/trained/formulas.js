/** What heads are measured by: where they look, over a whole text. `A[i][j]` is what token i gives to token j ≤ i. */
import { range } from "../numbers.js";

const mean = (xs) => xs.reduce((sum, x) => sum + x, 0) / xs.length;

/** How much of its attention a head gives to the token before; of one token there is none before. */
export const previousTokenScore = (A) => (A.length < 2 ? NaN : mean(range(A.length - 1).map((i) => A[i + 1][i])));

/** How much a head gives to what came behind earlier places of the same token; NaN where no token comes twice. */
export function prefixMatchingScore(A, ids) {
  const places = ids.map((id, i) => range(i).filter((j) => ids[j] === id));
  const again = range(ids.length).filter((i) => places[i].length > 0);
  return again.length ? mean(again.map((i) => places[i].reduce((sum, j) => sum + A[i][j + 1], 0))) : NaN;
}

/** The tokens that can be known: what came before them has come before, and then, too, they came next. */
export const copies = (ids) => range(ids.length).filter((i) => range(i).some((j) => j > 0 && ids[j - 1] === ids[i - 1] && ids[j] === ids[i]));

/** How much a head gives to the token that looks. */
export const ownTokenScore = (A) => mean(A.map((row, i) => row[i]));
