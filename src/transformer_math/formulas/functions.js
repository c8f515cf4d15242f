/** The functions that mathematics brings along; every other name is defined by a printed formula. */

import { Arr, blocks, map, scalar, zip } from "./values.js";
import { FormulaError } from "./reader.js";

/** erf by its Taylor series near 0, by the continued fraction of erfc beyond: about 1e-15. */
export function erf(x) {
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  return Math.sign(x) * (z < 2.5 ? series(z) : 1 - tail(z));
}

function series(z) {
  let [term, sum] = [z, z];
  for (let n = 1; Math.abs(term) > 1e-18 * sum; n += 1) {
    term *= (-z * z) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function tail(z) {
  let fraction = 0;
  for (let k = 80; k > 0; k -= 1) fraction = k / 2 / (z + fraction);
  return Math.exp(-z * z) / Math.sqrt(Math.PI) / (z + fraction);
}

const each = (f) => (args) => map(f, one(args));

function one(args) {
  if (args.length !== 1) throw new FormulaError(`one argument is wanted, ${args.length} came`);
  return args[0];
}

function row(value) {
  if (value instanceof Arr) return value;
  throw new FormulaError("argmax chooses among several numbers, and one came");
}

/** max and min: of several values entry by entry, of one over its entries. */
const extreme = (f) => (args) =>
  args.length > 1 ? args.reduce((a, b) => zip(f, a, b)) : args[0] instanceof Arr ? args[0].data.reduce((a, b) => f(a, b)) : scalar(args[0]);

export const FUNCTIONS = {
  __proto__: null, // a reader may write any name: toString is none of these
  sin: each(Math.sin),
  cos: each(Math.cos),
  tan: each(Math.tan),
  tanh: each(Math.tanh),
  exp: each(Math.exp),
  log: each(Math.log),
  ln: each(Math.log),
  log_2: each(Math.log2),
  log_10: each(Math.log10),
  erf: each(erf),
  Phi: each((x) => (1 + erf(x / Math.SQRT2)) / 2),
  max: extreme(Math.max),
  min: extreme(Math.min),
  argmax: (args) => row(one(args)).data.reduce((best, x, i, all) => (x > all[best] ? i : best), 0),
  Concat: (args) => blocks([args]),
};
