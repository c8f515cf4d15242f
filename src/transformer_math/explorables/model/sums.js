/** A short formula, and the terms of a sum as a table. */
import { fixed, html, put, show } from "../kit.js";
import { range } from "../numbers.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const math = (tag, ...children) => {
  const node = document.createElementNS(MATHML, tag);
  node.append(...children);
  return node;
};
const OPERATORS = /^[=+−/()·,]+$/;
const letters = (text) => math(OPERATORS.test(text) ? "mo" : /^\d+$/.test(text) ? "mn" : "mi", text);

/** One symbol: `Q_ij`, `W^Q_kj`, `e^{S_ij}`, `√d_k`, with ! or ? in front where a term's factor is meant. */
function term(text) {
  const [, mark, root, base, above, below] = text.match(/^([!?]?)(√?)([^_^]+)(?:\^(\{.*?\}|[^_]+))?(?:_(.+))?$/);
  const inner = (part) => (part.startsWith("{") ? term(part.slice(1, part.indexOf("}"))) : letters(part));
  let node = letters(base);
  if (above && below) node = math("msubsup", node, inner(below), inner(above));
  else if (above) node = math("msup", node, inner(above));
  else if (below) node = math("msub", node, inner(below));
  if (root) node = math("msqrt", node);
  if (mark) node.setAttribute("class", mark === "!" ? "xp-query" : "xp-key");
  return node;
}

const inRow = (text) => text.split(/\s+|(?<=\()|(?=[),](?![^{]*\}))/).filter(Boolean).map(term);

/** `(h W_2)_ij`: an index of all that stands in the brackets. */
function indexed(text) {
  const end = text.lastIndexOf(")") + 1;
  return math("msub", math("mrow", ...inRow(text.slice(0, end))), letters(text.slice(end + 1)));
}

/** `U_ik W^Q_kj + b_j`, its symbols apart by spaces, as MathML. */
export const formula = (text) => math("math", ...text.split(/(\([^()]*\)_\w+)/).flatMap((part, k) => (k % 2 ? indexed(part) : inRow(part))));

/** The factors of a term. */
export const times = (a, b, digits = 2) => `${fixed(a, digits)} · ${b < 0 ? `(${fixed(b, digits)})` : fixed(b, digits)}`;

/** A table of at most `most` lines: a term's name, its factors, its value; the last line is the number itself. */
export function sums(most) {
  const cells = range(most).map(() => [html("th", { scope: "row" }), html("td"), html("td")]);
  const rows = cells.map((line) => html("tr", {}, ...line));
  const [printed, code, title] = [html("p", { class: "xp-printed" }), html("code"), html("p", { class: "xp-caption" })];
  const table = html("table", { class: "xp-lines xp-terms", "aria-label": "The sum, term by term" }, html("tbody", {}, ...rows));
  const node = html("div", { class: "xp-sum" }, title, printed, table, html("p", { class: "xp-code" }, code));
  let shown;
  const paint = ({ what, symbol, written, lines, value, line, how = "", digits = 3 }) => {
    put(title, what);
    if (shown !== (shown = written)) printed.replaceChildren(formula(written));
    const all = [...lines, [symbol, how, value]];
    show(rows, all.length);
    all.forEach(([name, how, number], i) => {
      put(cells[i][0], name);
      put(cells[i][1], how);
      put(cells[i][2], fixed(number, digits));
      rows[i].classList.toggle("xp-total", i === all.length - 1);
    });
    put(code, line);
  };
  return { node, table, paint };
}
