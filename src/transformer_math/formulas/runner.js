/** Runs formulas: finds what each symbol is bound to, evaluates, and compares with what the functions gave. */

import { FUNCTIONS } from "./functions.js";
import { FormulaError, key } from "./reader.js";
import { Arr, add, blocks, column, difference, dot, fromLists, map, scalar, scale, shapeOf, show, stack, times, transpose, zip } from "./values.js";

const DEEPEST = 300;

/** Names and their values. What is not found here is looked for where the formula was called. */
class Scope {
  constructor(library, parent, given = {}) {
    this.library = library;
    this.parent = parent;
    this.depth = parent ? parent.depth + 1 : 0;
    this.page = parent?.page;
    this.names = new Map(Object.entries(given));
    this.ranges = new Map();
    if (this.depth > DEEPEST) throw new FormulaError("these formulas call each other without an end");
  }

  get(name) {
    for (let scope = this; scope; scope = scope.parent) {
      if (scope.names.has(name)) return force(scope.names.get(name), scope, name);
    }
    return undefined;
  }

  range(name) {
    for (let scope = this; scope; scope = scope.parent) {
      if (scope.ranges.has(name)) return scope.ranges.get(name);
      if (scope.names.has(name)) return undefined;
    }
    return undefined;
  }

  inner(given) {
    return new Scope(this.library, this, given);
  }
}

/** A definition is evaluated when somebody first asks for it. */
class Later {
  constructor(compute) {
    this.compute = compute;
  }
}

