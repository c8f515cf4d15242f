/** LaTeX as lines and sides: what stands inside brackets does not part anything. */

import { KEYWORDS } from "../../formulas/reader.js";
import { squeezed } from "./typed.js";

const OPENING = /^(?:[{([]|\\begin|\\left|\\\{)$/;
const CLOSING = /^(?:[})\]]|\\end|\\right|\\\})$/;
const SIGNS = /\\begin|\\end|\\left(?![A-Za-z])\s*\\?.|\\right(?![A-Za-z])\s*\\?.|\\\\|\\[{}]|\\leftarrow|\\approx(?![A-Za-z])|[{}()[\]=\n]/g;

const bareSign = (sign) => sign.replace(/^(\\left|\\right)(?!arrow)[^]*$/, "$1");

/** The lines of a text, and whether each says by itself what it defines: breaks and “=” inside brackets do not count. */
export function linesOf(text) {
  const lines = [{ from: 0, says: false }];
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    const bare = bareSign(sign);
    if (OPENING.test(bare)) depth += 1;
    else if (CLOSING.test(bare)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && /^(?:\n|\\\\)$/.test(bare)) {
      lines.at(-1).to = index;
      lines.push({ from: index + sign.length, says: false });
    } else if (depth === 0) lines.at(-1).says = true;
  }
  lines.at(-1).to = text.length;
  return lines.map(({ from, to, says }) => ({ text: text.slice(from, to).trim(), says })).filter((line) => line.text);
}

const BORDERS = /\\(?:begin|end)\{(?:aligned|gathered)\}|\\q?quad|\\text\{where\}|,/;
const PARTS = new RegExp(`${BORDERS.source}|${SIGNS.source}`, "g");

/** The left side of the statement that stands at a place of printed LaTeX, with the sign after it. */
export function leftOf(tex, at) {
  let [depth, from] = [0, 0];
  for (const { 0: sign, index } of tex.matchAll(PARTS)) {
    const bare = bareSign(sign);
    const isRelation = ["=", "\\leftarrow", "\\approx"].includes(bare);
    if (OPENING.test(bare)) depth += 1;
    else if (CLOSING.test(bare)) depth -= 1;
    else if (depth === 0 && index < at) from = index + sign.length;
    else if (depth === 0 && isRelation) return tex.slice(from, index + sign.length).replace(/&/g, "").trim();
  }
  return tex.slice(from);
}

const BORDER = new RegExp(`^\\\\text\\{(?:${[...KEYWORDS].join("|")})\\}`);
const RELATION = /^(?:\\(?:le|leq|ge|geq|neq)(?![A-Za-z])|[<>])/;

/** j \\le i, of which no sign says that it is a question: in brackets, 1 where it holds. What cases or words part stays. */
function asked(text) {
  let [depth, relates] = [0, false];
  for (const { 0: sign, index } of text.matchAll(/\\[A-Za-z]+|\\.|[^\\]/g)) {
    if ("([{".includes(sign)) depth += 1;
    else if (")]}".includes(sign)) depth -= 1;
    else if (sign === "\\begin" || BORDER.test(text.slice(index))) return text;
    else if (depth === 0 && sign === ",") return text;
    else relates ||= depth === 0 && RELATION.test(sign);
  }
  return relates ? `[${text.trim()}]` : text;
}

/** A line that names what is asked may have a question behind its sign. */
function answered(text, left) {
  const at = text.indexOf("=") + 1;
  return squeezed(text.slice(0, at)) === squeezed(left) ? `${left} ${asked(text.slice(at))}` : text;
}

/** The LaTeX that a text stands for: the first line that defines nothing is what is asked for. */
export function written(text, left) {
  if (/^\s*\\begin\{(?:aligned|gathered|split|array)\}/.test(text)) return text;
  const lines = linesOf(text);
  const aim = lines.find(({ says }) => !says);
  const all = lines.map((line) => (line === aim ? `${left} ${asked(line.text)}` : answered(line.text, left)));
  return all.length > 1 ? `\\begin{gathered} ${all.join(" \\\\ ")} \\end{gathered}` : (all[0] ?? "");
}
