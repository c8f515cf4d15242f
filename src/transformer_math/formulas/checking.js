/** Compares what a formula gives with what the function gave. */

import { parameterName } from "./calls.js";
import { define, entryOf, isDefinition, isRow, lastForm, target } from "./definitions.js";
import { evaluate } from "./expressions.js";
import { assemble, entries, Indexed } from "./indexed.js";
import { bare, values } from "./library.js";
import { family, isIndexed } from "./names.js";
import { FormulaError, key, located, whole as wholly } from "./reader.js";
import { inOrder, ORDERED, PROPORTIONAL, proportional } from "./relations.js";
import { Gradients } from "./gradients.js";
import { Scope } from "./scope.js";
import { pick } from "./symbols.js";
import { Arr, difference, scalar, shapeOf } from "./values.js";

/**
 * Run one formula with given values, and compare with what was wanted, by name; `result` is the value of the formula
 * itself. Every “=” is compared too, every “∈” checked. Returns the largest difference, how far the two sides of a “=” are apart, whether a form that is right in
 * exact arithmetic overflowed and was not compared, and the values by name: of several forms the one that is furthest
 * from what was wanted. Throws FormulaError.
 */
export const check = (book, formula, values) => wholly(() => compareAll(book, formula, values));

function compareAll(book, formula, { given, wanted, defaults = {} }) {
  const { statements, page } = formula;
  const own = values(given);
  const { trees, aims } = apart(values(wanted));
  const scope = new Scope(book, undefined, own);
  scope.page = page;
  inSignaturesOrder(statements, Object.keys(given));
  nameLayers(statements, own, scope);
  nameResult(statements, own, aims);
  nameIndexed(statements, own, aims);
  define(statements, scope, new Set(Object.keys(own)));
  const reached = new Map();
  const found = new Map();
  const overflowing = new Set();
  const compareWith = (name, value) => {
    if (!(name in aims)) return;
    const apart = difference(value, aims[name]);
    if (apart < reached.get(name)) return;
    reached.set(name, apart);
    found.set(name, value);
  };
  const worst = statements
    .filter(({ kind }) => kind === "chain")
    .map((statement, i) => {
      const check = () => checkChain(statement, scope, { i, own, aims, defaults: values(defaults), compareWith, overflowing });
      return located(check, () => statement.place);
    });
  if (!Object.keys(aims).length && !statements.some((one) => hasTwoSides(one, own))) throw new FormulaError("it has no two sides to compare");
  if (Object.keys(trees).length || Object.keys(aims).some((name) => isMissing(name, reached))) {
    const gradients = new Gradients(book, formula, own);
    for (const name of Object.keys(aims).filter((name) => isMissing(name, reached))) compareWith(name, gradients.of([], name));
    reached.set("parameters", gradients.furthest(trees));
  }
  const missing = Object.keys(aims).filter((name) => !reached.has(name));
  if (missing.length) throw new FormulaError(`the formula does not say what ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"}`);
  const sides = Math.max(0, ...worst);
  return { worst: Math.max(sides, ...reached.values()), apart: sides, overflows: overflowing.size > 0, values: found };
}

/** Who calls a formula's function by place relies on it: its arguments stand in the order of the signature, as the given values do. */
function inSignaturesOrder(statements, given) {
  const head = statements.filter(isDefinition).map(({ parts }) => target(parts[0], () => false)).find((one) => one?.kind === "function" && !one.local && !one.pullback);
  const named = (head?.parameters ?? []).map((parameter) => key([parameter])).filter((name) => given.includes(name));
  const ordered = given.filter((name) => named.includes(name));
  if (named.join() !== ordered.join()) throw new FormulaError(`${head.name} takes its arguments in the order ${ordered.join(", ")}`);
}

/** What is wanted by name, and the gradients of the parameters that functions bring along. */
function apart(wanted) {
  const isTree = ([, value]) => value.parameters !== undefined;
  const all = Object.entries(wanted);
  return { trees: bare(all.filter(isTree)), aims: bare(all.filter((one) => !isTree(one))) };
}

/** A gradient that the formula itself does not name may be one that a pullback which it calls gives. */
const isMissing = (name, reached) => name.startsWith("d") && !reached.has(name);

/** Whether a chain holds an equation that is no mere definition. */
function hasTwoSides({ kind, parts, relations }, own) {
  if (kind !== "chain") return false;
  if (relations.some((relation) => ORDERED[relation] || relation === PROPORTIONAL)) return true;
  const found = target(parts[0], (name) => name in own);
  const isGiven = found?.kind === "name" && found.name in own;
  return relations.filter((relation) => relation === "=").length > (found && !isGiven ? 1 : 0);
}