function force(value, scope, name) {
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

// ---- definitions ----

/** Something with indices: ω_i, P_{pos,2i}, R_m. Every pattern is one printed left side. */
class Indexed {
  constructor(name) {
    this.name = name;
    this.patterns = [];
  }

  add(indices, body, scope, forms = body) {
    this.patterns.push({ indices, body, scope, forms });
    return this;
  }

  /** The entry at these indices; the whole row or block where there are fewer than the pattern has. */
  at(values) {
    const found = this.patterns.map((pattern) => ({ pattern, bound: match(pattern, values) })).filter(({ bound }) => bound);
    const [best] = [...found].sort((a, b) => inRange(b) - inRange(a));
    if (!best) throw new FormulaError(`${this.name} has no entry at ${values.map(show).join(", ")}`);
    if (best.pattern.indices.length === values.length) return evaluate(best.pattern.body, best.pattern.scope.inner(best.bound));
    const rest = new Indexed(this.name);
    for (const { pattern, bound } of found) rest.add(pattern.indices.slice(values.length), pattern.body, pattern.scope.inner(bound));
    return rest.whole();
  }

  /** How far an index runs, where its range is printed. */
  length(axis) {
    const [{ indices, scope }] = this.patterns;
    const range = indices[axis]?.t === "sym" ? scope.range(indices[axis].base) : undefined;
    return range && scalar(evaluate(range.to, scope)) + 1;
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
  const letters = new Set();
  walk(index, (node) => {
    if (node.t === "sym" && !node.sub && !node.word && !(index.t !== "sym" && scope.get(node.base) !== undefined)) letters.add(node.base + node.marks);
  });
  return [...letters][0];
}

/** Every entry that a pattern defines: its place and its value. */
function entries({ indices, scope, forms }, body, shape) {
  const letters = [...new Set(indices.map((index) => free(index, scope)).filter(Boolean))];
  let places = [{}];
  for (const letter of letters) {
    const axis = indices.findIndex((index) => index.t === "sym" && index.base === letter);
    const bound = scope.names.get(letter); // m in R_m, where m is a given position
    const values = bound === undefined ? rangeOf(letter, forms ?? body, scope, axis < 0 ? undefined : shape?.[axis]) : [bound];
    places = places.flatMap((bound) => values.map((value) => ({ ...bound, [letter]: value })));
  }
  return places.map((bound) => {
    const inner = scope.inner(bound);
    return { place: indices.map((index) => scalar(evaluate(index, inner))), value: evaluate(body, inner) };
  });
}

function assemble(cells, name) {
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

function rangeOf(letter, body, scope, length) {
  const printed = scope.range(letter);
  if (printed) return upTo(scalar(evaluate(printed.from, scope)), scalar(evaluate(printed.to, scope)));
  const found = lengths(letter, body, scope);
  if (found.size > 1) throw new FormulaError(`the index ${letter} would run over lengths ${[...found].join(" and ")}`);
  const [size] = found.size ? found : [length];
  if (size === undefined) throw new FormulaError(`nothing says how far the index ${letter} runs`);
  return upTo(0, size - 1);
}

const upTo = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** How long the axes are that a letter indexes in an expression. */
function lengths(letter, body, scope) {
  const found = new Set();
  const hidden = scope.inner({ [letter]: 0 });
  walk(body, ({ t, index }) => t === "sum" && hidden.names.set(index, 0));
  walk(body, (node) => {
    const indices = node.indices ?? [];
    const axis = indices.findIndex(({ key: own }) => own === letter);
    if (axis < 0) return;
    const length = axisLength(node, axis, hidden);
    if (length !== undefined) found.add(length);
  });
  return found;
}

function axisLength(node, axis, scope) {
  if (node.t === "index") {
    const value = attempt(() => evaluate(node.x, scope));
    return value instanceof Arr ? value.shape[axis] : undefined;
  }
  if (node.t !== "sym") return undefined;
  const { value, used } = attempt(() => lookUp(node, scope) ?? rowOf(node, scope) ?? { value: fromLibrary(family(node.base + node.marks), scope), used: 0 }) ?? {};
  if (value instanceof Indexed) return value.length(axis - used);
  return value instanceof Arr && axis >= used ? value.shape[axis - used] : undefined;
}

function attempt(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof FormulaError) return undefined;
    throw error;
  }
}

const rowOf = ({ base, marks, indices }, scope) => {
  const value = indices.length === 1 && base !== base.toUpperCase() ? matrixOf(base + marks, scope) : undefined;
  return value && { value, used: 0 };
};

/** Call `visit` for every node of an expression, indices and exponents included. */
function walk(node, visit) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const part of node) walk(part, visit);
    return;
  }
  if (node.t) visit(node);
  for (const [name, part] of Object.entries(node)) {
    if (["sup", "sub", "power", "place"].includes(name)) continue;
    if (name === "indices") for (const { expr } of part ?? []) walk(expr?.(), visit);
    else walk(part, visit);
  }
  if (node.power?.exponent) walk(attempt(node.power.exponent), visit);
}

/** What the left side of a statement defines: a name, something with indices, a function, several at once, or nothing. */
function target(left, known) {
  if (left.t === "sym") return symbolTarget(left, known);
  if (left.t === "partial") {
    const names = [left.of, left.by].map((part) => part.base);
    return { kind: "indexed", name: `∂${names.join("/∂")}[]`, indices: [left.of, left.by].flatMap((part) => (part.indices ?? []).map(({ expr }) => expr())) };
  }
  if (left.t === "call") return { kind: "function", name: left.name, parameters: left.args, indices: [] };
  if (left.t === "apply") return { kind: "function", name: left.f.base, parameters: left.args, indices: [], local: true };
  if (left.t === "index") {
    const inner = target(left.x.t === "paren" ? left.x.x : left.x, known);
    if (!inner) return undefined;
    const indices = [...inner.indices, ...left.indices.map(({ expr }) => expr())];
    if (inner.kind === "function") return { ...inner, indices };
    return { kind: "indexed", name: family(inner.name), indices };
  }
  if (left.t === "matrix") return { kind: "several", parts: left.rows.flat().map((part) => target(part, known)) };
  return undefined;
}

