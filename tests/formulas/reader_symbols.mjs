/** The symbols that the reader of formulas sees: for each LaTeX that comes as JSON, the letters of all names. */
import { createRequire } from "node:module";

const [katexPath, readerPath] = process.argv.slice(2);
const katex = createRequire(import.meta.url)(katexPath);
const { read } = await import(readerPath);

function walk(node, found) {
  if (!node || typeof node !== "object") return found;
  if (Array.isArray(node)) {
    for (const part of node) walk(part, found);
    return found;
  }
  if (node.t === "sym" && !["infty", "prime"].includes(node.base)) found.push(node.base);
  if ((node.t === "call" || node.t === "quantity") && node.name) found.push(node.name.replace(/\[.*/, ""));
  for (const [name, part] of Object.entries(node)) {
    if (!["sup", "sub", "place", "power", "indices"].includes(name)) walk(part, found);
  }
  return found;
}

let text = "";
for await (const chunk of process.stdin) text += chunk;
const answers = JSON.parse(text).map((tex) => walk(read(katex, tex), []));
process.stdout.write(JSON.stringify(answers));