/** `result` is what the formula's function gives, or else what its first statement defines, under its own name. */
function nameResult(statements, own, aims) {
  if (!("result" in aims)) return;
  const all = statements.filter(({ kind }) => kind === "chain").map(({ parts }) => target(parts[0], (name) => name in own));
  if (all.some((found, i) => found?.kind === "function" && (i === 0 || !found.local))) return;
  const main = all[0]?.kind === "several" ? all[0].parts[0] : all[0];
  if (!["name", "indexed"].includes(main?.kind)) return;
  aims[main.name] = aims.result;
  delete aims.result;
}

/** The gradient that arrives at Z^(N) is that of Z^(3) where N is 3. */
function nameLayers(statements, own, scope) {
  const heads = statements.filter(isDefinition).map(({ parts }) => target(parts[0], () => false));
  for (const parameter of heads.filter((head) => head?.pullback).flatMap((head) => head.parameters)) {
    const name = key([parameter]);
    if (name in own) scope.bind(parameterName(parameter, scope), (own[parameterName(parameter, scope)] = own[name]));
  }
}

/** What is wanted as a whole may be defined entry by entry: dx_ij for dx. */
function nameIndexed(statements, own, aims) {
  const found = statements.filter(isDefinition).flatMap(({ parts }) => names(target(parts[0], (name) => name in own)));
  for (const name of Object.keys(aims).filter((name) => !found.includes(name) && found.includes(family(name)))) {
    aims[family(name)] = aims[name];
    delete aims[name];
  }
}

const names = (found) => (found?.kind === "several" ? found.parts.flatMap(names) : [found?.name]);

function checkChain({ parts, relations }, scope, { i, own, aims, defaults, compareWith, overflowing }) {
  const left = parts[0];
  const found = target(left, (name) => name in own || name in aims);
  if (relations[0] === "\\leftarrow" && !found) throw new FormulaError("an assignment has a name on its left", left.place);
  const name = relations[0] === "\\leftarrow" ? `${found.name}←` : found?.name;
  if (relations.length === 0) {
    compareWith("result", evaluate(left, scope));
    return 0;
  }
  if (relations[0] === "\\in") {
    inDomain(evaluate(left, scope), parts[1], scope);
    return 0;
  }
  if (ORDERED[relations[0]]) return inOrder(parts.map((part) => evaluate(part, scope)), relations);
  if (relations[0] === "\\sim") return 0; // s ∼ p: how s is drawn
  if (relations[0] === PROPORTIONAL) {
    const all = found?.kind === "indexed" ? (part) => assemble(entries({ indices: found.indices, scope, forms: parts }, part), found.name) : (part) => evaluate(part, scope);
    return proportional(...parts.map(all));
  }
  if (found?.pullback) return checkPullback(found, parts.at(-1), scope, compareWith);
  if (found?.local && (i || !("result" in aims))) return 0; // R(a) = …, for the use of the others
  if (found && name in own && name in defaults) return difference(evaluate(parts[1], scope), defaults[name]);
  const whole = found && relations[0] === "=" ? entryOf(found, scope) : undefined;
  if (whole) return checkEveryEntry(found, whole, parts.slice(1), scope);
  if (found?.kind === "indexed" && !(name in own) && !isRow(found, scope)) return checkEntries(found, name, parts, relations, scope, { aims, compareWith });
  if (found?.kind === "several") {
    for (const { name: part } of found.parts.filter((one) => one.name in aims)) compareWith(part, wholeOf(scope.get(part), aims[part].shape));
    return 0;
  }
  const value = leftValue(left, found, name, parts, relations, scope);
  compareWith(found?.kind === "name" ? found.name : "result", value);
  const known = found?.kind === "function" ? lastForm(parts, relations) : found?.kind === "name" && scope.bodies.get(name);
  const evaluated = (part) => {
    if (part === known) return value;
    const form = found?.kind === "function" ? functionValue(found, part, scope) : evaluate(part, scope);
    if (found && found.kind !== "function") return form;
    if (!overflows(form)) compareWith("result", form);
    return form;
  };
  for (const part of parts.slice(1)) {
    const other = part.t === "sym" ? target(part, (one) => one in own || one in aims) : undefined;
    if (other?.kind === "name" && other.name in aims) compareWith(other.name, value);
  }
  return follow(value, parts, relations, evaluated, scope, overflowing);
}

const wholeOf = (value, shape) => (isIndexed(value) ? value.whole(shape) : value);

