/** Grades what a reader writes in place of a printed formula: it runs on cases of the checks, as the build runs the print. */
import { check } from "../../formulas/checking.js";
import { isDefinition, nameOf } from "../../formulas/definitions.js";
import { FormulaError, key, read } from "../../formulas/reader.js";
import { fromLists, shapeOf } from "../../formulas/values.js";
import { walk } from "../../formulas/walk.js";
import { heads } from "./asked.js";
import { distances, farthest, isAboutFormula, numbers, recognise, SAME } from "./book.js";
import { tooDeep } from "./brackets.js";
import { asksWhatIsHeld, holdsOtherwise } from "./held.js";
import { written } from "./lines.js";
import { asSigma, logistic } from "./logistic.js";
import { squeezed, understood } from "./typed.js";
import { explained } from "./words.js";

const STEPS = 30_000; // what one case may take
const UNBOUNDED = 1e6; // stands for ∞ among the numbers that are compared with those of wrong versions

function callsOf(parts) {
  const names = new Set();
  walk(parts, (node) => node.t === "call" && names.add(nameOf(node)));
  return names;
}

/** The function asked for, where an answer calls it instead of saying what it does. */
function callOfItself(statements, task) {
  let found;
  const bodies = statements.filter(isDefinition).map(({ parts }) => parts.slice(1));
  walk(bodies, (node) => {
    if (node.t === "call" && node.args && task.own.includes(nameOf(node))) found ??= node.name;
  });
  return found;
}

/** The other function of the book that an answer calls with what goes in, and does nothing else; none that the formula calls, too. */
function callAlone(statements, task, book) {
  const body = statements[0]?.parts?.at(-1);
  const isPlain = body?.t === "call" && body.args?.every(({ t }) => t === "sym");
  return isPlain && book.definers.has(`${nameOf(body)}()`) && !callsOf(task.bodies).has(nameOf(body)) ? body.name : undefined;
}

/** The statements in the order in which they are run: first what is asked for. */
function ordered(statements, task) {
  const own = heads(statements).find(({ found }) => found && [...task.names, ...task.own].includes(found.name));
  const aim = statements.find(({ parts }) => parts && parts === own?.parts);
  return aim ? [aim, ...statements.filter((one) => one !== aim)] : statements;
}

/**
 * Grades a text, case by case: a generator, so that a page may draw a frame between two of them. It returns the kind of the
 * verdict, "empty", "unread" (with `problem`), "copied" (with `name`), "right", "held" (right, but for where gradients
 * are stopped) or "wrong", and what was `meant`.
 */
export function* grading({ katex, book, functions, printed, codes }, task, cases, known, text) {
  if (!text.trim()) return { kind: "empty" };
  const meant = asSigma(understood(text, printed, functions, codes));
  if (squeezed(meant) === squeezed(task.left.replace("=", ""))) return { kind: "copied", name: text.trim(), meant };
  const tex = written(meant, task.left);
  const deep = tooDeep(tex);
  if (deep) return { kind: "unread", problem: { words: deep, place: [0, text.length] }, meant };
  try {
    const own = ordered(read(katex, tex), task);
    const itself = callOfItself(own, task);
    if (itself) return { kind: "copied", name: itself, meant };
    const statements = [...own, ...task.ranges, ...logistic(katex, own, cases[0].given)];
    const runOf = (lines, one) => [book, { page: task.page, defines: true, statements: unsaid(lines, one.given, task.forward) }, task.names, one];
    const results = [];
    for (const one of cases) {
      yield;
      const run = runOf(statements, one);
      results.push({ ...runOne(...run), overflows: () => overflows(...run) });
    }
    const found = compared(results, known);
    const alone = found.kind === "right" && callAlone(own, task, book);
    if (alone) return { kind: "copied", name: alone, meant };
    const all = (lines) => () => cases.map((one) => runOne(...runOf(lines, one)).own);
    const isHeld = found.kind === "right" && asksWhatIsHeld(book, task.page) && holdsOtherwise(katex, book, all(statements), all(read(katex, printed)));
    return isHeld ? { kind: "held", meant } : { ...found, meant };
  } catch (error) {
    const problem = isAboutFormula(error) ? explained(error, tex, { symbols: Object.keys(cases[0].given), functions }) : { words: "It cannot be computed as it stands.", place: [0, tex.length], error };
    return { kind: "unread", problem: { ...problem, ...inText(problem, tex, text) }, meant };
  }
}

/** The place of what is wrong, in the text that was typed: all of it where that is not what was read. */
function inText({ words, place }, tex, text) {
  const from = tex.endsWith(text) ? tex.length - text.length : undefined;
  return { words, place: from === undefined ? [0, text.length] : place.map((at) => Math.max(0, at - from)) };
}

