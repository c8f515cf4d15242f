/** Runs formulas for the build: one JSON request a line, one answer a line. */

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

import { keysOf, typeset } from "./marks.js";
import { FormulaError, read, readIdentity } from "./reader.js";
import { check } from "./checking.js";
import { library } from "./library.js";

const katex = createRequire(import.meta.url)(process.argv[2]);
const prepared = new Map();
let book;

const formulaOf = (tex, page, defines) => ({ page, defines, statements: (defines ? read : readIdentity)(katex, tex) });

/** Read every formula; those that cannot be read are answered with the reason. */
function load({ formulas, sizes }) {
  const problems = {};
  const readable = new Map();
  for (const [label, { tex, page, defines }] of Object.entries(formulas)) {
    try {
      readable.set(label, formulaOf(tex, page, defines));
    } catch (error) {
      problems[label] = error.message;
    }
  }
  book = library(readable, new Map(Object.entries(sizes)));
  return { problems };
}

/** Keep the cases of a formula. */
function prepare({ label, cases }) {
  prepared.set(label, cases);
  return {};
}

/** Run a formula of the book, or `tex` in its place, on its cases, up to one that differs by more than `tooFar`. */
function run({ label, tex, tooFar = Infinity }) {
  let worst = 0;
  let number = 0;
  try {
    const own = book.formulas.get(label);
    const formula = tex === undefined ? own : formulaOf(tex, own.page, own.defines);
    let overflows = true;
    for (const one of prepared.get(label)) {
      const outcome = check(book, formula, one);
      worst = Math.max(worst, outcome.worst);
      overflows &&= outcome.overflows;
      if (worst > tooFar) break;
      number += 1;
    }
    if (overflows) throw new FormulaError("one of its forms overflows in every case");
    return { worst: String(worst) };
  } catch (error) {
    if (!(error instanceof FormulaError) && error.name !== "ParseError") throw error;
    return { worst: "Infinity", case: number, problem: error.message };
  }
}

/** The functions that formulas define, and the labels of those that do. */
const definers = () => Object.fromEntries([...book.definers].filter(([name]) => name.endsWith("()")).map(([name, labels]) => [name.slice(0, -2), [...labels]]));

/** The names that cells of the notation give, as keys. */
const keys = ({ cells }) => ({ keys: cells.map((tex) => keysOf(katex, tex)) });

/** A formula typeset with its symbols marked, and the symbols in order. */
const mark = ({ tex, lexicon }) => typeset(katex, tex, lexicon);

const COMMANDS = { load, prepare, run, definers, keys, mark };

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
