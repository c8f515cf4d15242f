// node editing.mjs folder katex.min.js request.json: runs formulas with the page's own modules; one answer for each run.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, katexPath, requestPath] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${folder}/explorables/editing/${file}`));
const { isAboutFormula, openBook, recognise, runExample, sums } = await load("book.js");
const { edited, farthestElsewhere } = await load("formula.js");
const { functionNames } = await load("typed.js");
const { explained } = await load("words.js");
const katex = createRequire(import.meta.url)(katexPath);
const { formulas, runs, vectors } = JSON.parse(readFileSync(requestPath, "utf8"));
const book = await openBook(katex, formulas);

function answer({ label, replacements, tex, example }) {
  const { tex: printed, page } = formulas[label];
  const written = tex ?? edited(printed, replacements);
  const started = performance.now();
  try {
    const { parts, apart } = runExample(katex, book, page, written, example);
    const plain = Object.fromEntries(Object.entries(parts).map(([name, values]) => [name, values.map(String)]));
    const elsewhere = String(farthestElsewhere(katex, book, page, written, example.elsewhere));
    return { tex: written, parts: plain, apart: String(apart), elsewhere, known: recognise(parts, example.known) };
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return { tex: written, problem: explained(error, written, { symbols: Object.keys(example.common), functions: functionNames(formulas) }), took: performance.now() - started };
  }
}

console.log(JSON.stringify({ answers: runs.map(answer), sums: vectors.map(sums) }));
