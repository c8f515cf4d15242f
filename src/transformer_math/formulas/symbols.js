/** The value of a symbol with its scripts: indices, powers, layers, transposes. */

import { evaluate } from "./evaluate.js";
import { family, fromLibrary, isIndexed, layerOf, lookUp, matrixOf } from "./names.js";
import { FormulaError, UnknownName } from "./reader.js";
import { attempt } from "./scope.js";
import { Arr, map, scalar, stack, transpose, zip } from "./values.js";

export const raise = (x, exponent) => {
  if (x instanceof Arr && x.rank > 0 && exponent instanceof Arr) throw new FormulaError("an array stands in an exponent of an array");
  return zip((a, b) => a ** b, x, exponent);
};

export function pick(value, indices) {
  if (isIndexed(value)) return indices.length ? value.at(indices) : value;
  return indices.reduce((part, index) => {
    if (!(part instanceof Arr)) throw new FormulaError("a number has no entries");
    return index instanceof Arr ? stack(index.data.map((i) => part.at(i))) : part.at(scalar(index));
  }, value);
}

export function symbol(node, scope) {
  const { base, marks, power, indices = [] } = node;
  const values = (from) => indices.slice(from).map(({ expr }) => evaluate(expr(), scope));
  const found = lookUp(node, scope);
  const layered = found ? undefined : layer(node, scope);
  let value;
  if (layered !== undefined) value = pick(layered, values(0));
  else if (found) {
    value = pick(found.value, values(found.used));
    if (isIndexed(value)) value = value.whole();
    if (found.raised) value = raise(value, evaluate(power.exponent(), scope));
  } else {
    value = unbound(node, scope, values);
    const spent = base === "e" || power.key === undefined;
    if (!spent) value = raise(value, evaluate(power.exponent(), scope));
  }
  return power.transposed ? transpose(value) : value;
}

/** A bare d is the width of the model: d_model. */
const MODEL = { t: "sym", base: "model", marks: "", power: {} };
const WIDTH = { t: "sym", base: "d", marks: "", sub: [{ k: "sym", base: "model" }], indices: [{ key: "model", expr: () => MODEL }], power: {} };

/** Z^{(l)}: a value given for this l, or the definition for every l. */
function layer({ base, marks, sup, power }, scope) {
  const own = layerOf({ sup, power });
  if (!own) return undefined;
  const at = evaluate(own, scope);
  const given = scope.get(`${base}${marks}^(${at})`);
  return given ?? scope.get(family(`${base}${marks}^()`))?.at([at]);
}

/** What a symbol means where nothing binds it: constants, δ_ij, a row x_i of X, what another formula defines. */
function unbound({ base, marks, power, spells, indices = [] }, scope, values) {
  if (base === "e" && power.exponent && !indices.length) return map(Math.exp, evaluate(power.exponent(), scope));
  if (base === "pi") return Math.PI;
  if (base === "infty") return Infinity;
  if (base === "delta" && indices.length === 2) {
    const [i, j] = values(0);
    return i === j ? 1 : 0;
  }
  const width = base === "d" && !indices.length ? attempt(() => evaluate(WIDTH, scope)) : undefined;
  if (width !== undefined) return width;
  if (indices.length === 1 && base !== base.toUpperCase()) {
    const matrix = matrixOf(base + marks, scope);
    if (matrix) return pick(matrix, values(0));
  }
  const above = power.key ? `^${power.key}` : "";
  const other = fromLibrary(family(base + marks), scope) ?? fromLibrary(family(base + marks + above), scope);
  const value = isIndexed(other) && !indices.length ? attempt(() => other.whole()) : other; // a γ_ij of another page is no γ
  if (value !== undefined) return pick(value, values(0));
  if (spells) throw new UnknownName(`the letters of ${spells.own} are read as a product; the name is written ${spells.written}`, spells.own, spells.place);
  const turned = base === "T" ? "; a transpose is written K^\\top" : "";
  const below = indices.map((index) => index.key).join(", ");
  throw new UnknownName(`nothing says what ${base.replace(/^math[a-z]+:/, "")}${marks}${below && ` with index ${below}`} is${turned}`, `${base}${below && `_${below}`}`);
}
