/** Sums that are the same for every entry of what they stand in: the denominator of a softmax, for all places of a row. */

import { FUNCTIONS } from "./functions.js";
import { lookUp } from "./names.js";
import { walk } from "./walk.js";

const SIMPLE = new Set(["sum", "num", "sym", "paren", "add", "times", "power", "sqrt", "abs"]);
const CONSTANTS = new Set(["e", "pi", "infty"]);
const READ = new WeakMap();

/** Whether a part is no more than its parts: nothing is defined in it, and no printed formula called. */
const isPlain = ({ t, name, sub, pullback }) => SIMPLE.has(t) || (t === "call" && name in FUNCTIONS && !sub && !pullback);

/** The names in a sum, and its symbols but for the letters that it runs over; nothing where it calls a printed formula or defines something. */
function read(sum) {
  if (!READ.has(sum)) {
    const nodes = [];
    walk(sum, (node) => nodes.push(node));
    const own = new Set(nodes.filter(({ t }) => t === "sum").map(({ index }) => index));
    const symbols = nodes.filter(({ t }) => t === "sym");
    const names = new Set([...own, ...symbols.map(({ base, marks }) => base + marks)]);
    const isFree = ({ base, marks, indices = [] }) => indices.length > 0 || (!own.has(base + marks) && !CONSTANTS.has(base));
    const given = symbols.filter(isFree);
    READ.set(sum, nodes.every(isPlain) ? { names, given } : undefined);
  }
  return READ.get(sum);
}

/** Whether a symbol is bound to numbers, which are the same wherever they are asked for. */
function isKnown(node, scope) {
  const value = lookUp(node, scope)?.value;
  return value !== undefined && value.patterns === undefined;
}

/** The outermost scope in which a sum has the same value: letters that it does not name are passed by. */
export function widest(sum, scope) {
  const parts = scope.letters && !scope.library.seen && read(sum);
  if (!parts) return scope;
  const isNamed = (letter) => /[_^]/.test(letter) || parts.names.has(letter); // k_1 may stand in any name
  let found = scope;
  while (found.letters && !found.letters.some(isNamed)) found = found.parent;
  return found !== scope && parts.given.every((node) => isKnown(node, scope)) ? found : scope;
}
