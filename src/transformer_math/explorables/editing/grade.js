/** Grades what a reader writes in place of a printed formula: it runs on cases of the checks, as the build runs the print. */
import { check } from "../../formulas/checking.js";
import { isConstant, isDefinition, nameOf, target } from "../../formulas/definitions.js";
import { library } from "../../formulas/library.js";
import { family } from "../../formulas/names.js";
import { FormulaError, key, read } from "../../formulas/reader.js";
import { difference, fromLists, shapeOf } from "../../formulas/values.js";
import { walk } from "../../formulas/walk.js";
import { isAboutFormula, numbers, recognise } from "./book.js";
import { understood } from "./typed.js";
import { explained } from "./words.js";

const STEPS = 30_000; // what one case may take
const SAME = 1e-9;
const UNBOUNDED = 1e6; // stands for ∞ among the numbers that are compared with those of wrong versions

// ---- what is asked ----

const never = () => false;
const heads = (statements) => statements.filter(isDefinition).map((statement) => ({ ...statement, found: target(statement.parts[0], never) }));
const isFunction = ({ found }) => found?.kind === "function" && !found.local;
const isNamed = (part, name) => part.t === "sym" && key([part]) === name;

/**
 * What a printed formula asks of whoever writes it anew: `left`, the LaTeX up to the sign behind it; `name` under which
 * its value is compared; `own`, the names of the functions that it defines; `ranges`, how far its indices run.
 */
export function asked(katex, formulas, label, name) {
  const { tex, page } = formulas[label];
  const statements = read(katex, tex);
  const all = heads(statements);
  const aim = aimed(all, name);
  if (!aim?.found) return undefined; // an identity of two sides: either is an answer
  return {
    left: leftOf(tex, (aim.beside ?? aim.parts[0]).place[0]),
    names: [...new Set([name, ...(aim.found && !isFunction(aim) ? [aim.found.name] : []), "result"])],
    page,
    body: whole(aim.beside ? aim.parts[aim.parts.indexOf(aim.beside) + 1] : aim.parts[1], all),
    bodies: all.map(({ parts, relations }) => parts.slice(1).filter((_, i) => relations[i] !== "\\in")),
    own: all.filter(isFunction).map(({ found }) => found.name),
    forward: forwardOf(katex, formulas, label),
    ranges: statements.filter(({ kind }) => kind === "range"),
  };
}

/** What stands for a name that another line defines. */
const whole = (body, all) => all.find(({ found }) => body.t === "sym" && found?.kind === "name" && found.name === key([body]))?.parts[1] ?? body;

/** What the formula of a function defines is known where its pullback is written. */
function forwardOf(katex, formulas, label) {
  const forward = label.endsWith("-vjp") ? label.slice(0, -"-vjp".length) : undefined;
  return formulas[forward] && { label: forward, statements: read(katex, formulas[forward].tex) };
}

/** The statement that says what `name` is; where a function is O = …, O is it. */
function aimed(all, name) {
  if (name === "result") return all.find(isFunction) ?? all[0];
  const own = all.find(({ found, parts }) => found?.name === name || found?.name === family(name) || isNamed(parts[0], name));
  if (own) return own;
  const other = all.find(({ parts }) => parts.slice(1, -1).some((part) => isNamed(part, name)));
  return other && { ...other, beside: other.parts.find((part) => isNamed(part, name)) };
}

/** All formulas of the book but one: who is to write it cannot call it. */
export const without = (book, formulas, label) =>
  library(new Map([...book.formulas].filter(([other]) => other !== label)), new Map(Object.entries(formulas).map(([other, { sizes }]) => [other, sizes])));

// ---- what was written ----

const OPENING = /^(?:[{([]|\\begin|\\left|\\\{)$/;
const CLOSING = /^(?:[})\]]|\\end|\\right|\\\})$/;
const SIGNS = /\\begin|\\end|\\left(?![A-Za-z])\s*\\?.|\\right(?![A-Za-z])\s*\\?.|\\\\|\\[{}]|\\leftarrow|[{}()[\]=\n]/g;

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

/** The left side of the statement that stands at a place of printed LaTeX, with the sign behind it. */
function leftOf(tex, at) {
  let [depth, from] = [0, 0];
  for (const { 0: sign, index } of tex.matchAll(PARTS)) {
    const bare = bareSign(sign);
    const isRelation = bare === "=" || bare === "\\leftarrow";
    if (OPENING.test(bare)) depth += 1;
    else if (CLOSING.test(bare)) depth -= 1;
    else if (depth === 0 && index < at) from = index + sign.length;
    else if (depth === 0 && isRelation) return tex.slice(from, index + sign.length).replace(/&/g, "").trim();
  }
  return tex.slice(from);
}

