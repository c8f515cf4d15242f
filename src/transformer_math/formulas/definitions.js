/** What the statements of a formula define, entered into a scope; nothing is computed before somebody asks. */

import { evaluate } from "./evaluate.js";
import { Indexed } from "./indexed.js";
import { family, layerOf, matrixOf } from "./names.js";
import { key } from "./reader.js";
import { attempt, Later } from "./scope.js";
import { Arr } from "./values.js";
import { walk } from "./walk.js";

/** What the left side of a statement defines: a name, something with indices, a function, several at once, or nothing. */
export function target(left, known) {
  if (left.t === "sym") return symbolTarget(left, known);
  if (left.t === "partial") {
    const names = [left.of, left.by].map((part) => part.base);
    return { kind: "indexed", name: `∂${names.join("/∂")}[]`, indices: [left.of, left.by].flatMap((part) => (part.indices ?? []).map(({ expr }) => expr())) };
  }
  if (left.t === "call" && left.args?.some(({ t }) => t === "call")) return undefined; // decode(encode(s)) = s defines nothing
  if (left.t === "call") return { kind: "function", name: nameOf(left), pullback: left.pullback, parameters: left.args, indices: [] };
  if (left.t === "apply") return { kind: "function", name: left.f.base, parameters: left.args, indices: [], local: true };
  if (left.t === "index") {
    const inner = target(left.x.t === "paren" ? left.x.x : left.x, known);
    if (!inner) return undefined;
    const indices = [...inner.indices, ...left.indices.map(({ expr }) => expr())];
    if (inner.kind === "function") return { ...inner, indices };
    return { kind: "indexed", name: family(inner.name), indices, lead: inner.indices.length };
  }
  if (left.t === "matrix") return severalTargets(left.rows.flat(), known);
  if (left.t === "tuple") return severalTargets(left.items, known);
  return undefined;
}

/** A column of names, or names side by side, are defined by as many values; where one part is no name, it is an equation. */
function severalTargets(cells, known) {
  const parts = cells.map((cell) => cell && target(cell, known));
  return parts.every(Boolean) ? { kind: "several", parts } : undefined;
}

/** The name of a function; that of its pullback has a star. */
export const nameOf = ({ name, pullback }) => (pullback ? `${name}*` : name);

function symbolTarget({ base, marks, sup, sub, power, indices = [] }, known) {
  const whole = key([{ base, marks, sup, sub }]);
  if (known(whole) || (whole.startsWith("d") && known(whole.slice(1), true))) return { kind: "name", name: whole, indices: [] }; // W_g is a name: so is dW_g
  if (base === "e" && power.key) return undefined; // e^0 is a value
  const layer = layerOf({ sup, power });
  if (layer?.t === "num") return { kind: "name", name: whole, indices: [] };
  const above = layer ? "^()" : power.key ? `^${power.key}` : "";
  const running = indices.filter(({ word }) => !word);
  const words = indices.filter(({ word }) => word).map(({ key: own }) => own);
  const name = base + marks + above + (words.length ? `_${words.join(",")}` : "");
  const all = [...running.map(({ expr }) => expr()), ...(layer ? [layer] : [])];
  return { kind: all.length ? "indexed" : "name", name: all.length ? family(name) : name, indices: all };
}

export const isDefinition = ({ kind, relations }) => kind === "chain" && (relations[0] === "=" || relations[0] === "\\leftarrow");

/** Enter what the statements define into the scope; `given` names are not defined again. A pullback knows what its function's own formula defines. */
export function define(statements, scope, given = new Set()) {
  if (statements.forward) define(statements.forward.statements, scope.before(statements.forward.label), given);
  for (const statement of statements) {
    if (statement.kind === "range") for (const { base, marks } of statement.names) scope.keep("ranges", base + marks, statement);
  }
  const known = (name, asGradient = false) => given.has(name) || (asGradient && scope.has(name)); // the gradient of a parameter
  for (const { parts, relations } of statements.filter(isDefinition)) {
    const found = target(parts[0], known);
    if (!found || isRow(found, scope) || (relations[0] === "=" && entryOf(found, scope))) continue;
    if (relations[0] === "\\leftarrow") enter({ ...found, name: `${found.name}←` }, parts[1], scope, statements);
    else if (found.kind === "function") enter(found, lastForm(parts, relations), scope, statements);
    else if (!given.has(found.name) && !(isConstant(parts[1]) && scope.get(found.name) !== undefined)) enter(found, parts[1], scope, statements);
    const second = relations[1] === "=" && found.kind === "function" ? target(parts[1], (name) => given.has(name)) : undefined;
    if (second?.kind === "name" && !given.has(second.name)) enter(second, parts[2], scope, statements); // f(x) = O = …
  }
}

/** All that stands on the right where a body stands: each part may tell how far an index runs. */
const formsBeside = (body, statements) => statements.find(({ parts }) => parts?.includes(body))?.parts.slice(1) ?? body;

/** Of several forms of a function the last is the one to compute: softmax with its maximum taken away. */
export const lastForm = (parts, relations) => parts[Math.max(1, relations.filter((relation) => relation === "=").length)];

/** b = 10000 holds where nobody says otherwise. */
const isConstant = (body) => body.t === "num" || (body.t === "power" && body.x.t === "num");

/** p_{pos + k} = … defines nothing where p_i is a row of a P that is known: it is an identity. */
export const isRow = ({ kind, name, indices }, scope) =>
  kind === "indexed" && indices.length === 1 && /^[a-z]\[\]$/.test(name) && matrixOf(name.slice(0, -2), scope) !== undefined;

/** p_{iv} = … after p = … defines nothing: it says what every entry of p is. Returns the name of the whole. */
export function entryOf({ kind, name, indices }, scope) {
  const whole = kind === "indexed" && scope.names.has(name.slice(0, -2)) ? attempt(() => scope.get(name.slice(0, -2))) : undefined;
  return whole instanceof Arr && whole.rank === indices.length ? whole : undefined;
}

/** The letters that run in the indices of what is defined. */
function lettersOf(parts) {
  const letters = new Set();
  for (const { indices } of parts) walk(indices, ({ t, base, marks }) => t === "sym" && letters.add(base + marks));
  return [...letters];
}

function enter(found, body, scope, statements) {
  const { kind, name } = found;
  if (kind === "name") {
    scope.bind(name, new Later(() => evaluate(body, scope)));
    scope.keep("bodies", name, body);
  }
  if (kind === "indexed") {
    const own = scope.names.get(name);
    scope.bind(name, (own instanceof Indexed ? own : new Indexed(name)).add(found.indices, body, scope, formsBeside(body, statements), found.lead));
  }
  if (kind === "function") scope.bind(`${name}()`, { ...found, body, statements, foreign: scope.foreign });
  if (kind === "several") {
    const all = { t: "once", x: body, letters: lettersOf(found.parts), known: new Map() };
    found.parts.forEach((part, number) => enter(part, { t: "pick", x: all, number }, scope, statements));
  }
}
