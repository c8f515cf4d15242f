import { clamp, explorable, fixed, html, keys, put, set } from "../kit.js";
import { dot, range } from "../numbers.js";
import { goalsBeside } from "../goals.js";
import { formula, sums, times } from "../model/sums.js";

const names = ["row", "column"]; // all else is given once
const LINES = 8;
const EDGE = 1e-9; // what is nearer than this is equal

const NARROW = 7; // columns with two decimals that a phone has room for

/** Whole numbers are written as such. */
const decimals = (numbers, most) => (numbers.flat().every(Number.isInteger) ? 0 : most);
const printed = (x, digits) => Number(x.toFixed(digits));
/** Whether numbers sum to another as that is printed. */
const addUp = (terms, value, digits) => Math.abs(terms.reduce((sum, x) => sum + x, 0) - printed(value, digits)) < EDGE;
const columnOf = (B, j) => B.map((line) => line[j]);
/** A symbol for a sentence, which sets no index: `W` of `W^Q`, `W₂` of `W_2`. */
const bare = (symbol) => symbol.split("^")[0].replace(/_(\d)/, (_, digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const text = (label) => (/^\d+$/.test(label) ? label : `“${label}”`);

/** A part of the drawing: the numbers of one matrix, from a line and a column of the grid on. */
function block(kind, rows, columns, line, place, digits) {
  const cells = range(rows).map((i) => range(columns).map((j) => html("span", { class: `xp-number ${kind}`, style: `grid-area:${line + i}/${place + j}` })));
  const paint = (values, lit) =>
    cells.forEach((row, i) =>
      row.forEach((cell, j) => {
        put(cell, fixed(values[i][j], decimals(values, digits)));
        cell.classList.toggle("xp-lit", lit(i, j));
      }),
    );
  return { cells, nodes: cells.flat(), paint };
}

const TASKS = 3;

/** A number of the product: its place, its terms, the numbers beside and below it, and all of them. */
function numberAt(A, B, i, j) {
  const all = A.map((line) => range(B[0].length).map((c) => dot(line, columnOf(B, c))));
  return { place: `${i} ${j}`, value: all[i][j], terms: A[i].map((a, k) => a * B[k][j]), row: all[i], column: columnOf(all, j), all: all.flat() };
}

/** What may be looked for in a product, the more telling first; `first` is the number where one begins. */
const SOUGHT = [
  ["find the largest number of the product?", ({ value, all }) => value > Math.max(...all) - EDGE],
  ["find a number that one term makes?", ({ terms }) => terms.filter(Boolean).length === 1],
  ["find a sum smaller than one of its terms?", ({ value, terms }) => value < Math.max(...terms) - EDGE],
  ["find a sum whose terms are all 0?", ({ terms }) => !terms.some(Boolean)],
  ["find a row’s largest, not its column’s?", ({ value, row, column }) => value > Math.max(...row) - EDGE && value < Math.max(...column) - EDGE],
  ["find a column’s largest, not its row’s?", ({ value, row, column }) => value > Math.max(...column) - EDGE && value < Math.max(...row) - EDGE],
  ["find the smallest number of the product?", ({ value, all }) => value < Math.min(...all) + EDGE],
  ["find another number as large as the first?", ({ value, place }, first) => place !== first.place && Math.abs(value - first.value) < EDGE],
];

/** Three tasks for these matrices: each is met somewhere, not where one begins, and not by the same numbers as another. */
function tasksFor(A, B, begin) {
  const places = A.flatMap((_, i) => B[0].map((_, j) => numberAt(A, B, i, j)));
  const first = numberAt(A, B, ...begin);
  const found = new Map();
  for (const [words, met] of SOUGHT) {
    const where = places.filter((number) => met(number, first)).map(({ place }) => place).join();
    if (where && !found.has(where) && !met(first, first)) found.set(where, [words, ({ number, chosen }) => chosen && met(number, first)]);
  }
  return [...found.values()].slice(0, TASKS);
}

/** How many cells of a row or column lie before a place. */
const passed = (cells, side, at) => cells.filter((cell) => cell.getBoundingClientRect()[side] <= at).length;

/** Left factor, right factor and product, so that each number of the product stands where its row and its column meet. */
function drawing(stage, choose) {
  const [A, B, [one, other, product]] = [stage.get("left"), stage.get("right"), stage.get("symbols")];
  const [n, k, m] = [A.length, B.length, B[0].length];
  const digits = k + m > NARROW ? 1 : 2;
  const [left, right, result] = [block("xp-query", n, k, k + 2, 2, digits), block("xp-key", k, m, 2, k + 2, digits), block("xp-content", n, m, k + 2, k + 2, digits)];
  const label = (words, line, place, kind) => html("span", { class: kind, style: `grid-area:${line}/${place}` }, words);
  const corner = html("span", { class: "xp-corner", style: `grid-area:1/1/${k + 2}/${k + 2}` }, formula(product === one + other ? `${one} ${other}` : `${product} = ${one} ${other}`));
  const head = stage.get("columns").map((word, j) => label(word, 1, k + 2 + j, "xp-top-name"));
  const side = stage.get("rows").map((word, i) => label(word, k + 2 + i, 1, "xp-side-name"));
  const field = html("div", { class: "xp-cover", tabindex: 0, role: "application", style: `grid-area:${k + 2}/${k + 2}/${k + 2 + n}/${k + 2 + m}`, "aria-label": `Numbers of ${bare(product)}: the arrow keys go to another one` });
  const node = html("div", { class: "xp-product", style: `--columns:${k + m}` }, corner, ...head, ...side, ...left.nodes, ...right.nodes, ...result.nodes, field);
  const to = (i, j, meant = true) => choose(clamp(i, 0, n - 1), clamp(j, 0, m - 1), meant);
  const follow = (event) => {
    const meant = event.type === "pointerdown" || event.buttons > 0; // a mouse that only passes shows a number, and chooses none
    to(passed(result.cells.map(([cell]) => cell), "bottom", event.clientY), passed(result.cells[0], "right", event.clientX), meant);
  };
  set(field, { onpointerdown: follow, onpointermove: (event) => (event.buttons || event.pointerType === "mouse") && follow(event) });
  const now = () => [Math.min(stage.get("row"), n - 1), Math.min(stage.get("column"), m - 1)]; // a press may come before the last one is painted
  keys(field, { step: (dx, dy) => to(now()[0] - dy, now()[1] + dx), end: (side) => to(now()[0], side < 0 ? 0 : m - 1) });
  const paint = (i, j) => {
    left.paint(A, (row) => row === i);
    right.paint(B, (_, column) => column === j);
    result.paint(A.map((line) => range(m).map((c) => dot(line, columnOf(B, c)))), (row, column) => row === i && column === j);
    side.forEach((word, row) => word.classList.toggle("xp-lit", row === i));
    head.forEach((word, column) => word.classList.toggle("xp-lit", column === j));
  };
  return { node, paint };
}

function build(stage) {
  const [A, B, rows, columns] = ["left", "right", "rows", "columns"].map(stage.get);
  const [one, other, product] = stage.get("symbols");
  const summed = stage.get("formula").match(/Σ_(\w)/)[1]; // the letter over which the formula sums
  let chosen = true;
  const choose = (row, column, meant) => {
    const same = row === stage.get("row") && column === stage.get("column");
    if (same && chosen >= meant) return;
    chosen = meant;
    if (same) stage.repaint();
    else stage.set({ row, column });
  };
  const at = ({ row, column }) => [Math.min(row, A.length - 1), Math.min(column, B[0].length - 1)];
  const [picture, sum] = [drawing(stage, choose), sums(LINES)];
  const tasks = goalsBeside(stage, tasksFor(A, B, at({ row: stage.get("row"), column: stage.get("column") })));
  set(stage.root, { "aria-label": `The matrix product ${bare(product)}, number by number` });
  stage.root.append(html("div", { class: "xp-grid" }, picture.node, sum.node), tasks.node);
  return (state) => {
    const [i, j] = at(state);
    const factors = columnOf(B, j);
    const value = dot(A[i], factors);
    const digits = decimals([A, B].flat(2), 2);
    const terms = A[i].map((a, k) => times(a, factors[k], digits));
    const [row, column] = [text(rows[i]), text(columns[j])];
    picture.paint(i, j);
    const lines = A[i].map((a, k) => [`${summed} = ${k}`, terms[k], a * factors[k]]);
    sum.paint({ what: `${bare(product)}, row ${row}, column ${column}`, symbol: bare(product), written: stage.get("formula"), lines, value, line: stage.get("code"), how: addUp(lines.map(([, , term]) => printed(term, 3)), value, 3) ? "" : "≈" });
    const sign = addUp(A[i].map((a, k) => printed(a, digits) * printed(factors[k], digits)), value, digits) ? "=" : "≈";
    const done = tasks.paint({ number: numberAt(A, B, i, j), chosen });
    return `${bare(product)} of row ${row} and column ${column} is ${terms.join(" + ")} ${sign} ${fixed(value, digits)}: row ${i} of ${bare(one)} times column ${j} of ${bare(other)}.${done}`;
  };
}

export default explorable("A matrix product, number by number", names, build);
