/** WordPiece, as `tokenization/word_piece.py` has it: BERT's words, each cut from the left into the longest pieces. */
import { found, inEachPiece } from "./pieces.js";

const MARKS = "!-\\/:-@\\[-`\\{-~\\p{P}";
const SPACE = "\\t\\n\\r\\x20\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const IDEOGRAPHS =
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}";
const WORD = new RegExp(`[${MARKS}${IDEOGRAPHS}]|[^${MARKS}${IDEOGRAPHS}${SPACE}]+`, "gu");
const DELETED = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}]/u; // control codes stand in words, and are no part of them

/** Where the longest piece ends that begins at `start`; 0 where no piece fits. */
function longestPiece(characters, start, ids, mark, longest) {
  for (let end = Math.min(characters.length, start + longest); end > start; end -= 1) {
    if (ids.has(mark + characters.slice(start, end).join(""))) return end;
  }
  return 0;
}

/** A word that cannot be cut to its end, or is too long, is one `[UNK]`. */
export function wordPieceEncoder({ vocabulary, unknown, prefix, longest_word: longestWord }) {
  const ids = new Map(Object.entries(vocabulary));
  const longest = Math.max(...Array.from(ids.keys(), (piece) => piece.length));
  const cutWord = (characters) => {
    const whole = [{ id: ids.get(unknown), start: 0, end: characters.length }];
    if (characters.length > longestWord) return whole;
    const tokens = [];
    for (let start = 0; start < characters.length; ) {
      const mark = start ? prefix : "";
      const end = longestPiece(characters, start, ids, mark, longest);
      if (end === 0) return whole;
      tokens.push({ id: ids.get(mark + characters.slice(start, end).join("")), start, end });
      start = end;
    }
    return tokens;
  };
  const cut = inEachPiece((word) => {
    const all = Array.from(word);
    const places = all.flatMap((character, place) => (DELETED.test(character) ? [] : [place]));
    if (places.length === 0) return [];
    const tokens = cutWord(places.map((place) => all[place]));
    return tokens.map(({ id, start, end }) => ({ id, start: places[start], end: places[end - 1] + 1 }));
  });
  return (text) => cut(found(text, WORD));
}
