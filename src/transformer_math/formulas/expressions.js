/** The rules by which expressions are evaluated. */

import { call, callFormula } from "./calls.js";
import { evaluate, RULES } from "./evaluate.js";
import { FUNCTIONS } from "./functions.js";
import { rangeOf, upTo } from "./indexed.js";
import { widest } from "./invariant.js";
import { expanded, expandMatrix } from "./members.js";
import { fromLibrary } from "./names.js";
import { FormulaError } from "./reader.js";
import { pick, raise, symbol } from "./symbols.js";
import { Arr, add, blocks, column, common, dot, Members, map, Several, scalar, scale, shapeOf, show, stack, times, transpose, zip } from "./values.js";

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
    case "\\cap":
      if (!(a instanceof Members && b instanceof Members)) throw new FormulaError("∩ stands between two sets");
      return common(a, b);
    case "\\gg":
      return Math.floor(scalar(a) / 2 ** scalar(b));
    case "":
      return times(a, b);
    default:
      throw new FormulaError(`“${operator}” is no operator that this book computes`);
  }
}

const COMPARE = {
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
  return relations.every((relation, i) => {
    if (!COMPARE[relation]) throw new FormulaError(`“${relation}” compares no two numbers`);
    return COMPARE[relation](numbers[i], numbers[i + 1]);
  });
}

const FOLDS = {
  sum: { start: 0, join: add },
  prod: { start: 1, join: times },
  max: { start: -Infinity, join: (a, b) => Math.max(a, scalar(b)) },
};

/** A sum, product or maximum, computed once where many entries ask for the same one. */
function bigSum(node, scope) {
  const home = widest(node, scope);
  if (home === scope) return folded(node, scope);
  if (!home.sums.has(node)) home.keep("sums", node, folded(node, home));
  return home.sums.get(node);
}

function folded(node, scope) {
  const { fold, index, from, to, condition, body } = node;
  const { start, join } = FOLDS[fold];
  const values = from && to ? upTo(scalar(evaluate(from, scope)), scalar(evaluate(to, scope))) : rangeOf(index, node, scope);
  const inner = scope.loop([index]);
  let total = start;
  for (const value of values) {
    inner.bind(index, value);
    if (!condition || evaluate(condition, inner)) total = join(total, evaluate(body, inner));
  }
  return total;
}

/** The first place where a value is largest (or smallest): of one index, or of several together. */
function choice({ largest, letters, domain, condition, body }, scope) {
  const set = domain && evaluate(domain, scope);
  const inner = scope.inner();
  let [best, found] = [undefined, undefined];
  const go = ([letter, ...rest], chosen) => {
    if (letter === undefined) {
      if (condition && !evaluate(condition, inner)) return;
      const own = scalar(evaluate(body, inner)) * (largest ? 1 : -1);
      if (found === undefined || own > best) [best, found] = [own, chosen];
      return;
    }
    for (const value of set ? membersOf(set) : rangeOf(letter, body, scope)) {
      inner.bind(letter, value);
      go(rest, [...chosen, value]);
    }
  };
  go(letters, []);
  if (found === undefined) throw new FormulaError("there is nothing to choose from");
  return found.length === 1 ? found[0] : stack(found);
}

function membersOf(set) {
  if (set instanceof Members) return set.items;
  if (set instanceof Arr) return set.rows();
  throw new FormulaError("after ∈ stands no set");
}

function member(value, number) {
  if (value instanceof Several || (value instanceof Arr && number < value.shape[0])) return value.at(number);
  throw new FormulaError(`several names stand on the left, and ${show(value)} on the right`);
}

const asRow = (value) => (value instanceof Arr && value.rank === 1 ? value.data : [scalar(value)]);

const size = (value) => (value instanceof Members ? value.items.length : Math.abs(scalar(value)));

const sideBySide = (parts) => (parts.some((part) => part instanceof Arr) ? blocks([parts]) : stack(parts));

Object.assign(RULES, {
  num: ({ value }) => value,
  paren: ({ x }, scope) => evaluate(x, scope),
  tuple: ({ items }, scope) => sideBySide(items.map((item) => evaluate(item, scope))),
  abs: ({ x }, scope) => size(evaluate(x, scope)),
  norm: ({ x }, scope) => Math.hypot(...asRow(evaluate(x, scope))),
  sym: symbol,
  add: ({ terms }, scope) => terms.map(({ sign, x }) => (sign === 1 ? evaluate(x, scope) : scale(-1, evaluate(x, scope)))).reduce(add),
  times: product,
  power: ({ x, exponent }, scope) => raise(evaluate(x, scope), evaluate(exponent, scope)),
  transpose: ({ x }, scope) => transpose(evaluate(x, scope)),
  sqrt: ({ x }, scope) => map(Math.sqrt, evaluate(x, scope)),
  index: ({ x, indices }, scope) => pick(evaluate(x, scope), indices.map(({ expr }) => evaluate(expr(), scope))),
  pick: ({ x, number }, scope) => member(evaluate(x, scope), number),
  once: ({ x, letters, known }, scope) => {
    const at = letters.map((letter) => scope.get(letter)).join();
    if (!known.has(at)) known.set(at, evaluate(x, scope));
    return known.get(at);
  },
  inner: ({ items }, scope) => dot(...items.map((item) => evaluate(item, scope))),
  compare,
  sum: bigSum,
  choice,
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
});

export { evaluate }; // with all rules in place
