/** node driver.mjs folder katex.min.js: what the page's own grader, in `folder`, says of the candidates on standard input; one answer for each. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import { hinted } from "./hints.mjs";

const [folder, katexPath] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${folder}/explorables/editing/${file}`));
const { openBook } = await load("book.js");
const { asked, without } = await load("asked.js");
const { graded } = await load("grade.js");
const { functionNames } = await load("typed.js");
const { walk } = await import(pathToFileURL(`${folder}/formulas/walk.js`));
const { key } = await import(pathToFileURL(`${folder}/formulas/reader.js`));

const katex = createRequire(import.meta.url)(katexPath);
const { formulas, candidates } = JSON.parse(readFileSync(0, "utf8"));
const whole = await openBook(katex, formulas);
const functions = functionNames(formulas);
const mathml = (tex) => katex.renderToString(tex, { output: "mathml", throwOnError: false, strict: false }).replace(/<annotation[^]*?<\/annotation>|<\/?semantics>|<\/?span[^>]*>| xmlns="[^"]*"/g, "");

function answer({ label, name, cases, symbols, given }) {
  const printed = formulas[label].tex;
  const task = whole.formulas.has(label) ? asked(katex, formulas, label, name) : undefined;
  if (!task) return { kind: "unasked" };
  const reader = { katex, functions, printed, book: without(whole, formulas, label) };
  const kindOf = (text, some = cases) => graded(reader, task, some, [], text).kind;
  if (["0", "1", ...given.filter((one) => /^[A-Za-z]'?$/.test(one))].some((text) => kindOf(text) === "right")) return { kind: "trivial" };
  const off = cases.flatMap((one, i) => (kindOf(printed, [one]) === "right" ? [] : [i]));
  return { kind: kindOf(printed), off, left: mathml(task.left), symbols: symbols.map(mathml), ...hinted(task, given, { walk, key }) };
}

console.log(JSON.stringify(candidates.map(answer)));