function symbolTarget({ base, marks, sup, sub, power, indices = [] }, known) {
  const whole = key([{ base, marks, sup, sub }]);
  if (known(whole)) return { kind: "name", name: whole, indices: [] };
  const layer = layerOf({ sup, power });
  if (layer?.t === "num") return { kind: "name", name: whole, indices: [] };
  const above = layer ? "^()" : power.key ? `^${power.key}` : "";
  const running = indices.filter(({ word }) => !word);
  const words = indices.filter(({ word }) => word).map(({ key: own }) => own);
  const name = base + marks + above + (words.length ? `_${words.join(",")}` : "");
  const all = [...running.map(({ expr }) => expr()), ...(layer ? [layer] : [])];
  return { kind: all.length ? "indexed" : "name", name: all.length ? family(name) : name, indices: all };
}

/** The l of Z^{(l)}. */
function layerOf({ sup, power }) {
  if (sup?.length !== 1 || sup[0].k !== "group") return undefined;
  const exponent = power.exponent();
  return exponent.t === "paren" ? exponent.x : exponent;
}

/** Things with indices have names of their own: O_h, the output of a head, is not a piece of O. */
const family = (name) => (name.endsWith("[]") ? name : `${name}[]`);

const isDefinition = ({ kind, relations }) => kind === "chain" && (relations[0] === "=" || relations[0] === "\\leftarrow");

