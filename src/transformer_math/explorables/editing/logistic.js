/** The logistic function, which many readers write without saying what it is: as σ, or as sigmoid. */
import { read } from "../../formulas/reader.js";
import { walk } from "../../formulas/walk.js";
import { heads } from "./asked.js";

export const SIGMOID = "sigmoid";

/** LaTeX with one name for it. */
export const asSigma = (tex) => tex.replaceAll(`\\operatorname{${SIGMOID}}`, "\\sigma ");

/** What σ is, where statements call it, do not define it, and are given no σ. */
export function logistic(katex, statements, given) {
  let isCalled = false;
  walk(statements.map(({ parts }) => parts ?? []), (node) => (isCalled ||= node.t === "apply" && node.f.base === "sigma"));
  const isDefined = "sigma" in given || heads(statements).some(({ found }) => found?.name?.startsWith("sigma"));
  return isCalled && !isDefined ? read(katex, "\\sigma(x) = \\frac{1}{1 + e^{-x}}") : [];
}
