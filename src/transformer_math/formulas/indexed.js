/** Things with indices: one entry, a row or block, or all entries as one array; and how far each index runs. */

import { evaluate } from "./evaluate.js";
import { family, fromLibrary, isIndexed, lookUp, matrixOf } from "./names.js";
import { FormulaError } from "./reader.js";
import { attempt } from "./scope.js";
import { Arr, scalar, show, stack } from "./values.js";
import { walk } from "./walk.js";

/** Something with indices: ω_i, P_{pos,2i}, R_m. Every pattern is one printed left side. */
export class Indexed {
  constructor(name) {
    this.name = name;
    this.patterns = [];
    this.known = new Map();
  }

  /** `lead` is how many indices name a piece: one in (O_h)_ic. */
  add(indices, body, scope, forms = body, lead = 0) {
    this.patterns.push({ indices, body, scope, forms, lead });
    return this;
  }

  /** The entry at these indices; the whole row or block where there are fewer than the pattern has. */
  at(values) {
    const key = values.join();
    if (!this.known.has(key)) this.known.set(key, this.compute(values));
    return this.known.get(key);
  }

  compute(values) {
    const found = this.patterns.map((pattern) => ({ pattern, bound: match(pattern, values) })).filter(({ bound }) => bound);
    const [best] = [...found].sort((a, b) => inRange(b) - inRange(a));
    if (!best) throw new FormulaError(`${this.name} has no entry at ${values.map(show).join(", ")}`);
    if (best.pattern.indices.length === values.length) return evaluate(best.pattern.body, best.pattern.scope.inner(best.bound));
    const rest = new Indexed(this.name);
    for (const { pattern, bound } of found) rest.add(pattern.indices.slice(values.length), pattern.body, pattern.scope.inner(bound));
    return rest.whole();
  }

  /** How far an index runs: its range is printed, or follows from what it indexes. */
  length(axis) {
    const [{ indices, scope, forms }] = this.patterns;
    if (indices[axis]?.t !== "sym" || this.measured) return undefined;
    this.measured = true;
    try {
      return attempt(() => rangeOf(indices[axis].base, forms, scope).at(-1) + 1);
    } finally {
      this.measured = false;
    }
  }

  /** All entries as one array. The ranges of the indices are printed, or follow from what they index, or from `shape`. */
  whole(shape) {
    const cells = this.patterns.flatMap((pattern) => entries(pattern, pattern.body, shape));
    return assemble(cells, this.name);
  }
}

/** Whether the letters of a match stay within their printed ranges. */
function inRange({ pattern: { scope }, bound }) {
  return Object.entries(bound).every(([letter, value]) => {
    const range = scope.range(letter);
    const end = range && attempt(() => scalar(evaluate(range.to, scope)));
    return end === undefined || value <= end;
  });
}

function match({ indices, scope }, values) {
  if (indices.length < values.length) return undefined;
  const bound = {};
  for (const [i, index] of indices.slice(0, values.length).entries()) {
    const letter = free(index, scope);
    if (letter === undefined) {
      if (evaluate(index, scope) !== values[i]) return undefined;
    } else {
      const at = (x) => scalar(evaluate(index, scope.inner({ [letter]: x })));
      const solution = index.t === "sym" ? values[i] : (values[i] - at(0)) / (at(1) - at(0));
      if (index.t !== "sym" && (!Number.isInteger(solution) || solution < 0)) return undefined;
      bound[letter] = solution;
    }
  }
  return bound;
}

/** The letter that runs in an index: i in 2i + 1. */
function free(index, scope) {
  if (index.t === "sym" && !index.sub && !index.word) return index.base + index.marks;
  const letters = new Set();
  walk(index, (node) => {
    if (node.t === "sym" && !node.sub && !node.word && !(index.t !== "sym" && scope.get(node.base) !== undefined)) letters.add(node.base + node.marks);
  });
  return [...letters][0];
}

