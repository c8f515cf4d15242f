/** Room between the rows of a system of equations. */

// for KaTeX a least depth of the row above, beside which a fraction, or a sign with a limit below it, is nearly as deep
const GAP = { number: 0.75, unit: "em" };
const GAP_BELOW_LIMITS = { number: 1.1, unit: "em" };
const SCRIPTS = new Set(["sup", "sub"]);

const parts = (node) => Object.entries(node ?? {}).filter(([name, part]) => name !== "loc" && part && typeof part === "object" && !SCRIPTS.has(name));

const has = (node, isWanted) => Boolean(node) && (isWanted(node) || parts(node).some(([, part]) => has(part, isWanted)));
const bearsLimits = ({ type, limits }) => type === "op" && limits;
const isTall = (node) => node.type === "genfrac" || bearsLimits(node);

/** Between two rows with fractions or limits there is more room, unless the formula says how much. */
export function partRows(node) {
  if (node?.type === "array" && node.addJot)
    for (const [i, row] of node.body.slice(1).entries()) if (has(node.body[i], isTall) && has(row, isTall)) node.rowGaps[i] ??= has(node.body[i], bearsLimits) ? GAP_BELOW_LIMITS : GAP;
  for (const [, part] of parts(node)) partRows(part);
}