/** The verdict at once. */
export function graded(...all) {
  const steps = grading(...all);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** One case: what was asked for may go by its own name, or be what a function gives. */
function runOne(book, formula, names, { given, wanted }) {
  for (const [i, own] of names.entries()) {
    try {
      book.steps = STEPS;
      const { worst, values } = check(book, formula, { given, wanted: { [own]: wanted } });
      return { worst, own: [...values.values()][0], wanted: fromLists(wanted) };
    } catch (error) {
      if (i === names.length - 1 || !(error instanceof FormulaError) || !/does not say what/.test(error.message)) throw error;
    }
  }
}

/** Whether an exponential of the answer's own overflows in a case. */
function overflows(book, formula, names, one) {
  let found = false;
  book.seen = (node, value, { foreign }) => (found ||= !foreign && isExponential(node) && numbers(value).includes(Infinity));
  try {
    runOne(book, formula, names, one);
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return false; // watched, it takes more steps than one run may take
  } finally {
    delete book.seen;
  }
  return found && isBounded(one.given);
}

/** What is infinite from the start has not overflowed; as JSON, ∞ is a word. */
const isBounded = (given) => !JSON.stringify(given).includes("Infinity");

const isExponential = ({ t, base, name }) => (t === "sym" && base === "e") || (t === "call" && name === "exp");

/** ε = 10⁻⁵ says what holds where no other value is given; here one is. */
function unsaid(statements, given, forward) {
  const isSaid = ({ parts, relations }, i) => i > 0 && relations?.[0] === "=" && parts[0].t === "sym" && key([parts[0]]) in given;
  return Object.assign(statements.filter((one, i) => !isSaid(one, i)), { forward });
}

/** All cases together: right, or the largest difference and its place, and the wrong version that gives the same. */
function compared(results, known) {
  const count = results.length;
  const [worst, failed] = [worstOf(results), results.filter(isOff).length];
  if (!failed) return { kind: "right", worst, count };
  const version = recognised(results.map(({ own }) => own), known);
  const rest = results.filter(keepsFinite);
  const onlyInfinite = rest.length > 0 && !rest.some(isOff); // off nowhere but where a number is infinite, or none
  if (/overflow/.test(version?.says) && onlyInfinite) return { kind: "right", worst: worstOf(rest), count, overflows: version.says };
  const onlyOverflow = failed < count && results.every((one) => !isOff(one) || one.overflows());
  return { kind: "wrong", count, failed, onlyInfinite, onlyOverflow, ...furthest(results), known: version };
}

/** Whether a result is finite wherever it should be. */
function keepsFinite({ own, wanted }) {
  const right = numbers(wanted);
  return numbers(own).every((x, i) => Number.isFinite(x) || x === right[i]);
}

const worstOf = (results) => Math.max(...results.map(({ worst }) => worst));
const isOff = ({ worst }) => !(worst < SAME);

/** The wrong version that gives these results, one for each case. */
export const recognised = (results, known) => recognise({ it: results.flatMap((own) => numbers(own).map(bounded)) }, known);

const bounded = (x) => (Number.isFinite(x) ? x : Number.isNaN(x) ? 2 * UNBOUNDED : Math.sign(x) * UNBOUNDED);

/** Whether a result has another shape than what is wanted; a single number may have any. */
const isOtherwiseShaped = ({ own, wanted }) => numbers(own).length !== numbers(wanted).length || (shapeOf(own) !== shapeOf(wanted) && numbers(own).length > 1);

/** Where results are furthest from what is wanted, both numbers, and how many other places are as far; or the shapes, where these differ. */
function furthest(results) {
  const odd = results.findIndex(isOtherwiseShaped);
  if (odd >= 0) return { case: odd, shapes: [results[odd].own, results[odd].wanted].map(shapeOf) };
  const all = results.flatMap(numbersOf);
  const { by, places } = farthest(distances(all.map(({ mine }) => mine), all.map(({ right }) => right)));
  return { ...all[places[0]], by, others: places.length - 1 };
}

/** Each number of a case with the one that is wanted, and its place. */
function numbersOf({ own, wanted }, number) {
  const right = numbers(wanted);
  return numbers(own).map((mine, i) => ({ case: number, at: placeIn(wanted.shape ?? [], i), mine, right: right[i] }));
}

function placeIn(shape, at) {
  const place = [];
  for (const length of [...shape].reverse()) {
    place.unshift(at % length);
    at = Math.floor(at / length);
  }
  return place;
}
