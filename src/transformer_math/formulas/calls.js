/** Calls of the functions that printed formulas define, and of those that mathematics brings along. */

import { define } from "./definitions.js";
import { evaluate } from "./evaluate.js";
import { FUNCTIONS } from "./functions.js";
import { Indexed } from "./indexed.js";
import { expanded } from "./members.js";
import { fromLibrary, layerOf } from "./names.js";
import { FormulaError, key, UnknownName } from "./reader.js";
import { attempt } from "./scope.js";
import { Arr, difference, Several, stack } from "./values.js";

export function call({ name, sub, pullback, args }, scope) {
  if (!args) throw new FormulaError(`${name} stands without an argument`);
  if (pullback) return pullBack(name, sub ? `${name}_${evaluateKey(sub[0], scope)}` : name, expanded(args, scope), scope);
  const builtin = sub ? FUNCTIONS[`${name}_${sub[0].key}`] : FUNCTIONS[name];
  if (builtin) return builtin(expanded(args, scope));
  const own = scope.get(`${name}()`) ?? fromLibrary(`${name}()`, scope);
  if (!own) throw new UnknownName(`no formula of this book defines ${name}`, name);
  const parameters = sub ? scope.get(`${name}_${evaluateKey(sub[0], scope)}`) : scope.get(name);
  if (sub && !parameters) throw new FormulaError(`nothing says what the parameters of ${name}_${sub[0].key} are`);
  return callFormula(own, expanded(args, scope), scope.inner(parameters?.parameters ?? {}));
}

/** The gradients that come back through a function, by the printed formula of its pullback. */
function pullBack(name, whose, args, scope) {
  const own = scope.get(`${name}*()`) ?? fromLibrary(`${name}*()`, scope);
  if (!own) throw new FormulaError(`no formula of this book says how ${name} pulls a gradient back`);
  const parameters = scope.get(whose)?.parameters;
  if (name !== whose && !parameters) throw new FormulaError(`nothing says what the parameters of ${whose} are`);
  const inner = scope.inner(parameters ?? {});
  if (parameters) inner.path = [...scope.path, whose];
  return callFormula(own, args, inner);
}

/** An index as the key of parameters: a number where it has a value, else its letters. */
function evaluateKey({ key: own, expr }, scope) {
  const value = attempt(() => evaluate(expr(), scope));
  return typeof value === "number" ? value : own;
}

/** Call a printed function. Where its formula speaks of one vector (or number), each row (or entry) has its turn. */
export function callFormula(own, args, scope) {
  if (own.table) return fromTable(own, args);
  const { parameters, indices, body, name } = own;
  if (args.length !== parameters.length) throw new FormulaError(`${name} takes ${parameters.length} arguments, ${args.length} came`);
  const sizes = scope.library.sizes.get(name) ?? [];
  const turns = (own) => own && (!name.endsWith("*") || own.length === 0); // a pullback speaks of all rows at once
  const longer = args.map((value, i) => (turns(sizes[i]) && value instanceof Arr ? value.rank - sizes[i].length : 0));
  if (Math.max(...longer) > 0) {
    const lead = args.find((_, i) => longer[i] === Math.max(...longer));
    return stack(lead.rows().map((_, r) => callFormula(own, args.map((value, i) => (longer[i] > 0 ? value.at(r) : value)), scope)));
  }
  const inner = scope.formula(bindSizes(args, sizes));
  inner.foreign = own.foreign;
  parameters.forEach((parameter, i) => inner.bind(parameterName(parameter, scope), args[i]));
  define(own.statements, inner, new Set(inner.names.keys()));
  if (own.pullback) scope.library.tape?.push({ scope: inner, path: scope.path, owns: scope.names.size > 0 });
  if (own.pullback && body.t === "tuple") return new Several(body.items.map((item) => evaluate(item, inner)));
  if (!indices.length) return evaluate(body, inner);
  return new Indexed(name).add(indices, body, inner).whole();
}

/** A function of which only some values are known. */
function fromTable({ name, table }, args) {
  const row = table.find((one) => args.every((value, i) => difference(value, one[i]) < 1e-9));
  if (!row) throw new FormulaError(`${name} was computed for what the book gives to it, and yours gives it something else`);
  return row.at(-1);
}

/** A parameter by its name; the N of Z^(N) by its value. */
export function parameterName(parameter, scope) {
  const layer = parameter.power && layerOf(parameter);
  return layer ? `${parameter.base}${parameter.marks}^(${evaluate(layer, scope)})` : key([parameter]);
}

function bindSizes(args, sizes) {
  const bound = {};
  sizes.forEach((letters, i) => letters?.forEach((letter, axis) => {
    if (args[i] instanceof Arr && args[i].rank >= letters.length && /^[a-z]/i.test(letter)) bound[letter] = args[i].shape.at(axis - letters.length);
  }));
  return bound;
}
