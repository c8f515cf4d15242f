/** What a name with its scripts may be: a value, something with indices, a row of a matrix, what another formula defines. */

import { key, UnknownName } from "./reader.js";
import { force } from "./scope.js";
import { Arr } from "./values.js";

/** Things with indices have names of their own: O_h, the output of a head, is not a piece of O. */
export const family = (name) => (name.endsWith("[]") ? name : `${name}[]`);

/** Whether a value has patterns with indices: see indexed.js. */
export const isIndexed = (value) => value?.patterns !== undefined;

/** The l of Z^{(l)}. */
export function layerOf({ sup, power }) {
  if (sup?.length !== 1 || sup[0].k !== "group") return undefined;
  const exponent = power.exponent();
  return exponent.t === "paren" ? exponent.x : exponent;
}

const NAMES = new WeakMap();

/** Every name that a symbol with its scripts may have, the longest first: W^Q_h, then W^Q at h, then W at h to the Q. */
function namesOf(node) {
  if (!NAMES.has(node)) NAMES.set(node, spelled(node));
  return NAMES.get(node);
}

function spelled({ base, marks, sup, sub, power, indices = [] }) {
  const below = (count) => (count === indices.length ? key(sub) : indices.slice(0, count).map((index) => index.key).join(","));
  const heads = !power.key ? [""] : layerOf({ sup, power }) ? [`^${power.key}`] : [`^${power.key}`, ""];
  return heads.map((above) => {
    const name = base + marks + above;
    const longer = indices.map((_, i) => ({ used: indices.length - i, name: `${name}_${below(indices.length - i)}` }));
    return { name, pieces: family(name), longer, raised: above === "" && power.key !== undefined };
  });
}

/** What a symbol with its scripts is bound to, and how many of its indices are part of the name. */
export function lookUp(node, scope) {
  const count = node.indices?.length ?? 0;
  for (const { name, pieces, longer, raised } of namesOf(node)) {
    for (const { used, name: long } of longer) {
      const value = scope.get(long);
      if (value !== undefined) return { value, used, raised };
    }
    const holder = scope.holder(name, pieces);
    const value = count ? piecesFirst(holder?.own(pieces), () => scope.get(name), count) : (holder?.own(name) ?? holder?.own(pieces));
    if (value !== undefined) return { value, used: 0, raised };
  }
  return undefined;
}

/** O_h is a piece where pieces with so many indices are defined; else it is a row of O. */
function piecesFirst(pieces, whole, count) {
  const exact = pieces instanceof Arr || pieces?.patterns.some(({ indices, lead }) => indices.length === count || lead === count);
  return exact ? pieces : (whole() ?? pieces);
}

/** x_i is row i of X: the matrix that a small letter with one index belongs to. */
export function matrixOf(name, scope) {
  const matrix = scope.get(name.toUpperCase()) ?? scope.get(family(name.toUpperCase())) ?? fromLibrary(family(name.toUpperCase()), scope, false);
  const isMatrix = isIndexed(matrix) || (matrix instanceof Arr && matrix.rank === 2);
  return isMatrix ? matrix : undefined;
}

/** What another printed formula defines, with the values known here: one of the same page, or the only one of the book. */
export function fromLibrary(name, scope, elsewhere = true) {
  const { definers, asides, formulas } = scope.library;
  const labels = definers.get(name);
  const here = (some) => [...(some ?? [])].filter((label) => formulas.get(label).page === scope.page);
  const near = here(labels).length ? here(labels) : here(asides.get(name));
  const [label, other] = near.length || !elsewhere ? near : (labels ?? []);
  const turned = name === "T[]" ? "; a transpose is written K^\\top" : "";
  if (other !== undefined) {
    const own = name.replace("[]", "");
    throw new UnknownName(`nothing says what ${own} is here; several formulas of the book each define one${turned}`, own);
  }
  if (label === undefined) return undefined;
  scope.library.used?.add(label);
  const inner = scope.formula({});
  const { statements, page } = scope.library.formulas.get(label);
  inner.page = page;
  inner.foreign = true;
  scope.library.define(statements, inner);
  return inner.names.has(name) ? force(inner.names.get(name), inner, name) : undefined;
}
