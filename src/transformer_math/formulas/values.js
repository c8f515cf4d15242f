/** The values of formulas: numbers, booleans and arrays, with the operations that the page of conventions states. */

import { FormulaError } from "./reader.js";

/** An array: its shape and its numbers, row by row; a vector may be marked as turned (ᵀ). */
export class Arr {
  constructor(shape, data, turned = false) {
    this.shape = shape;
    this.data = data;
    this.turned = turned;
  }

  get rank() {
    return this.shape.length;
  }

  /** Entry, row or block at an index of the first axis. */
  at(index) {
    const [length, ...rest] = this.shape;
    if (!Number.isInteger(index) || index < 0 || index >= length) {
      throw new FormulaError(`index ${show(index)} is outside 0…${length - 1}`);
    }
    if (rest.length === 0) return this.data[index];
    const size = product(rest);
    return new Arr(rest, this.data.slice(index * size, (index + 1) * size));
  }

  rows() {
    return Array.from({ length: this.shape[0] }, (_, i) => this.at(i));
  }
}

/** A text; two of them side by side are one. */
export class Text {
  constructor(letters) {
    this.letters = letters;
  }
}

/** A set, its members listed. */
export class Members {
  constructor(items) {
    this.items = items;
  }

  has(item) {
    return this.items.some((own) => difference(own, item) === 0);
  }
}

export const common = (a, b) => new Members(a.items.filter((item) => b.has(item)));

/** What a function gives that gives several things: a pullback, one gradient for each input. */
export class Several {
  constructor(items) {
    this.items = items;
  }

  at(place) {
    if (place >= this.items.length) throw new FormulaError(`${this.items.length} gradients come back, and more are named`);
    return this.items[place];
  }
}

const product = (shape) => shape.reduce((size, length) => size * length, 1);

export function show(value) {
  if (value instanceof Text) return `the text “${value.letters}”`;
  if (value instanceof Members) return `a set of ${value.items.length}`;
  return value instanceof Arr ? `an array of shape ${shapeOf(value)}` : String(value);
}

export const shapeOf = (value) => (value instanceof Arr ? value.shape.join(" × ") : "a number");

/** Nested lists (of numbers, booleans, texts) as an array; a number stays one. { text } is a text, { members } a set. */
export function fromLists(value) {
  if (value?.text !== undefined) return new Text(value.text);
  if (value?.members) return new Members(value.members.map(fromLists));
  if (!Array.isArray(value)) return typeof value === "string" ? Number(value) : value;
  return stack(value.map(fromLists));
}

export const toLists = (value) =>
  value instanceof Arr ? value.rows().map(toLists) : typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

/** Values of one shape, one after another along a new first axis. */
export function stack(values) {
  if (values.length === 0) return new Arr([0], []);
  const [first] = values;
  if (!(first instanceof Arr)) return new Arr([values.length], values.map((value) => (value instanceof Text ? value : scalar(value))));
  const data = [];
  for (const value of values) {
    sameShape(first, value, "these rows");
    for (const number of value.data) data.push(number);
  }
  return new Arr([values.length, ...first.shape], data);
}

export function scalar(value) {
  if (value instanceof Arr || value instanceof Text || value instanceof Members) throw new FormulaError(`a number is wanted where ${show(value)} stands`);
  if (typeof value !== "number" && typeof value !== "boolean") throw new FormulaError("a number is wanted here");
  return value;
}

function sameShape(a, b, what) {
  const same = a instanceof Arr && b instanceof Arr && a.rank === b.rank && a.shape.every((length, axis) => length === b.shape[axis]);
  if (!same && shapeOf(a) !== shapeOf(b)) throw new FormulaError(`${what} have shapes ${shapeOf(a)} and ${shapeOf(b)}`);
}

export const map = (f, value) => (value instanceof Arr ? new Arr(value.shape, value.data.map(f), value.turned) : f(scalar(value)));

/** Entry by entry; a number meets every entry, a vector every row of a matrix whose rows are as long. */
export function zip(f, a, b, what = "the two sides") {
  if (typeof a === "number" && typeof b === "number") return f(a, b);
  if (!(a instanceof Arr)) return map((y) => f(scalar(a), y), b);
  if (!(b instanceof Arr)) return map((x) => f(x, scalar(b)), a);
  if (a.rank > b.rank) return stack(a.rows().map((row) => zip(f, row, b, what)));
  if (a.rank < b.rank) return stack(b.rows().map((row) => zip(f, a, row, what)));
  sameShape(a, b, what);
  return new Arr(a.shape, a.data.map((x, i) => f(x, b.data[i])), a.turned && b.turned);
}

export const add = (a, b) => zip((x, y) => x + y, a, b, "the terms of this sum");

/** 0 · ∞ is 0 here: what has no weight adds nothing (0 log 0 = 0). */
const multiply = (x, y) => (x === 0 || y === 0 ? 0 : x * y);

