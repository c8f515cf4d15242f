// node any_formula.mjs folder katex.min.js request.json: what the editor says of hundreds of texts that nobody would call a formula.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, katexPath, requestPath] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${folder}/explorables/editing/${file}`));
const { openBook, wantedParts } = await load("book.js");
const { judge, verdict } = await load("formula.js");
const { functionNames, understood } = await load("typed.js");
const katex = createRequire(import.meta.url)(katexPath);
const { formulas, runs, examples } = JSON.parse(readFileSync(requestPath, "utf8"));
const book = await openBook(katex, formulas);
const functions = functionNames(formulas);

function answer({ label, text }) {
  const { tex, page } = formulas[label];
  const [example, started] = [examples[label], performance.now()];
  try {
    const meant = understood(text, tex, functions);
    const wanted = wantedParts(example);
    const found = judge({ katex, book, functions }, { page }, meant, example, wanted);
    return { words: verdict(found, example, wanted, false), place: found.problem?.place, took: performance.now() - started };
  } catch (error) {
    return { thrown: `${error.stack}`.slice(0, 400), took: performance.now() - started };
  }
}

console.log(JSON.stringify(runs.map(answer)));
