/** What a formula uses and how it begins, in words: hints that do not show it. */

/** What of the given is used, the functions that are called, the outermost sign, and how many lines there are. */
export function hinted({ body, bodies, own }, given, { walk, key }) {
  const [used, called] = [new Set(), new Set()];
  walk(bodies, (node) => {
    if (node.t === "sym") given.filter((name) => isThat(node, name, key)).forEach((name) => used.add(name));
    if (node.t === "call" && node.args && !own.includes(node.name)) called.add(node.name);
    if (node.t === "sum") called.add(`a ${FOLDED[node.fold]}`);
  });
  return { used: [...used], called: [...called], first: outermost(body), lines: bodies.length };
}

const FOLDED = { sum: "sum", prod: "product", max: "maximum" };

/** O_h is a piece of O, W^Q_h one of W^Q, x_i a row of X. */
function isThat({ base, marks, sub, power }, name, key) {
  const [own, bare] = [base + marks, name.replace("[]", "")];
  const names = [own, `${own}^${power.key}`, `${own}_${sub && key(sub)}`, `${own}^${power.key}_${sub && key(sub)}`];
  return names.includes(bare) || (sub !== undefined && bare === own.toUpperCase());
}

function outermost(node) {
  if (node.t === "paren") return `brackets, and in them ${outermost(node.x)}`;
  return (SIGNS[node.t] ?? (() => "a single symbol"))(node);
}

const SIGNS = {
  add: ({ terms }) => (terms.length === 1 ? "a minus sign" : terms.some(({ sign }) => sign === -1) ? "a difference" : `a sum of ${terms.length} terms`),
  times: ({ operator }) => (operator === "/" ? "a fraction" : operator === "\\odot" ? "⊙, a product entry by entry" : "a product"),
  call: ({ name }) => `the function ${name}`,
  cases: ({ rows }) => `a brace with ${rows.length} cases`,
  sum: ({ fold }) => `a ${FOLDED[fold]} over an index`,
  sqrt: () => "a root",
  power: () => "a power",
  sym: ({ base, power }) => (base === "e" && power.key ? "a power of e" : "a single symbol"),
  compare: () => "a condition: 1 where it holds, 0 elsewhere",
  matrix: () => "a matrix, written entry by entry",
  index: () => "an entry of something larger",
  abs: () => "an absolute value",
  transpose: () => "a transpose",
};
