/** Where names are looked for: in a formula, in the formula that called it, and so on outwards. */

import { Endless, FormulaError } from "./reader.js";

const DEEPEST = 100;
const NONE = new Map();

/** Names and their values. What is not found here is looked for where the formula was called. */
export class Scope {
  constructor(library, parent, given) {
    this.library = library;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.page = parent?.page;
    this.path = parent?.path ?? []; // whose parameters are in use: Encoder, EncoderLayer_1, FFN
    this.foreign = parent?.foreign ?? false; // in a formula that another one called: its places are not the caller's
    this.isFormula = false;
    this.way = undefined;
    this.names = new Map();
    this.bound = parent?.bound ?? new Set(); // every name that has a value anywhere in this run
    this.ranges = NONE;
    this.bodies = NONE; // what was evaluated for a name
    this.sums = NONE; // what was found for the sums that stay the same here
    this.letters = undefined; // the letters that run here
    for (const name in given) this.bind(name, given[name]);
    if (this.depth > DEEPEST) throw new Endless("these formulas call each other without an end");
  }

  bind(name, value) {
    this.names.set(name, value);
    this.sums = NONE;
    this.bound.add(name);
  }

  get(name) {
    return this.holder(name)?.own(name);
  }

  /** The nearest scope that has this name, or the other one. */
  holder(name, other = name) {
    if (!this.bound.has(name) && !this.bound.has(other)) return undefined;
    for (let scope = this; scope; scope = scope.parent) {
      if (scope.names.has(name) || scope.names.has(other)) return scope;
      if (scope.way && (scope.way.names.has(name) || scope.way.names.has(other))) return scope.onTheWay();
    }
    return undefined;
  }

  own(name) {
    return this.names.has(name) ? force(this.names.get(name), this, name) : undefined;
  }

  has(name) {
    return this.holder(name) !== undefined;
  }

  range(name) {
    for (let scope = this; scope; scope = scope.parent) {
      if (scope.ranges.has(name)) return scope.ranges.get(name);
      if (scope.way?.ranges.has(name)) return scope.way.ranges.get(name);
      if (scope.names.has(name) || scope.isFormula) return undefined;
    }
    return undefined;
  }

  inner(given) {
    return new Scope(this.library, this, given);
  }

  /** Where letters take one value after another. */
  loop(letters, given) {
    const scope = this.inner(given);
    scope.letters = letters;
    return scope;
  }

  /** The scope of a formula that is called from here: it knows the values that are known here, not the printed ranges. */
  formula(given) {
    const scope = this.inner(given);
    scope.isFormula = true;
    return scope;
  }

  /** Where the way there is defined, for a formula of the way back: what this formula says itself comes first. */
  before(label) {
    this.way = this.inner();
    this.way.label = label;
    return this.way;
  }

  onTheWay() {
    this.library.used?.add(this.way.label);
    return this.way;
  }

  /** Remember something for a name, in a map that most scopes do without. */
  keep(kind, name, value) {
    if (this[kind] === NONE) this[kind] = new Map();
    this[kind].set(name, value);
  }
}

/** A definition is evaluated when somebody first asks for it. */
export class Later {
  constructor(compute) {
    this.compute = compute;
  }
}

export function force(value, scope, name) {
  if (!(value instanceof Later)) return value;
  if (value.busy) throw new FormulaError(`${name} is defined by itself`);
  value.busy = true;
  try {
    const result = value.compute();
    scope.names.set(name, result);
    return result;
  } finally {
    value.busy = false;
  }
}

/** The value, or nothing where a formula cannot be evaluated. */
export function attempt(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Endless || !(error instanceof FormulaError)) throw error;
    return undefined;
  }
}
