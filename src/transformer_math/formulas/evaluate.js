/** Evaluates an expression by the rule for its kind; the modules beside this one bring the rules along. */

import { Endless, FormulaError } from "./reader.js";

export const RULES = {};

export function evaluate(node, scope) {
  if ((scope.library.steps -= 1) < 0) throw new Endless("this takes too many steps: what is the same for every index needs a name, on a line of its own");
  const rule = RULES[node?.t];
  if (!rule) throw new FormulaError("something here has no value", node?.place);
  try {
    const value = rule(node, scope);
    scope.library.seen?.(node, value, scope);
    return value;
  } catch (error) {
    if (error instanceof FormulaError && !scope.foreign) error.place ??= node.place;
    throw error;
  }
}
