/** Goes through the parts of an expression. */

import { attempt } from "./scope.js";

/** Call `visit` for every node of an expression, indices and exponents included. */
export function walk(node, visit) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const part of node) walk(part, visit);
    return;
  }
  if (node.t) visit(node);
  for (const [name, part] of Object.entries(node)) {
    if (["sup", "sub", "power", "place"].includes(name)) continue;
    if (name === "indices") for (const { expr } of part ?? []) walk(expr?.(), visit);
    else walk(part, visit);
  }
  if (node.power?.exponent) walk(attempt(node.power.exponent), visit);
}
