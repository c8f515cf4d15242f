// node write.mjs folder katex.min.js request.json: what the page's grader says of answers, what it recognises, and what ended in an error.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, katexPath, requestPath] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${folder}/explorables/editing/${file}`));
const { openBook } = await load("book.js");
const { asked, without } = await load("asked.js");
const { graded, recognised } = await load("grade.js");
const { codeNames } = await load("codes.js");
const { SIGMOID } = await load("logistic.js");
const { functionNames } = await load("typed.js");
const { fromLists } = await import(pathToFileURL(`${folder}/formulas/values.js`));
const katex = createRequire(import.meta.url)(katexPath);
const { formulas, tasks, answers, wrong } = JSON.parse(readFileSync(requestPath, "utf8"));
const whole = await openBook(katex, formulas);
const functions = [...functionNames(formulas), SIGMOID];

const known = new Map(tasks.map((task) => [task.label, task]));
const opened = new Map();

function open(label) {
  if (!opened.has(label)) opened.set(label, asked(katex, formulas, label, known.get(label).name));
  const book = without(whole, formulas, label);
  return { asking: opened.get(label), reader: { katex, functions, book, printed: formulas[label].tex, codes: codeNames(known.get(label).symbols) } };
}

/** "$printed" and "$left" stand for the formula and for its left side. */
const textOf = (text, label, { left }) => text.replace("$printed", () => formulas[label].tex).replace("$left", () => left.replace(/(?:=|\\leftarrow|\\approx)$/, ""));

function answer({ label, text }) {
  const { asking, reader } = open(label);
  const { cases, known: told } = known.get(label);
  try {
    const { kind, problem, name, overflows, onlyInfinite, onlyOverflow, known: version } = graded(reader, asking, cases, told, textOf(text, label, asking));
    if (problem?.error) throw problem.error;
    return { kind, why: problem?.words ?? name ?? overflows ?? version?.says, place: problem?.place, left: asking.left, onlyInfinite, onlyOverflow };
  } catch (error) {
    return { kind: "fault", why: error.stack };
  }
}

const found = wrong.map(({ label, results }) => recognised(results.map(fromLists), known.get(label).known)?.says);
console.log(JSON.stringify({ answers: answers.map(answer), recognised: found }));
