/** How many steps a formula takes on a case: steps.mjs KATEX FOLDER '{"tex": …, "given": …, "wanted": …}'. */
import { createRequire } from "node:module";

const [katexPath, folder, request] = process.argv.slice(2);
const katex = createRequire(import.meta.url)(katexPath);
const { openBook, runExample } = await import(`${folder}/explorables/editing/book.js`);
const { tex, given, wanted } = JSON.parse(request);

const steps = async (own) => {
  const book = await openBook(katex, {});
  runExample(katex, book, "page", own, { common: {}, cases: [{ given, wanted }] });
  return book.steps;
};
process.stdout.write(String((await steps("s = x")) - (await steps(tex))));
