/** Edits of printed formulas as fingers make them, run as the page runs them: which end in an error that is not in words? */
import { createRequire } from "node:module";

const [katexPath, folder] = process.argv.slice(2);
const katex = createRequire(import.meta.url)(katexPath);
const { openBook, runExample, isAboutFormula } = await import(`${folder}/explorables/editing/book.js`);
const { explained } = await import(`${folder}/explorables/editing/words.js`);

/** A small generator of random numbers (mulberry32): the same edits in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LAST = -1; // what is left when the step too many was refused

const pieces = (tex) => tex.match(/\\[A-Za-z]+\*?|\\.|\s+|\d+|./gsu) ?? [];

function* edits(tex, vocabulary, rounds, next) {
  const own = pieces(tex);
  const at = (some) => Math.floor(next() * some.length);
  for (let round = 0; round < rounds; round += 1) {
    const place = at(own);
    const other = at(own);
    const word = vocabulary[at(vocabulary)];
    yield own.toSpliced(place, 1).join("");
    yield own.toSpliced(place, 1 + Math.floor(next() * 6)).join("");
    yield own.toSpliced(place, 0, word).join("");
    yield own.toSpliced(place, 1, word).join("");
    yield own.with(place, own[other]).with(other, own[place]).join("");
    yield own.slice(0, place).join("");
    yield own.slice(place).join("");
    yield own.toSpliced(place, 0, ...own.slice(Math.min(place, other), Math.max(place, other))).join("");
  }
}

let text = "";
for await (const chunk of process.stdin) text += chunk;
const { formulas, cases, texts, seed, rounds } = JSON.parse(text);
const book = await openBook(katex, formulas);
const commands = Object.values(formulas).flatMap(({ tex }) => pieces(tex));
const vocabulary = [...new Set([...commands, ..."{}[]()|^_&'=<>+-/*~%#$.,;:!?", "7", "\\sqrt", "\\frac", "\\overline", "\\left", "\\right", "\\begin{cases}", "\\end{cases}", "\\dots", "\\in", "\\partial", "x^{", "é", "🐋"])];
const next = random(seed);
const [faults, words] = [[], new Map()];
let tried = 0;

function attempt(label, tex) {
  tried += 1;
  try {
    runExample(katex, book, formulas[label].page, tex, cases[label]);
  } catch (error) {
    if (!isAboutFormula(error)) return faults.push({ label, tex, error: error.stack });
    const said = explained(error, tex).words;
    if (!said.trim() || /undefined|\[object|NaN/.test(said)) faults.push({ label, tex, error: `it says: ${said}` });
    words.set(said.replace(/^At .*?”: /s, ""), tex);
  }
  if (book.steps < LAST) faults.push({ label, tex, error: `it went on for ${LAST - book.steps} steps after its last` });
}

for (const label of Object.keys(cases)) for (const tex of edits(formulas[label].tex, vocabulary, rounds, next)) attempt(label, tex);
const said = texts.map(([label, tex]) => {
  const before = faults.length;
  attempt(label, tex);
  if (faults.length > before) return faults.at(-1).error;
  try {
    runExample(katex, book, formulas[label].page, tex, cases[label]);
    return "";
  } catch (error) {
    return explained(error, tex).words;
  }
});
process.stdout.write(JSON.stringify({ tried, faults, said, words: [...words] }));