/** Enter what the statements define into the scope; `given` names are not defined again. */
function define(statements, scope, given = new Set()) {
  for (const statement of statements) {
    if (statement.kind === "range") for (const { base, marks } of statement.names) scope.ranges.set(base + marks, statement);
  }
  for (const { parts, relations } of statements.filter(isDefinition)) {
    const found = target(parts[0], (name) => given.has(name));
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
const lastForm = (parts, relations) => parts[Math.max(1, relations.filter((relation) => relation === "=").length)];

/** b = 10000 holds where nobody says otherwise. */
const isConstant = (body) => body.t === "num" || (body.t === "power" && body.x.t === "num");

/** p_{pos + k} = … defines nothing where p_i is a row of a P that is known: it is an identity. */
const isRow = ({ kind, name, indices }, scope) =>
  kind === "indexed" && indices.length === 1 && /^[a-z]\[\]$/.test(name) && matrixOf(name.slice(0, -2), scope) !== undefined;

/** p_{iv} = … behind p = … defines nothing: it says what every entry of p is. Returns the name of the whole. */
function entryOf({ kind, name, indices }, scope) {
  const whole = kind === "indexed" && scope.names.has(name.slice(0, -2)) ? scope.get(name.slice(0, -2)) : undefined;
  return whole instanceof Arr && whole.rank === indices.length ? whole : undefined;
}

function enter(found, body, scope, statements) {
  const { kind, name } = found;
  if (kind === "name") scope.names.set(name, new Later(() => evaluate(body, scope)));
  if (kind === "indexed") {
    const own = scope.names.get(name);
    scope.names.set(name, (own instanceof Indexed ? own : new Indexed(name)).add(found.indices, body, scope, formsBeside(body, statements)));
  }
  if (kind === "function") scope.names.set(`${name}()`, { ...found, body, statements });
  if (kind === "several") {
    found.parts.forEach((part, place) => enter(part, { t: "pick", x: body, place }, scope, statements));
  }
}

// ---- values of expressions ----

const EVALUATE = {
  num: ({ value }) => value,
  paren: ({ x }, scope) => evaluate(x, scope),
  tuple: ({ items }, scope) => sideBySide(items.map((item) => evaluate(item, scope))),
  abs: ({ x }, scope) => Math.abs(scalar(evaluate(x, scope))),
  sym: symbol,
  add: ({ terms }, scope) => terms.map(({ sign, x }) => (sign === 1 ? evaluate(x, scope) : scale(-1, evaluate(x, scope)))).reduce(add),
  times: product,
  power: ({ x, exponent }, scope) => raise(evaluate(x, scope), evaluate(exponent, scope)),
  transpose: ({ x }, scope) => transpose(evaluate(x, scope)),
  sqrt: ({ x }, scope) => map(Math.sqrt, evaluate(x, scope)),
  index: ({ x, indices }, scope) => pick(evaluate(x, scope), indices.map(({ expr }) => evaluate(expr(), scope))),
  pick: ({ x, place }, scope) => evaluate(x, scope).at(place),
  inner: ({ items }, scope) => dot(...items.map((item) => evaluate(item, scope))),
  compare,
  sum: bigSum,
  matrix: ({ rows }, scope) => column(blocks(expandMatrix(rows, scope))),
  cases: ({ rows }, scope) => {
    const row = rows.find(({ when }) => when === undefined || evaluate(when, scope) === true);
    if (!row) throw new FormulaError("none of the cases holds");
    return evaluate(row.value, scope);
  },
  call,
  value: ({ value }) => value,
  apply: ({ f, args, behind }, scope) => {
    const own = f.sub || f.sup ? undefined : (scope.get(`${f.base}()`) ?? fromLibrary(`${f.base}()`, scope));
    const finish = (value) => evaluate(behind({ t: "value", value }), scope);
    if (own) return finish(callFormula(own, expanded(args, scope), scope));
    if (FUNCTIONS[f.base] && scope.get(f.base) === undefined) return finish(FUNCTIONS[f.base](expanded(args, scope)));
    if (args.length !== 1) throw new FormulaError(`${f.base} is no function of this book`);
    return multiply("", evaluate(f, scope), finish(evaluate(args[0], scope)));
  },
};

export function evaluate(node, scope) {
  const rule = EVALUATE[node?.t];
  if (!rule) throw new FormulaError("something here has no value", node?.place);
  try {
    return rule(node, scope);
  } catch (error) {
    if (error instanceof FormulaError && error.place === undefined && node.place) error.place = node.place;
    throw error;
  }
}

const sideBySide = (parts) => (parts.some((part) => part instanceof Arr) ? blocks([parts]) : stack(parts));

const raise = (x, exponent) => {
  if (x instanceof Arr && x.rank > 0 && exponent instanceof Arr) throw new FormulaError("an array stands in an exponent of an array");
  return zip((a, b) => a ** b, x, exponent);
};

function pick(value, indices) {
  if (value instanceof Indexed) return indices.length ? value.at(indices) : value;
  return indices.reduce((part, index) => {
    if (!(part instanceof Arr)) throw new FormulaError("a number has no entries");
    return index instanceof Arr ? stack(index.data.map((i) => part.at(i))) : part.at(scalar(index));
  }, value);
}

/** Everything that a symbol with its scripts may be, the longest name first: W^Q_h, then W^Q at h, then W at h to the Q. */
function lookUp({ base, marks, sup, sub, power, indices = [] }, scope) {
  const named = (above, count) => {
    const below = count === 0 ? "" : count === indices.length ? `_${key(sub)}` : `_${indices.slice(0, count).map((index) => index.key).join(",")}`;
    return base + marks + above + below;
  };
  const heads = !power.key ? [""] : layerOf({ sup, power }) ? [`^${power.key}`] : [`^${power.key}`, ""];
  for (const above of heads) {
    const raised = above === "" && power.key !== undefined;
    for (let used = indices.length; used > 0; used -= 1) {
      const value = scope.get(named(above, used));
      if (value !== undefined) return { value, used, raised };
    }
    const [name, pieces] = [base + marks + above, family(base + marks + above)];
    const value = indices.length ? piecesFirst(scope.get(pieces), () => scope.get(name), indices.length) : (scope.get(name) ?? scope.get(pieces));
    if (value !== undefined) return { value, used: 0, raised };
  }
  return undefined;
}

/** O_h is a piece where pieces with so many indices are defined; else it is a row of O. */
function piecesFirst(pieces, whole, count) {
  const exact = pieces instanceof Arr || pieces?.patterns.some(({ indices }) => indices.length === count);
  return exact ? pieces : (whole() ?? pieces);
}

function symbol(node, scope) {
  const { base, marks, power, indices = [] } = node;
  const values = (from) => indices.slice(from).map(({ expr }) => evaluate(expr(), scope));
  const found = lookUp(node, scope);
  const layered = found ? undefined : layer(node, scope);
  let value;
  if (layered !== undefined) value = pick(layered, values(0));
  else if (found) {
    value = pick(found.value, values(found.used));
    if (value instanceof Indexed) value = value.whole();
    if (found.raised) value = raise(value, evaluate(power.exponent(), scope));
  } else {
    value = unbound(node, scope, values);
    const spent = base === "e" || power.key === undefined;
    if (!spent) value = raise(value, evaluate(power.exponent(), scope));
  }
  return power.transposed ? transpose(value) : value;
}

/** Z^{(l)}: a value given for this l, or the definition for every l. */
function layer({ base, marks, sup, power }, scope) {
  const own = layerOf({ sup, power });
  if (!own) return undefined;
  const at = evaluate(own, scope);
  const given = scope.get(`${base}${marks}^(${at})`);
  return given ?? scope.get(family(`${base}${marks}^()`))?.at([at]);
}

/** What a symbol means where nothing binds it: constants, δ_ij, a row x_i of X, what another formula defines. */
function unbound({ base, marks, power, indices = [] }, scope, values) {
  if (base === "e" && power.exponent && !indices.length) return map(Math.exp, evaluate(power.exponent(), scope));
  if (base === "pi") return Math.PI;
  if (base === "infty") return Infinity;
  if (base === "delta" && indices.length === 2) {
    const [i, j] = values(0);
    return i === j ? 1 : 0;
  }
  if (base === "d" && !indices.length) return evaluate({ t: "sym", base: "d", marks: "", sub: [{ k: "sym", base: "model" }], indices: [{ key: "model" }], power: {} }, scope);
  if (indices.length === 1 && base !== base.toUpperCase()) {
    const matrix = matrixOf(base + marks, scope);
    if (matrix) return pick(matrix, values(0));
  }
  const above = power.key ? `^${power.key}` : "";
  const other = fromLibrary(family(base + marks), scope) ?? fromLibrary(family(base + marks + above), scope);
  if (other instanceof Indexed) return indices.length ? other.at(values(0)) : other.whole();
  if (other !== undefined) return pick(other, values(0));
  throw new FormulaError(`nothing says what ${base}${marks}${indices.length ? ` with index ${indices.map((index) => index.key).join(", ")}` : ""} is`);
}

/** x_i is row i of X: the matrix that a small letter with one index belongs to. */
function matrixOf(name, scope) {
  const matrix = scope.get(name.toUpperCase()) ?? scope.get(family(name.toUpperCase())) ?? fromLibrary(family(name.toUpperCase()), scope, false);
  const isMatrix = matrix instanceof Indexed || (matrix instanceof Arr && matrix.rank === 2);
  return isMatrix ? matrix : undefined;
}

/** What another printed formula defines, with the values known here: one of the same page, or the only one of the book. */
function fromLibrary(name, scope, elsewhere = true) {
  const labels = [...(scope.library.definers.get(name) ?? [])];
  const near = labels.filter((label) => scope.library.formulas.get(label).page === scope.page);
  const [label, other] = near.length || !elsewhere ? near : labels;
  if (other !== undefined) throw new FormulaError(`${name} is defined by ${label} and ${other}`);
  if (label === undefined) return undefined;
  const inner = scope.inner({});
  const { statements, page } = scope.library.formulas.get(label);
  inner.page = page;
  define(statements, inner);
  return inner.names.has(name) ? force(inner.names.get(name), inner, name) : undefined;
}

function product({ operator, a, b }, scope) {
  return multiply(operator, evaluate(a, scope), evaluate(b, scope));
}

function multiply(operator, a, b) {
  switch (operator) {
    case "/":
      if (b instanceof Arr && !(a instanceof Arr && shapeOf(a) === shapeOf(b))) throw new FormulaError(`${show(a)} over ${show(b)} has no meaning here`);
      return zip((x, y) => x / y, a, b);
    case "\\odot":
      return zip((x, y) => x * y, a, b, "the factors of ⊙");
    case "\\cdot":
      return a instanceof Arr && b instanceof Arr ? dot(a, b) : times(a, b);
    case "\\times":
      return times(scalar(a), scalar(b));
    case "\\gg":
      return Math.floor(scalar(a) / 2 ** scalar(b));
    case "":
      return times(a, b);
    default:
      throw new FormulaError(`“${operator}” is no operator that this book computes`);
  }
}

const RELATIONS = {
  "=": (a, b) => a === b,
  "\\neq": (a, b) => a !== b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "\\le": (a, b) => a <= b,
  "\\leq": (a, b) => a <= b,
  "\\ge": (a, b) => a >= b,
  "\\geq": (a, b) => a >= b,
};

function compare({ relations, parts }, scope) {
  const numbers = parts.map((part) => Number(scalar(evaluate(part, scope))));
  return relations.every((relation, i) => RELATIONS[relation](numbers[i], numbers[i + 1]));
}

function bigSum({ index, from, to, condition, body }, scope) {
  const values = from && to
    ? upTo(scalar(evaluate(from, scope)), scalar(evaluate(to, scope)))
    : rangeOf(index, condition ? { t: "tuple", items: [body, condition] } : body, scope);
  const inners = values.map((value) => scope.inner({ [index]: value }));
  const chosen = condition ? inners.filter((inner) => evaluate(condition, inner)) : inners;
  return chosen.map((inner) => evaluate(body, inner)).reduce(add, 0);
}

// ---- “…”: the members between a first and a last one ----

/** Arguments, with “…” written out. */
function expanded(args, scope) {
  const dots = args.findIndex(({ t }) => t === "dots");
  return dots < 0 ? args.map((argument) => evaluate(argument, scope)) : sequence(args[0], args[dots + 1], scope);
}

function expandMatrix(rows, scope) {
  const isDots = (part) => part?.t === "dots";
  if (!rows.some((row) => row.some(isDots))) {
    return rows.map((row) => row.map((part) => (part === undefined ? undefined : evaluate(part, scope))));
  }
  const members = sequence(rows[0][0], rows.at(-1).at(-1), scope);
  if (rows[0].length === 1) return members.map((member) => [member]);
  return members.map((member, r) => members.map((_, c) => (r === c ? member : undefined)));
}

/** Every member from the first to the last: they are alike but for one number, which counts up. */
function sequence(first, last, scope) {
  const difference = apart(first, last);
  if (!difference) throw new FormulaError("“…” needs a first and a last member that differ in one number");
  const { path, from, to } = difference;
  const values = upTo(scalar(evaluate(from, scope)), scalar(evaluate(to, scope)));
  return values.map((value) => evaluate(replaced(first, path, { t: "num", value }), scope));
}

/** Where two expressions differ: the path to the one place, and what stands there in each. */
function apart(a, b, path = []) {
  if (a?.t === "sym" && b?.t === "sym" && a.base === b.base && a.marks === b.marks && a.indices?.length === b.indices?.length) {
    const places = (a.indices ?? []).map((index, i) => [i, index, b.indices[i]]).filter(([, x, y]) => x.key !== y.key);
    if (places.length !== 1) return undefined;
    const [i, x, y] = places[0];
    return { path: [...path, "indices", i], from: x.expr(), to: y.expr() };
  }
  if (a?.t !== b?.t || a?.t === undefined) return undefined;
  const found = [];
  for (const name of Object.keys(a)) {
    const [x, y] = [a[name], b[name]];
    if (Array.isArray(x) && Array.isArray(y) && name !== "indices") {
      for (const [i, part] of x.entries()) if (part?.t && different(part, y[i])) found.push(apart(part, y[i], [...path, name, i]));
    } else if (x?.t && different(x, y)) found.push(apart(x, y, [...path, name]));
  }
  return found.length === 1 ? found[0] : undefined;
}

const plain = (node) => JSON.stringify(node, (name, value) => (["expr", "exponent", "place", "sup", "sub"].includes(name) ? undefined : value));
const different = (a, b) => plain(a) !== plain(b);

function replaced(node, [head, ...rest], value) {
  if (head === undefined) return value;
  const copy = Array.isArray(node) ? [...node] : { ...node };
  if (head === "indices") {
    copy.indices = node.indices.map((index, i) => (i === rest[0] ? { key: "…", expr: () => value } : index));
    copy.sub = [{ k: "sym", base: "…" }];
    return copy;
  }
  copy[head] = replaced(node[head], rest, value);
  return copy;
}

// ---- calls ----

function call({ name, sub, args }, scope) {
  if (!args) throw new FormulaError(`${name} stands without an argument`);
  const builtin = sub ? FUNCTIONS[`${name}_${sub[0].key}`] : FUNCTIONS[name];
  if (builtin) return builtin(expanded(args, scope));
  const own = scope.get(`${name}()`) ?? fromLibrary(`${name}()`, scope);
  if (!own) throw new FormulaError(`no formula of this book defines ${name}`);
  const parameters = sub ? scope.get(`${name}_${evaluateKey(sub[0], scope)}`) : scope.get(name);
  if (sub && !parameters) throw new FormulaError(`nothing says what the parameters of ${name}_${sub[0].key} are`);
  return callFormula(own, expanded(args, scope), scope.inner(parameters?.parameters ?? {}));
}

/** An index as the key of parameters: a number where it has a value, else its letters. */
function evaluateKey({ key: own, expr }, scope) {
  const value = attempt(() => evaluate(expr(), scope));
  return value ?? own;
}

/** Call a printed function. Where its formula speaks of one vector (or number), each row (or entry) has its turn. */
function callFormula(own, args, scope) {
  if (own.table) return fromTable(own, args[0]);
  const { parameters, indices, body, name } = own;
  if (args.length !== parameters.length) throw new FormulaError(`${name} takes ${parameters.length} arguments, ${args.length} came`);
  const sizes = scope.library.sizes.get(name) ?? [];
  const longer = args.map((value, i) => (sizes[i] && value instanceof Arr ? value.rank - sizes[i].length : 0));
  if (Math.max(...longer) > 0) {
    const lead = args.find((_, i) => longer[i] === Math.max(...longer));
    return stack(lead.rows().map((_, r) => callFormula(own, args.map((value, i) => (longer[i] > 0 ? value.at(r) : value)), scope)));
  }
  const inner = scope.inner(bindSizes(args, sizes));
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

// ---- comparing ----

/** All formulas of the book; what a formula defines in its first line counts before what another adds behind a comma: what each label prints, and the letters of the sizes that its function takes. */
export function library(formulas, sizes) {
  const [heads, others, ofFunctions] = [new Map(), new Map(), new Map()];
  for (const [label, { statements, defines }] of formulas) {
    if (!defines) continue;
    statements.filter(isDefinition).forEach(({ parts }, place) => {
      const into = place === 0 ? heads : others;
      const found = target(parts[0], () => false);
      if (found?.kind === "function") ofFunctions.set(found.name, sizes.get(label)?.slice(0, found.parameters.length));
      for (const name of defined(found)) into.set(name, new Set([...(into.get(name) ?? []), label]));
    });
  }
  return { formulas, sizes: ofFunctions, definers: new Map([...others, ...heads]) };
}

/** What other formulas may use: functions, and things with indices. A plain name belongs to its own formula. */
function defined(found) {
  if (found?.kind === "function") return [`${found.name}()`];
  if (found?.kind === "several") return found.parts.flatMap(defined);
  return found?.kind === "indexed" ? [found.name] : [];
}

/** Values from outside: lists become arrays, { parameters: … } what a function with an index brings along. */
export function values(given) {
  const isParameters = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (!isParameters(value)) return [name, fromLists(value)];
      if (value.table) return [`${name}()`, { name, table: value.table.map((row) => row.map(fromLists)) }];
      return [name, { parameters: values(value.parameters) }];
    }),
  );
}

