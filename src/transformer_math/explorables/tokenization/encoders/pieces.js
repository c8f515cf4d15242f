/** A text in pieces: where each stands, counted in characters (code points), and what was made of it before. */
import { pretokenize } from "../formulas.js";

/** How many characters a text has: JavaScript counts those beyond the first 65,536 twice. */
export function lengthOf(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The matches of a pattern as [piece, start], from left to right; what lies between two matches is passed over. */
export function found(text, pattern) {
  const pieces = [];
  let [units, start] = [0, 0];
  for (const { 0: piece, index } of text.matchAll(pattern)) {
    start += lengthOf(text.slice(units, index));
    pieces.push([piece, start]);
    start += lengthOf(piece);
    units = index + piece.length;
  }
  return pieces;
}

/** GPT-2's chunks as [chunk, start]; together they are the text. */
export function chunksOf(text) {
  let start = 0;
  return pretokenize(text).map((chunk) => {
    const at = start;
    start += lengthOf(chunk);
    return [chunk, at];
  });
}

const MOST = 20_000; // pieces that are remembered

/** Cut each piece once, however often it comes: `cut(piece)` gives tokens { id, start, end } from the piece's beginning. */
export function inEachPiece(cut) {
  const known = new Map();
  const tokensOf = (piece) => {
    if (known.size > MOST) known.clear();
    if (!known.has(piece)) known.set(piece, cut(piece));
    return known.get(piece);
  };
  return (pieces) =>
    pieces.flatMap(([piece, at]) => tokensOf(piece).map(({ id, start, end }) => ({ id, start: at + start, end: at + end })));
}