/** Every entry that a pattern defines: its place and its value. */
export function entries({ indices, scope, forms }, body, shape) {
  const letters = [...new Set(indices.map((index) => free(index, scope)).filter(Boolean))];
  let places = [{}];
  for (const letter of letters) {
    const bound = scope.names.get(letter); // m in R_m, where m is a given position
    const values = bound === undefined ? rangeOf(letter, forms ?? body, scope, shape && room(indices, letter, scope, shape)) : [bound];
    places = places.flatMap((bound) => values.map((value) => ({ ...bound, [letter]: value })));
  }
  return places.map((bound) => {
    const inner = scope.loop(letters, bound);
    return { place: indices.map((index) => scalar(evaluate(index, inner))), value: evaluate(body, inner) };
  });
}

/** How many values a letter may take so that its index stays inside the shape: half of the axis for 2i. */
function room(indices, letter, scope, shape) {
  const axis = indices.findIndex((index) => free(index, scope) === letter);
  const at = (x) => scalar(evaluate(indices[axis], scope.inner({ [letter]: x })));
  return Math.ceil((shape[axis] - at(0)) / (at(1) - at(0)));
}

export function assemble(cells, name) {
  const depth = cells[0]?.place.length ?? 1;
  const build = (some, axis) => {
    if (axis === depth) return some[0].value;
    const length = Math.max(-1, ...some.map(({ place }) => place[axis])) + 1;
    const rows = Array.from({ length }, (_, i) => {
      const own = some.filter(({ place }) => place[axis] === i);
      if (!own.length) throw new FormulaError(`${name} has no entry at index ${i}`);
      return build(own, axis + 1);
    });
    return stack(rows);
  };
  return cells.length ? build(cells, 0) : new Arr(new Array(depth).fill(0), []);
}

export function rangeOf(letter, body, scope, length) {
  const printed = scope.range(letter);
  if (printed) return upTo(scalar(evaluate(printed.from, scope)), scalar(evaluate(printed.to, scope)));
  const found = lengths(letter, body, scope);
  if (found.size > 1) throw new FormulaError(`the index ${letter} would run over lengths ${[...found].join(" and ")}`);
  const [size] = found.size ? found : [length];
  if (size === undefined) throw new FormulaError(`nothing says how far the index ${letter} runs`);
  return upTo(0, size - 1);
}

const MOST = 1e6; // members of a sum

export function upTo(from, to) {
  if (to - from > MOST) throw new FormulaError(`${to - from + 1} members are too many`);
  const found = [];
  for (let i = 0; i <= to - from; i++) found.push(from + i);
  return found;
}

/** How long the axes are that a letter indexes in an expression. */
function lengths(letter, body, scope) {
  const { sums, axes } = pointers(body);
  const hidden = scope.inner({ [letter]: 0 });
  for (const index of sums) hidden.bind(index, 0);
  const found = axes.filter(({ key }) => key === letter).map(({ node, axis }) => axisLength(node, axis, hidden));
  return new Set(found.filter((length) => length !== undefined));
}

const POINTERS = new WeakMap();

/** The letters that sums run over in an expression, and which letter points into which axis of what. */
function pointers(body) {
  if (!POINTERS.has(body)) {
    const [sums, axes] = [[], []];
    walk(body, (node) => {
      if (node.t === "sum") sums.push(node.index);
      if (node.t === "choice") sums.push(...node.letters);
      const keys = (node.indices ?? []).map(({ key }) => key);
      keys.forEach((key, axis) => keys.indexOf(key) === axis && axes.push({ key, axis, node }));
    });
    POINTERS.set(body, { sums, axes });
  }
  return POINTERS.get(body);
}

function axisLength(node, axis, scope) {
  if (node.t === "index") {
    const value = attempt(() => evaluate(node.x, scope));
    return value instanceof Arr ? value.shape[axis] : undefined;
  }
  if (node.t !== "sym") return undefined;
  const { value, used } = attempt(() => lookUp(node, scope) ?? rowOf(node, scope) ?? { value: fromLibrary(family(node.base + node.marks), scope), used: 0 }) ?? {};
  if (isIndexed(value)) return value.length(axis - used);
  return value instanceof Arr && axis >= used ? value.shape[axis - used] : undefined;
}

const rowOf = ({ base, marks, indices }, scope) => {
  const value = indices.length === 1 && base !== base.toUpperCase() ? matrixOf(base + marks, scope) : undefined;
  return value && { value, used: 0 };
};
