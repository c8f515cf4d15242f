/** The names in code that a task lists, each with the sign that it stands for: eps for ε, loss for ℒ, logits for the word. */
export const codeNames = (symbols) => symbols.flatMap((symbol) => [...inCode(symbol), ...asWord(symbol)]);

const SYMBOL = /^<math><mrow><mi( mathvariant="script")?>([^<]+)<\/mi><\/mrow><\/math>$/;

function inCode({ math, code }) {
  const name = /^<code>([A-Za-z_]{3,})<\/code>$/.exec(code)?.[1];
  const [, script, sign] = SYMBOL.exec(math) ?? [];
  return name && sign ? [[name, script ? `\\mathcal{${sign}}` : sign]] : [];
}

function asWord({ math }) {
  const word = /^<math><mrow><mtext>([A-Za-z]{3,})<\/mtext><\/mrow><\/math>$/.exec(math)?.[1];
  return word ? [[word, `\\text{${word}}`]] : [];
}
