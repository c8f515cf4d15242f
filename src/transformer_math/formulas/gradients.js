/** The gradients of parameters: what the pullbacks that a formula calls give, beside the gradients of their inputs. */

import { define, target } from "./definitions.js";
import { evaluate } from "./expressions.js";
import { family, isIndexed } from "./names.js";
import { FormulaError } from "./reader.js";
import { Scope } from "./scope.js";
import { add, Arr, difference } from "./values.js";

/** A formula is evaluated once, and every pullback that is called leaves its name and what it defines. */
export class Gradients {
  constructor(book, { statements, page }, given) {
    this.scope = new Scope(book, undefined, given);
    this.scope.page = page;
    book.tape = [];
    book.used = new Set();
    try {
      define(statements, this.scope, new Set(Object.keys(given)));
      const names = statements.filter(({ kind }) => kind === "chain").flatMap(({ parts }) => namesOf(target(parts[0], (name) => name in given), parts));
      for (const ask of names) ask(this.scope);
    } finally {
      Object.assign(this, { tape: book.tape, used: book.used });
      book.tape = undefined;
    }
  }

  /** The gradient of what is used by the function at this path: its own line says it, or a pullback inside it; uses add up. */
  of(path, name) {
    const here = this.tape.filter((one) => one.path.join() === path.join()).filter(({ scope }) => scope.names.has(name) || scope.names.has(family(name)));
    const own = here.filter(({ owns }) => owns);
    const found = (own.length ? own : here).map(({ scope }) => whole(scope.get(name) ?? scope.get(family(name))));
    if (!found.length) throw new FormulaError(`no printed pullback says what ${name}${path.length ? ` of ${path.join(", ")}` : ""} is`);
    return found.reduce(add);
  }

  /** What the formula itself defines under a name. */
  value(name) {
    const found = this.scope.get(name) ?? this.scope.get(family(name));
    if (found === undefined) throw new FormulaError(`the formula does not say what ${name} is`);
    return fixed(found) ?? whole(found);
  }

  /** How far these gradients are from those of a tree of parameters, whose names begin with d. */
  furthest(tree, path = []) {
    const one = ([name, value]) => (value.parameters ? this.furthest(value.parameters, [...path, name]) : this.distance(path, name, value));
    return Math.max(0, ...Object.entries(tree).map(one));
  }

  distance(path, name, wanted) {
    return difference(this.of(path, name.replace(/\[\]$/, "")), wanted);
  }

  /** The gradients of parameters in the tree in which they are given. */
  like(parameters, path = []) {
    const isOne = ([, value]) => value.parameters || (path.length && value instanceof Arr);
    const one = ([name, value]) => (value.parameters ? [name, this.like(value.parameters, [...path, name])] : [name, this.of(path, `d${name}`)]);
    return Object.fromEntries(Object.entries(parameters).filter(isOne).map(one));
  }
}

/** What is to be asked so that a statement is evaluated: the names that it defines, or the body of a pullback. */
function namesOf(found, parts) {
  if (found?.pullback) return (parts.at(-1).items ?? parts.slice(-1)).map((part) => (scope) => evaluate(part, scope));
  if (found?.kind === "name") return [(scope) => scope.get(found.name)];
  return found?.kind === "several" ? found.parts.filter(({ kind }) => kind === "name").map(({ name }) => (scope) => scope.get(name)) : [];
}

/** η_t where t is given: that one entry. */
function fixed(value) {
  const [{ indices, scope }] = value?.patterns ?? [{ indices: [] }];
  const places = indices.map((index) => (index.t === "sym" ? scope.get(index.base) : undefined));
  return places.length && places.every((place) => typeof place === "number") ? value.at(places) : undefined;
}

const whole = (value) => (isIndexed(value) ? value.whole() : value);
