/** Characters, words and bytes, as `tokenization/units.py` and `utf8.py` cut them; what a vocabulary lacks is `[UNK]`. */
import { found } from "./pieces.js";

// Python's \w and \s: letters, numbers and the underscore; white space with the four separators of old files.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WORD = new RegExp(`[\\p{L}\\p{N}_]+|[^\\p{L}\\p{N}_${SPACE}]`, "gu");
const CHARACTER = /./gsu;

const lookUp = (ids) => (piece) => ids.get(piece) ?? ids.get("[UNK]");

function byUnit(pattern, { ids }) {
  const idOf = lookUp(new Map(Object.entries(ids)));
  return (text) => found(text, pattern).map(([piece, start]) => ({ id: idOf(piece), start, end: start + [...piece].length }));
}

/** A token for each character. */
export const characterEncoder = (plain) => byUnit(CHARACTER, plain);

/** A token for each word or mark; white space is dropped. */
export const wordEncoder = (plain) => byUnit(WORD, plain);

/** A token for each byte; the bytes of one character have the same span. */
export const byteEncoder = () => (text) => {
  let at = -1;
  return Array.from(new TextEncoder().encode(text), (id) => {
    at += (id & 0xc0) !== 0x80; // a byte that begins with 10 goes on with a character
    return { id, start: at, end: at + 1 };
  });
};
