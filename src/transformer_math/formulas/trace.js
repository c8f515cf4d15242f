/** What every part of a formula is worth: its values while the formula is run on a case. */

import { check } from "./checking.js";
import { isDefinition } from "./definitions.js";
import { evaluate } from "./expressions.js";
import { isIndexed } from "./names.js";
import { whole as wholly } from "./reader.js";
import { attempt } from "./scope.js";
import { Arr } from "./values.js";
import { walk } from "./walk.js";

const MOST = 4000; // numbers of one part; what has more is left out
const NO_PARTS = new Set(["num", "value", "tuple", "matrix", "cases", "compare", "once", "pick"]);

/** The parts of a formula that can have a value, in reading order, each before those inside it. */
export function partsOf({ statements }) {
  const found = new Set();
  for (const { parts } of statements) walk(parts, (node) => node.place && !NO_PARTS.has(node.t) && found.add(node));
  return [...found].sort(({ place: a }, { place: b }) => a[0] - b[0] || b[1] - a[1]);
}

/** For each part its values in one case, in the order in which they were found, one of each where all are the same: `[shape, numbers]` each. */
export function trace(book, formula, parts, given) {
  const seen = new Map(parts.map((part) => [part, []]));
  let outermost;
  book.seen = (node, value, scope) => {
    seen.get(node)?.push(value);
    if (seen.has(node) && !scope.foreign && !(outermost?.depth <= scope.depth)) outermost = scope;
  };
  try {
    check(book, formula, given);
    for (const part of parts) if (!seen.get(part).length && part.t === "sym") seen.get(part).push(alone(part, outermost));
  } finally {
    delete book.seen;
  }
  for (const { parts: [left, right], relations } of formula.statements.filter(isDefinition)) if (!seen.get(left)?.length) seen.set(left, seen.get(right) ?? []);
  return parts.map((part) => seen.get(part).map(plain)).map((values) => (values.includes(undefined) || sizeOf(values) > MOST ? [] : once(values)));
}

/** A symbol that only stands on the left: its value, or that of all its entries together. */
function alone(node, scope) {
  const whole = { ...node, sub: undefined, indices: [] };
  const valueOf = (one) => attempt(() => wholly(() => evaluate(one, scope)));
  const value = scope && (valueOf(node) ?? valueOf(whole));
  return isIndexed(value) ? attempt(() => wholly(() => value.whole())) : value;
}

/** What was found again and again is one value. */
const once = (values) => (values.every((one) => isSame(one, values[0])) ? values.slice(0, 1) : values);

const isSame = ([shape, data], [otherShape, otherData]) => isEqual(shape, otherShape) && isEqual(data, otherData);

const isEqual = (a, b) => a.length === b.length && a.every((one, place) => Object.is(one, b[place]) || one === b[place]);

const sizeOf = (values) => values.reduce((sum, [, data]) => sum + data.length, 0);

function plain(value) {
  const [shape, data] = value instanceof Arr ? [value.shape, value.data] : [[], [value]];
  return data.every((one) => typeof one === "number") ? [shape, data] : undefined;
}
