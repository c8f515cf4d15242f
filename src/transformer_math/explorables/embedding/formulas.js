/** The mathematics that the explorables of embeddings repeat: pure functions, each compared with its Python twin. */

import { dot } from "../numbers.js";

/** c^α / Σ c^α for some words; `rest` holds the counts of all others, as [count, how many words]. */
export function noiseShares(counts, rest, power) {
  const weights = counts.map((c) => c ** power);
  const total = rest.reduce((sum, [c, many]) => sum + many * c ** power, weights.reduce((a, b) => a + b, 0));
  return weights.map((w) => w / total);
}

/** −ln σ(x), that is ln(1 + e^(−x)), without overflow. */
export const surprise = (x) => Math.max(-x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** The mean loss of a pair’s questions at a score: one for each time that it comes, real or invented. */
export const pairLoss = (score, real, invented) =>
  (real * surprise(score) + invented * surprise(-score)) / (real + invented);

/** The score at which that is smallest. */
export const bestScore = (real, invented) => Math.log(real / invented);

const minus = (x, y) => x.map((value, i) => value - y[i]);
const times = (x, factor) => x.map((value) => value * factor);
const unit = (x) => times(x, 1 / Math.max(Math.sqrt(dot(x, x)), Number.MIN_VALUE));

/** Where all words stand in the plane through a, b and c: along from a to b, and at right angles towards c. */
export function planeOfQuestion(W, a, b, c) {
  const along = unit(minus(W[b], W[a]));
  const side = minus(W[c], W[a]);
  const upright = unit(minus(side, times(along, dot(side, along))));
  return W.map((w) => [along, upright].map((direction) => dot(minus(w, W[a]), direction)));
}

const UNITS = new WeakMap();

/** The rows of a matrix with length 1, found once for each matrix. */
function unitsOf(W) {
  if (!UNITS.has(W)) UNITS.set(W, W.map(unit));
  return UNITS.get(W);
}

/** How near the direction of each word is to that of b − a + c, every vector with length 1. */
export function analogyCosines(W, a, b, c) {
  const units = unitsOf(W);
  const target = unit(minus(units[b], minus(units[a], units[c])));
  return units.map((w) => dot(w, target));
}

/** How near the direction of each word is to that of a vector. */
export const cosinesWith = (W, x) => W.map((w) => dot(unit(w), unit(x)));

/** How far a vector is from each of some others. */
export const distancesFrom = (x, C) => C.map((c) => Math.sqrt(dot(minus(x, c), minus(x, c))));

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

/**
 * One step of negative sampling: the centre's vector h and the rows of U that take part, each moved against its gradient;
 * `errors` are the probabilities less what they should be, of the real word and of each invented one.
 */
export function samplingStep(h, U, target, invented, rate) {
  const words = [target, ...invented];
  const errors = words.map((v, r) => sigmoid(dot(h, U[v])) - (r === 0 ? 1 : 0));
  const moved = U.map((u) => [...u]);
  const centre = [...h];
  words.forEach((v, r) =>
    h.forEach((x, i) => {
      centre[i] -= rate * errors[r] * U[v][i];
      moved[v][i] -= rate * errors[r] * x;
    }),
  );
  return { h: centre, U: moved, errors };
}