/**
 * Run one formula with given values, and compare with what was wanted, by name; `result` is the value of the formula
 * itself. Every “=” is compared too, every “∈” checked. Returns the largest difference, and whether a form that is
 * right in exact arithmetic overflowed and was not compared. Throws FormulaError.
 */
export function check(book, formula, values) {
  try {
    return compareAll(book, formula, values);
  } catch (error) {
    throw error instanceof RangeError ? new FormulaError("it is defined by itself") : error;
  }
}

function compareAll(book, { statements, page }, { given, wanted, defaults = {} }) {
  const own = values(given);
  const aims = values(wanted);
  const scope = new Scope(book, undefined, own);
  scope.page = page;
  nameResult(statements, own, aims);
  define(statements, scope, new Set(Object.keys(own)));
  const reached = new Map();
  const overflowing = new Set();
  const compareWith = (name, value) => {
    if (name in aims) reached.set(name, Math.max(reached.get(name) ?? 0, difference(value, aims[name])));
  };
  const worst = statements
    .filter(({ kind }) => kind === "chain")
    .map((statement) => checkChain(statement, scope, { own, aims, defaults: values(defaults), compareWith, overflowing }));
  if (!Object.keys(aims).length && !statements.some(hasTwoSides)) throw new FormulaError("it has no two sides to compare");
  const missing = Object.keys(aims).filter((name) => !reached.has(name));
  if (missing.length) throw new FormulaError(`the formula does not say what ${missing.join(", ")} is`);
  return { worst: Math.max(0, ...worst, ...reached.values()), overflows: overflowing.size > 0 };
}

