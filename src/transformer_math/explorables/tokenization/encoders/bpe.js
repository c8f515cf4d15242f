/** Byte-pair encoding of characters and of bytes, in GPT-2's chunks, as `tokenization/tokenizers.py` has them. */
import { encodeChunk, ranksOf } from "../formulas.js";
import { chunksOf, inEachPiece, lengthOf } from "./pieces.js";

/** Tokens of characters: a token spans as many as it has. A character without an id is `[UNK]`, the token 0. */
export function bpeEncoder({ tokens, merges }) {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const ranks = ranksOf(merges);
  const lengths = tokens.map((token, id) => (id === 0 ? 1 : lengthOf(token)));
  const cut = inEachPiece((chunk) => {
    const symbols = Array.from(chunk, (character) => ids.get(character) ?? 0);
    let start = 0;
    return encodeChunk(symbols, ranks).map((id) => ({ id, start, end: (start += lengths[id]) }));
  });
  return (text) => cut(chunksOf(text));
}

/** Tokens of bytes: a token spans every character of which it has a byte. */
export function byteBpeEncoder({ tokens, merges }) {
  const ranks = ranksOf(merges);
  const lengths = tokens.map(lengthOf); // GPT-2 writes each byte as one printable character
  const cut = inEachPiece((chunk) => {
    const bytes = Array.from(chunk, (character) => [...new TextEncoder().encode(character)]);
    const owner = bytes.flatMap((own, at) => own.map(() => at));
    let byte = 0;
    return encodeChunk(bytes.flat(), ranks).map((id) => {
      const start = owner[byte];
      byte += lengths[id];
      return { id, start, end: owner[byte - 1] + 1 };
    });
  });
  return (text) => cut(chunksOf(text));
}
