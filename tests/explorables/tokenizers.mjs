// node tokenizers.mjs folder vocabularies.bin texts.json: the tokens of every text in every tokenizer, as [[id, start, end], …]; and their names.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, vocabularies, texts] = process.argv.slice(2);
const { openTokenizers } = await import(pathToFileURL(`${folder}/tokenization/encoders/tokenizers.js`));
const opened = await openTokenizers(readFileSync(vocabularies));
const all = JSON.parse(readFileSync(texts, "utf8"));
const cut = ({ encode }) => all.map((text) => encode(text).map(({ id, start, end }) => [id, start, end]));
const report = Object.entries(opened).map(([name, tokenizer]) => [name, { names: tokenizer.names, unknown: tokenizer.unknown, cuts: cut(tokenizer) }]);
console.log(JSON.stringify(Object.fromEntries(report)));
