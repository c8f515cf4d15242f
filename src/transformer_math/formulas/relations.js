/** Relations other than “=”: what ≤ and ∝ say of values, and whether it holds. */

import { FormulaError } from "./reader.js";
import { Arr, difference, scale, zip } from "./values.js";

const slack = (x) => 1e-12 * Math.max(1, Math.abs(x));

/** Relations of order: the sign, and when it holds between two numbers. Those that admit equality do not mind rounding. */
export const ORDERED = {
  "<": { sign: "<", holds: (a, b) => a < b },
  ">": { sign: ">", holds: (a, b) => a > b },
  "\\le": { sign: "≤", holds: (a, b) => a <= b + slack(b) },
  "\\leq": { sign: "≤", holds: (a, b) => a <= b + slack(b) },
  "\\ge": { sign: "≥", holds: (a, b) => a >= b - slack(b) },
  "\\geq": { sign: "≥", holds: (a, b) => a >= b - slack(b) },
  "\\neq": { sign: "≠", holds: (a, b) => a !== b },
};

export const PROPORTIONAL = "\\propto";

/** The members of a ≤ b ≤ c, each against the next, entry by entry: 0 where all hold. Throws FormulaError where one does not. */
export function inOrder(values, relations) {
  relations.forEach((relation, i) => {
    const [a, b] = values.slice(i, i + 2);
    if (relation === "=" && difference(a, b) < 1e-9) return;
    const { sign, holds } = ORDERED[relation] ?? { sign: "=", holds: () => false };
    zip((x, y) => {
      if (!holds(x, y)) throw new FormulaError(`${x} ${sign} ${y} does not hold`);
      return 1;
    }, a, b);
  });
  return 0;
}

/** a ∝ b: how far their entries are from having one ratio, which is not 0. */
export function proportional(a, b) {
  if (!(a instanceof Arr && b instanceof Arr)) throw new FormulaError("“∝” compares two lists of numbers");
  const at = b.data.findIndex((x) => x !== 0 && Number.isFinite(x));
  const ratio = at < 0 ? 0 : a.data[at] / b.data[at];
  return ratio ? difference(a, scale(ratio, b)) : Infinity;
}
