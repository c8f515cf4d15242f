/** Calls of the functions that printed formulas define, and of those that mathematics brings along. */

import { define } from "./definitions.js";
import { evaluate } from "./evaluate.js";
import { FUNCTIONS } from "./functions.js";
import { Indexed } from "./indexed.js";
import { expanded } from "./members.js";
import { fromLibrary } from "./names.js";
import { FormulaError, key } from "./reader.js";
import { attempt } from "./scope.js";
import { Arr, difference, stack } from "./values.js";

export function call({ name, sub, pullback, args }, scope) {
  if (!args) throw new FormulaError(`${name} stands without an argument`);
  if (pullback) return pullBack(sub ? `${name}_${sub.map((index) => evaluateKey(index, scope)).join(",")}` : name, args, scope);
  const builtin = sub ? FUNCTIONS[`${name}_${sub[0].key}`] : FUNCTIONS[name];
  if (builtin) return builtin(expanded(args, scope));
  const own = scope.get(`${name}()`) ?? fromLibrary(`${name}()`, scope);
  if (!own) throw new FormulaError(`no formula of this book defines ${name}`);
  const parameters = sub ? scope.get(`${name}_${evaluateKey(sub[0], scope)}`) : scope.get(name);
  if (sub && !parameters) throw new FormulaError(`nothing says what the parameters of ${name}_${sub[0].key} are`);
  return callFormula(own, expanded(args, scope), scope.inner(parameters?.parameters ?? {}));
}

/** The gradient that comes back through a function: known at the gradients that its check has sent. */
function pullBack(name, args, scope) {
  const own = scope.get(`${name}*()`);
  if (!own) throw new FormulaError(`nothing says how ${name} pulls a gradient back`);
  return callFormula(own, expanded(args, scope), scope);
}

/** An index as the key of parameters: a number where it has a value, else its letters. */
function evaluateKey({ key: own, expr }, scope) {
  const value = attempt(() => evaluate(expr(), scope));
  return typeof value === "number" ? value : own;
}

/** Call a printed function. Where its formula speaks of one vector (or number), each row (or entry) has its turn. */
export function callFormula(own, args, scope) {
  if (own.table) return fromTable(own, args[0]);
  const { parameters, indices, body, name } = own;
  if (args.length !== parameters.length) throw new FormulaError(`${name} takes ${parameters.length} arguments, ${args.length} came`);
  const sizes = scope.library.sizes.get(name) ?? [];
  const longer = args.map((value, i) => (sizes[i] && value instanceof Arr ? value.rank - sizes[i].length : 0));
  if (Math.max(...longer) > 0) {
    const lead = args.find((_, i) => longer[i] === Math.max(...longer));
    return stack(lead.rows().map((_, r) => callFormula(own, args.map((value, i) => (longer[i] > 0 ? value.at(r) : value)), scope)));
  }
  const inner = scope.formula(bindSizes(args, sizes));
  inner.foreign = own.foreign;
  parameters.forEach((parameter, i) => inner.names.set(key([parameter]), args[i]));
  define(own.statements, inner, new Set(inner.names.keys()));
  if (!indices.length) return evaluate(body, inner);
  return new Indexed(name).add(indices, body, inner).whole();
}

/** A function of which only some values are known. */
function fromTable({ name, table }, argument) {
  const row = table.find(([input]) => difference(argument, input) < 1e-9);
  if (!row) throw new FormulaError(`${name} is known at other values only`);
  return row[1];
}

function bindSizes(args, sizes) {
  const bound = {};
  sizes.forEach((letters, i) => letters.forEach((letter, axis) => {
    if (args[i] instanceof Arr && /^[a-z]/i.test(letter)) bound[letter] = args[i].shape[axis];
  }));
  return bound;
}