/** Whether a chain holds an equation that is no mere definition. */
function hasTwoSides({ kind, parts, relations }) {
  if (kind !== "chain") return false;
  const found = target(parts[0], () => false);
  return relations.filter((relation) => relation === "=").length > (found ? 1 : 0);
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

function checkChain({ parts, relations }, scope, { own, aims, defaults, compareWith, overflowing }) {
  const left = parts[0];
  const found = target(left, (name) => name in own || name in aims);
  const name = relations[0] === "\\leftarrow" ? `${found.name}←` : found?.name;
  if (relations.length === 0) {
    compareWith("result", evaluate(left, scope));
    return 0;
  }
  if (relations[0] === "\\in") {
    inDomain(evaluate(left, scope), parts[1], scope);
    return 0;
  }
  if (found?.local && !("result" in aims)) return 0; // R(a) = …, for the use of the others
  if (found && name in own && name in defaults) return difference(evaluate(parts[1], scope), defaults[name]);
  const whole = found && relations[0] === "=" ? entryOf(found, scope) : undefined;
  if (whole) return checkEveryEntry(found, whole, parts.slice(1), scope);
  if (found?.kind === "indexed" && !(name in own) && !isRow(found, scope)) return checkEntries(found, name, parts, relations, scope, { aims, compareWith });
  if (found?.kind === "several") {
    for (const { name: part } of found.parts) compareWith(part, scope.get(part).whole(aims[part]?.shape));
    return 0;
  }
  const value = leftValue(left, found, name, parts, relations, scope);
  compareWith(found?.kind === "name" ? found.name : "result", value);
  const evaluated = (part) => (found?.kind === "function" ? functionValue(found, part, scope) : evaluate(part, scope));
  for (const part of parts.slice(1)) {
    const other = part.t === "sym" ? target(part, (one) => one in own || one in aims) : undefined;
    if (other?.kind === "name" && other.name in aims) compareWith(other.name, value);
  }
  return follow(value, parts, relations, evaluated, scope, overflowing);
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

/** Compare the members of a chain one after another: equal where “=” stands, of the printed shape where “∈” does. */
function follow(value, parts, relations, evaluated, scope, overflowing) {
  const differences = relations.map((relation, i) => {
    if (relation === "\\in") inDomain(value, parts[i + 1], scope);
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