/** The LaTeX that a text stands for: the first line that defines nothing is what is asked for. */
export function written(text, left) {
  if (/^\s*\\begin\{(?:aligned|gathered|split|array)\}/.test(text)) return text;
  const lines = linesOf(text);
  const aim = lines.find(({ says }) => !says);
  const all = lines.map((line) => (line === aim ? `${left} ${line.text}` : line.text));
  return all.length > 1 ? `\\begin{gathered} ${all.join(" \\\\ ")} \\end{gathered}` : (all[0] ?? "");
}

/** The name by which an answer only calls what it should say: the function's own, or another of the book for the same arguments. */
function copied(statements, task, book) {
  let found;
  const bodies = statements.filter(isDefinition).map(({ parts }) => parts.slice(1));
  walk(bodies, (node) => {
    if (node.t === "call" && node.args && task.own.includes(nameOf(node))) found ??= node.name;
  });
  const body = statements[0]?.parts?.at(-1);
  const isPlain = body?.t === "call" && body.args?.every(({ t }) => t === "sym") && book.definers.has(`${nameOf(body)}()`);
  return found ?? (isPlain ? body.name : undefined);
}

/** The statements in the order in which they are run: first what is asked for, and the printed ranges before all. */
function ordered(statements, task) {
  const own = heads(statements).find(({ found }) => found && [...task.names, ...task.own].includes(found.name));
  const aim = statements.find(({ parts }) => parts && parts === own?.parts);
  return aim ? [aim, ...statements.filter((one) => one !== aim)] : statements;
}

const squeezed = (tex) => tex.replace(/\s|\\[,;!]/g, "");

// ---- the verdict ----

/**
 * Grades a text, case by case: a generator, so that a page may draw a frame between two of them. It returns the kind of the
 * verdict, "empty", "unread" (with `problem`), "copied" (with `name`), "right" or "wrong", and what was `meant`.
 */
export function* grading({ katex, book, functions, printed }, task, cases, known, text) {
  if (!text.trim()) return { kind: "empty" };
  const meant = understood(text, printed, functions);
  if (squeezed(meant) === squeezed(task.left.replace("=", ""))) return { kind: "copied", name: text.trim(), meant };
  const tex = written(meant, task.left);
  try {
    const own = ordered(read(katex, tex), task);
    const name = copied(own, task, book);
    if (name) return { kind: "copied", name, meant };
    const statements = [...task.ranges, ...own];
    const results = [];
    for (const one of cases) {
      yield;
      results.push(runOne(book, { page: task.page, defines: true, statements: unsaid(statements, one.given, task.forward) }, task.names, one));
    }
    return { ...compared(results, known), meant };
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return { kind: "unread", problem: inText(explained(error, tex), tex, text), meant };
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

/** ε = 10⁻⁵ says what holds where no other value is given; here one is. */
function unsaid(statements, given, forward) {
  const isSaid = ({ parts }) => parts?.length === 2 && isConstant(parts[1]) && parts[0].t === "sym" && key([parts[0]]) in given;
  return Object.assign(statements.filter((one) => !isSaid(one)), { forward });
}

/** All cases together: right, or the largest difference and its place, and the wrong version that gives the same. */
function compared(results, known) {
  const worst = Math.max(...results.map((one) => one.worst));
  if (worst < SAME) return { kind: "right", worst, count: results.length };
  const number = results.findIndex((one) => one.worst === worst);
  return { kind: "wrong", worst, count: results.length, failed: results.filter((one) => !(one.worst < SAME)).length, ...furthest(results[number]), case: number, known: recognised(results.map(({ own }) => own), known) };
}

/** The wrong version that gives these results, one for each case. */
export const recognised = (results, known) => recognise({ it: results.flatMap((own) => numbers(own).map(bounded)) }, known);

const bounded = (x) => (Number.isFinite(x) ? x : Number.isNaN(x) ? 2 * UNBOUNDED : Math.sign(x) * UNBOUNDED);

/** Where a result is furthest from what is wanted, and both numbers; or their shapes, where these differ. */
function furthest({ own, wanted }) {
  const shapes = [own, wanted].map(shapeOf);
  const [mine, right] = [own, wanted].map(numbers);
  if (mine.length !== right.length || (shapes[0] !== shapes[1] && mine.length > 1)) return { shapes };
  const apart = mine.map((x, i) => difference(x, right[i]));
  const at = apart.indexOf(Math.max(...apart));
  return { at: placeIn(wanted.shape ?? [], at), mine: mine[at], right: right[at] };
}

function placeIn(shape, at) {
  const place = [];
  for (const length of [...shape].reverse()) {
    place.unshift(at % length);
    at = Math.floor(at / length);
  }
  return place;
}
