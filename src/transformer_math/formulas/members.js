/** “…”: the members between a first and a last one. */

import { evaluate } from "./evaluate.js";
import { upTo } from "./indexed.js";
import { FormulaError } from "./reader.js";
import { scalar } from "./values.js";

/** Arguments, with “…” written out. */
export function expanded(args, scope) {
  const dots = args.findIndex(({ t }) => t === "dots");
  return dots < 0 ? args.map((argument) => evaluate(argument, scope)) : sequence(args[0], args[dots + 1], scope);
}

export function expandMatrix(rows, scope) {
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

const plain = (node) => JSON.stringify(node, (name, value) => (["expr", "exponent", "place", "spells", "sup", "sub"].includes(name) ? undefined : value));
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
