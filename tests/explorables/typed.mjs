// node typed.mjs folder katex.min.js request.json: what typed texts are read as, and whether they give the book's numbers.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, katexPath, requestPath] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${folder}/explorables/editing/${file}`));
const { isAboutFormula, openBook, runPartly, wantedParts } = await load("book.js");
const { functionNames, understood } = await load("typed.js");
const { explained } = await load("words.js");
const katex = createRequire(import.meta.url)(katexPath);
const { formulas, runs } = JSON.parse(readFileSync(requestPath, "utf8"));
const book = await openBook(katex, formulas);
const functions = functionNames(formulas);

function answer({ label, typed, example }) {
  const { tex, page } = formulas[label];
  const read = understood(typed, tex, functions);
  if (!example) return { read };
  try {
    const { parts, unsaid } = runPartly(katex, book, page, read, example);
    const wanted = wantedParts(example);
    const apart = Object.entries(parts).map(([name, values]) => Math.max(...values.map((x, i) => Math.abs(x - wanted[name][i]))));
    return { read, unsaid, apart: Math.max(...apart) };
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return { read, problem: explained(error, read, { symbols: Object.keys({ ...example.common, ...example.cases[0].given }), functions }).words };
  }
}

console.log(JSON.stringify(runs.map(answer)));