export const scale = (factor, value) => map((x) => multiply(factor, x), value);

export function transpose(value) {
  if (!(value instanceof Arr)) return scalar(value);
  if (value.rank === 1) return new Arr(value.shape, value.data, !value.turned);
  if (value.rank !== 2) throw new FormulaError(`${show(value)} has no transpose`);
  const [n, m] = value.shape;
  return new Arr([m, n], Array.from({ length: n * m }, (_, k) => value.data[(k % n) * m + Math.floor(k / n)]));
}

export function dot(a, b) {
  if (a.rank !== 1 || b.rank !== 1) throw new FormulaError("the dot product is one of two vectors; matrices are multiplied without a sign");
  sameShape(a, b, "the vectors");
  return a.data.reduce((sum, x, i) => sum + x * b.data[i], 0);
}

/** The product of two values side by side. */
export function times(a, b) {
  if (a instanceof Text && b instanceof Text) return new Text(a.letters + b.letters);
  if (!(a instanceof Arr)) return scale(scalar(a), b);
  if (!(b instanceof Arr)) return scale(scalar(b), a);
  if (a.rank === 1 && b.rank === 1) {
    if (a.turned === b.turned) throw new FormulaError("two vectors side by side: a · between them makes their dot product, a ⊙ multiplies entry by entry");
    return dot(a, b);
  }
  if (a.rank > 2 || b.rank > 2) throw new FormulaError(`${show(a)} times ${show(b)} has no meaning here`);
  if (a.rank === 1) return new Arr([b.shape[1]], matmul(new Arr([1, ...a.shape], a.data), b).data, a.turned);
  if (b.rank === 1) return new Arr([a.shape[0]], matmul(a, new Arr([...b.shape, 1], b.data)).data, b.turned);
  return matmul(a, b);
}

function matmul(a, b) {
  const [n, inner] = a.shape;
  const [other, m] = b.shape;
  if (inner !== other) {
    throw new FormulaError(`a product of shapes ${shapeOf(a)} and ${shapeOf(b)}: ${inner} ${inner === 1 ? "column meets" : "columns meet"} ${other} ${other === 1 ? "row" : "rows"}`);
  }
  const data = new Array(n * m).fill(0);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < inner; k += 1) {
      const x = a.data[i * inner + k];
      for (let j = 0; j < m; j += 1) data[i * m + j] += x * b.data[k * m + j];
    }
  }
  return new Arr([n, m], data);
}

/** A grid of blocks (numbers are 1 × 1, vectors columns, what is left out is zero) as one array. */
export function blocks(grid) {
  if (grid.length === 0) throw new FormulaError("a matrix without rows");
  const shape = (block) => (block instanceof Arr ? (block.rank === 1 ? [block.shape[0], 1] : block.shape) : [1, 1]);
  const known = (line, axis) => {
    const found = line.find((block) => block !== undefined);
    if (found === undefined) throw new FormulaError("a row or column of this matrix is empty");
    return shape(found)[axis];
  };
  const heights = grid.map((row) => known(row, 0));
  const widths = grid[0].map((_, c) => known(grid.map((row) => row[c]), 1));
  const rows = grid.flatMap((row, r) =>
    Array.from({ length: heights[r] }, (_, i) =>
      row.flatMap((block, c) => {
        if (block === undefined) return new Array(widths[c]).fill(0);
        const [height, width] = shape(block);
        if (height !== heights[r] || width !== widths[c]) throw new FormulaError(`a block of ${height} × ${width} stands where ${heights[r]} × ${widths[c]} is wanted`);
        return block instanceof Arr ? block.data.slice(i * width, (i + 1) * width) : [scalar(block)];
      }),
    ),
  );
  return stack(rows.map((row) => new Arr([row.length], row)));
}

/** A matrix of one column as the vector that it holds. */
export const column = (matrix) => (matrix.shape[1] === 1 ? new Arr([matrix.shape[0]], matrix.data) : matrix);

/** The largest difference, relative where the wanted numbers are large; infinite where shapes differ. */
export function difference(got, wanted) {
  if (got instanceof Text || wanted instanceof Text) return got?.letters === wanted?.letters ? 0 : Infinity;
  if (!(wanted instanceof Arr) && got instanceof Arr && product(got.shape) === 1) return difference(got.data[0], wanted);
  if (wanted instanceof Arr && !(got instanceof Arr) && product(wanted.shape) === 1) return difference(got, wanted.data[0]);
  if (shapeOf(got) !== shapeOf(wanted)) return Infinity;
  if (wanted instanceof Arr) return wanted.data.reduce((worst, x, i) => Math.max(worst, difference(got.data[i], x)), 0);
  if (Number(got) === Number(wanted)) return 0;
  const distance = Math.abs(Number(got) - Number(wanted)) / Math.max(1, Math.abs(Number(wanted)));
  return Number.isNaN(distance) ? Infinity : distance;
}
