/** Runs formulas for the build: one JSON request a line, one answer a line. */

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

import { keysOf, typeset } from "./marks.js";
import { FormulaError, read, readIdentity, whole } from "./reader.js";
import { check } from "./checking.js";
import { Gradients } from "./gradients.js";
import { forwardOf, library, values } from "./library.js";
import { partsOf, trace } from "./trace.js";
import { attempt } from "./scope.js";
import { toLists } from "./values.js";

const katex = createRequire(import.meta.url)(process.argv[2]);
const prepared = new Map();
let book;
let asked = new Set();

/** What formulas define, by name; takes down the names that somebody asks for, also those that nobody defines. */
class Definitions extends Map {
  get(name) {
    asked.add(name);
    return super.get(name);
  }
}

const formulaOf = ({ tex, page, defines, beside }) => ({ page, defines, beside, statements: (defines ? read : readIdentity)(katex, tex) });

/** An equation that speaks of what another formula speaks of stands after that formula's own statements. */
const withNeighbour = (formula) =>
  formula.beside ? { ...formula, statements: [...book.formulas.get(formula.beside).statements, ...formula.statements] } : formula;

/** Read every formula; those that cannot be read are answered with the reason. */
function load({ formulas, sizes }) {
  const problems = {};
  const readable = new Map();
  for (const [label, written] of Object.entries(formulas)) {
    try {
      readable.set(label, formulaOf(written));
    } catch (error) {
      problems[label] = error.message;
    }
  }
  book = library(readable, new Map(Object.entries(sizes)));
  book.definers = new Definitions(book.definers);
  book.asides = new Definitions(book.asides);
  return { problems };
}

/** Keep the cases of a formula. */
function prepare({ label, cases }) {
  prepared.set(label, opened(cases));
  return {};
}

/** Values whose arrays came as shape and bytes, with lists in lists for these. */
function opened(value) {
  if (typeof value !== "object" || value === null) return value;
  if (value.float64 !== undefined) return inLists(value.shape, fromBase64(value.float64));
  if (Array.isArray(value)) return value.map(opened);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, opened(part)]));
}

/** Numbers in a row as lists in lists of a shape. */
function inLists([length, ...shape], numbers) {
  if (length === undefined) return numbers[0];
  const size = numbers.length / length;
  return Array.from({ length }, (_, i) => (shape.length ? inLists(shape, numbers.subarray(i * size, (i + 1) * size)) : numbers[i]));
}

/** Run a formula of the book, or `tex` in its place, on its cases, up to one that differs by more than `tooFar`. */
function run({ label, tex, tooFar = Infinity }) {
  let worst = 0;
  let number = 0;
  asked = new Set();
  try {
    const own = book.formulas.get(label);
    const formula = withNeighbour(tex === undefined ? own : formulaOf({ ...own, tex }));
    formula.statements.forward = forwardOf(own.beside ?? label, book.formulas);
    let overflows = true;
    for (const one of prepared.get(label)) {
      const outcome = check(book, formula, one);
      worst = Math.max(worst, outcome.worst);
      overflows &&= outcome.overflows;
      if (worst > tooFar) break;
      number += 1;
    }
    if (overflows) throw new FormulaError("one of its forms overflows in every case");
    return { worst: String(worst), asked: [...asked] };
  } catch (error) {
    if (!(error instanceof FormulaError) && error.name !== "ParseError") throw error;
    return { worst: "Infinity", case: number, problem: error.message, asked: [...asked] };
  }
}

/** The parts of a formula, and what each of them is worth in the cases that are kept; nothing in one that cannot be run. */
function follow({ label }) {
  const formula = book.formulas.get(label);
  if (!formula) return { parts: [], cases: [] };
  formula.statements.forward = forwardOf(label, book.formulas);
  const parts = attempt(() => whole(() => partsOf(formula))) ?? [];
  const cases = prepared.get(label).map((one) => attempt(() => trace(book, formula, parts, one)) ?? []);
  const written = cases.map((one) => one.map((values) => runs(values).map(([number, shape, data]) => [[number, ...shape], inBase64(data)])));
  return { parts: parts.map(({ t, place, name, base, operator }) => ({ kind: t, place, name: name ?? base ?? operator })), cases: written };
}

/** Values in a row that have one shape, as one piece of numbers: how many there are, their shape, all of their numbers. */
function runs(values) {
  const found = [];
  for (const [shape, data] of values) {
    const last = found.at(-1);
    if (last && String(last[1]) === String(shape)) {
      last[0] += 1;
      for (const number of data) last[2].push(number);
    } else found.push([1, shape, [...data]]);
  }
  return found;
}

const fromBase64 = (text) => new Float64Array(new Uint8Array(Buffer.from(text, "base64")).buffer);

const inBase64 = (numbers) => Buffer.from(Float64Array.from(numbers).buffer).toString("base64");

/** The values of what a formula defines, by name; and the gradients of the parameters that are given, which the pullbacks that it calls leave. */
function evaluate({ label, given, names }) {
  try {
    const own = values(opened(given));
    const gradients = new Gradients(book, book.formulas.get(label), own);
    const found = names.map((name) => [name, toLists(gradients.value(name))]);
    return { values: Object.fromEntries(found), parameters: gradients.tape.length ? listed(gradients.like(own)) : {}, used: [label, ...gradients.used] };
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { problem: error.message };
  }
}

const listed = (tree) => Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, value.shape ? toLists(value) : listed(value)]));

/** The functions that formulas define, and the labels of those that do. */
const definers = () => Object.fromEntries([...book.definers].filter(([name]) => name.endsWith("()")).map(([name, labels]) => [name.slice(0, -2), [...labels]]));

/** All that formulas define for others, by name, and the labels of those that do. */
const definitions = () => Object.fromEntries([...book.asides, ...book.definers].map(([name]) => [name, [...new Set([...(book.definers.get(name) ?? []), ...(book.asides.get(name) ?? [])])]]));

/** The names that cells of the notation give, as keys. */
const keys = ({ cells }) => ({ keys: cells.map((tex) => keysOf(katex, tex)) });

/** A formula typeset with its symbols and some parts marked, and these in order. */
const mark = ({ tex, lexicon, parts }) => typeset(katex, tex, lexicon, parts);

const COMMANDS = { load, prepare, run, follow, evaluate, definers, definitions, keys, mark };

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = COMMANDS[request.command](request);
  } catch (error) {
    answer = { failure: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
