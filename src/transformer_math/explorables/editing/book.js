/** Runs an edited formula as the build runs the printed one: KaTeX reads it, and it calls the other formulas of the book. */
import { check } from "../../formulas/checking.js";
import { library } from "../../formulas/library.js";
import { FormulaError, read } from "../../formulas/reader.js";
import { Arr } from "../../formulas/values.js";
import { range } from "../numbers.js";

export const SAME = 1e-9; // what differs by less is the same number
const STEPS = 120_000; // what one run may take
const SLICE = 8; // milliseconds of reading before the page gets its turn

const pause = () => new Promise((done) => setTimeout(done));

/** Whether an error is about the formula that was typed. */
export const isAboutFormula = (error) => error instanceof FormulaError || error?.name === "ParseError";

/** All formulas of the book, read a few at a time; those told in words cannot be read and are left out. */
export async function openBook(katex, formulas) {
  const readable = new Map();
  let since = performance.now();
  for (const [label, { tex, page }] of Object.entries(formulas)) {
    try {
      readable.set(label, formulaOf(katex, tex, page));
    } catch (error) {
      if (!isAboutFormula(error)) throw error;
    }
    if (performance.now() - since < SLICE) continue;
    await pause();
    since = performance.now();
  }
  return library(readable, new Map(Object.entries(formulas).map(([label, { sizes }]) => [label, sizes])));
}

const formulaOf = (katex, tex, page) => ({ page, defines: true, statements: read(katex, tex) });

/**
 * Run LaTeX on the cases of an example. Returns the values of each part, case after case, as `parts`; how far the two
 * sides of an equation are apart; and for each part whether its shape is the one wanted. Throws what is wrong with it.
 */
export function runExample(katex, book, page, tex, { common, cases }) {
  const formula = formulaOf(katex, tex, page);
  book.steps = STEPS;
  const found = cases.map(({ given, wanted }) => check(book, formula, { given: { ...common, ...given }, wanted }));
  const names = Object.keys(cases[0].wanted);
  const part = (values, name) => values.get(name) ?? [...values.values()][0]; // what the function gives may have a name of its own
  const parts = Object.fromEntries(names.map((name) => [name, found.flatMap(({ values }) => numbers(part(values, name)))]));
  return { parts, apart: Math.max(...found.map(({ apart }) => apart)) };
}

/**
 * The same where a formula says what one of several parts is, and leaves others unsaid: it is run for the part that it can
 * be. Returns `unsaid` too, the names of the others; throws what the whole run throws where it says none.
 */
export function runPartly(katex, book, page, tex, example) {
  const names = Object.keys(example.cases[0].wanted);
  try {
    return { ...runExample(katex, book, page, tex, example), unsaid: [] };
  } catch (error) {
    if (names.length === 1 || !(error instanceof FormulaError) || !/does not say what/.test(error.message)) throw error;
    for (const name of names) {
      const cases = example.cases.map(({ given, wanted }) => ({ given, wanted: { [name]: wanted[name] } }));
      const run = (text) => attempt(() => runExample(katex, book, page, text, { ...example, cases }));
      const found = run(tex) ?? (tex.includes("\\begin") ? undefined : run(`${name} = ${tex.split("=").at(-1)}`));
      const size = wantedParts({ cases })[name].length;
      if (found?.parts[name].length === size) return { ...found, unsaid: names.filter((other) => other !== name) };
    }
    throw error;
  }
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return undefined;
  }
}

export const numbers = (value) => (value instanceof Arr ? value.data.map(Number) : [Number(value)]);

/** How far each number is from the one that is wanted; one that is none is infinitely far. */
export const distances = (own, wanted) => own.map((x, i) => (x === wanted[i] ? 0 : Number.isNaN(x - wanted[i]) ? Infinity : Math.abs(x - wanted[i])));

/** The largest distance and all its places, up to rounding. */
export function farthest(apart) {
  const by = apart.reduce((a, b) => Math.max(a, b), 0);
  return { by, places: range(apart.length).filter((i) => apart[i] === by || by - apart[i] < SAME * Math.max(1, by)) };
}

/** What the function gave, part by part, in the order of `runExample`. */
export function wantedParts({ cases }) {
  const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);
  return Object.fromEntries(Object.keys(cases[0].wanted).map((name) => [name, cases.flatMap(({ wanted }) => flat(wanted[name]))]));
}

/** The known version that gave these numbers, as far as they are said: its fingerprint is that of `_example.py`. */
export function recognise(parts, known) {
  const own = Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, sums(values)]));
  const same = (a, b) => a.length === b.length && a.every((x, i) => Math.abs(x - b[i]) <= 1e-9 * Math.max(1, Math.abs(b[i])));
  return known.find(({ print }) => Object.entries(own).every(([name, values]) => same(values, print[name])));
}

export function sums(values) {
  const wave = (k) => values.reduce((sum, x, i) => sum + x * Math.cos((k + 1) * i + k), 0);
  return [values.length, wave(0), wave(1), wave(2)];
}