/** f^*(x, y; dz) = (dx, dy): the gradients of inputs, in their order. */
function checkPullback({ name, parameters }, body, scope, compareWith) {
  const inputs = parameters.map((parameter) => `d${key([parameter])}`);
  const named = body.t === "tuple" ? body.items : [body];
  const places = named.map((one) => inputs.indexOf(key([one])));
  if (places.some((place, i) => place < 0 || place <= places[i - 1])) throw new FormulaError(`${name} gives the gradients of its inputs, in their order: ${inputs.slice(0, -1).join(", ")}`);
  named.forEach((one, i) => compareWith(`d${parameterName(parameters[places[i]], scope)}`, wholeOf(evaluate(one, scope))));
  return 0;
}

/** The value that stands on the left; where the left side is but a name for it (FLOPs, Var[…]), what follows. */
function leftValue(left, found, name, parts, relations, scope) {
  if (found?.kind === "name") return scope.get(name) ?? evaluate(left, scope);
  if (found?.kind === "function") return functionValue(found, lastForm(parts, relations), scope);
  if (relations[0] === "\\approx") return evaluate(parts[1], scope);
  return evaluate(left.t === "quantity" ? parts[1] : left, scope);
}

/** A form that is right in exact arithmetic may overflow in a computer's: softmax without its maximum. */
const overflows = (value) => (value instanceof Arr ? value.data : [value]).some(Number.isNaN);

const functionValue = ({ name, indices }, body, scope) =>
  indices.length ? new Indexed(name).add(indices, body, scope).whole() : evaluate(body, scope);

/** Compare the members of a chain one after another: equal where “=” stands, of the printed shape where “∈” does, in order after “≤”. */
function follow(value, parts, relations, evaluated, scope, overflowing) {
  const differences = relations.map((relation, i) => {
    if (relation === "\\in") inDomain(value, parts[i + 1], scope);
    if (ORDERED[relation]) return inOrder([parts[i], parts[i + 1]].map((part) => evaluate(part, scope)), [relation]);
    if (relation === PROPORTIONAL) return proportional(value, evaluate(parts[i + 1], scope));
    if (relation !== "=" && relation !== "\\leftarrow") return 0;
    const form = evaluated(parts[i + 1]);
    if (overflows(form) && !overflows(value)) overflowing.add(parts[i + 1]);
    return overflowing.has(parts[i + 1]) ? 0 : difference(form, value);
  });
  return Math.max(...differences);
}

function checkEntries(found, name, parts, relations, scope, { aims, compareWith }) {
  const aim = aims[found.name];
  if (aim === undefined && relations.length < 2) return 0; // a definition that nothing is compared with
  const forms = parts.slice(1);
  const some = entries({ indices: found.indices, scope, forms }, parts[1] ?? { t: "num", value: 0 }, aim?.shape);
  const fixed = found.indices.map((index) => index.t === "sym" && scope.names.has(index.base)); // m of R_m, where m is given
  const indexed = scope.get(name);
  const whole = fixed.some(Boolean)
    ? assemble(some.map(({ place, value }) => ({ place: place.filter((_, axis) => !fixed[axis]), value })), name)
    : indexed.whole(aim?.shape);
  compareWith(found.name, whole);
  const domain = relations.indexOf("\\in");
  if (domain >= 0) inDomain(whole, parts[domain + 1], scope);
  const later = parts.slice(2).filter((_, i) => relations[i + 1] === "=");
  return later
    .flatMap((part) => entries({ indices: found.indices, scope, forms }, part, aim?.shape))
    .reduce((worst, { place, value }) => Math.max(worst, difference(value, indexed.at(place))), 0);
}

function checkEveryEntry({ indices }, whole, parts, scope) {
  return parts
    .flatMap((part) => entries({ indices, scope }, part, whole.shape))
    .reduce((worst, { place, value }) => Math.max(worst, difference(value, pick(whole, place))), 0);
}

/** ∈ ℝ^{n × d}: the value has this shape. */
function inDomain(value, domain, scope) {
  const exponent = domain.t === "sym" ? domain.power.exponent?.() : domain.exponent;
  const wanted = exponent ? factors(exponent).map((size) => scalar(evaluate(size, scope))) : [];
  const shape = value instanceof Arr ? value.shape : [];
  if (wanted.join() !== shape.join()) throw new FormulaError(`the printed shape is ${wanted.join(" × ") || "that of a number"}; the value has ${shapeOf(value)}`);
}

const factors = (node) => (node.t === "times" && node.operator === "\\times" ? [...factors(node.a), ...factors(node.b)] : [node]);
