/** SentencePiece with BPE inside, bytes for what has no piece, and no change of the text before, as `tokenization/sentencepiece.py` has it. */
import { found, inEachPiece } from "./pieces.js";

const SPACE_MARK = "▁";
const LITERAL = "\ud800"; // stands for a ▁ of the text itself, which must not come back as a space
const NORMAL = 1;
const WORD = /.[^▁]*/gsu;

/** Of all neighbours, merge the two that make the best piece, the first of them, until none make a piece. */
export function mergePieces(characters, scores) {
  const parts = [...characters];
  const worthOf = (i) => scores.get(parts[i] + parts[i + 1]) ?? -Infinity;
  const worth = parts.slice(1).map((_, i) => worthOf(i));
  while (worth.length) {
    let at = 0;
    for (let i = 1; i < worth.length; i += 1) if (worth[i] > worth[at]) at = i;
    if (worth[at] === -Infinity) break;
    parts.splice(at, 2, parts[at] + parts[at + 1]);
    worth.splice(at, 1);
    if (at > 0) worth[at - 1] = worthOf(at - 1);
    if (at < worth.length) worth[at] = worthOf(at);
  }
  return parts;
}

/** The ▁ in front is no character of the text, so a place in the marked text is one more than in the text. */
export function sentencePieceEncoder({ pieces, scores, kinds }) {
  const ids = new Map(pieces.map((piece, id) => [piece, id]));
  const worth = new Map(pieces.map((piece, id) => [piece, scores[id]]).filter((_, id) => kinds[id] === NORMAL));
  const firstByte = ids.get("<0x00>");
  const spelt = (piece) => Array.from(new TextEncoder().encode(piece === LITERAL ? SPACE_MARK : piece), (byte) => firstByte + byte);
  const cut = inEachPiece((word) => {
    let end = 0;
    return mergePieces(Array.from(word), worth).flatMap((piece) => {
      const start = end;
      end += Array.from(piece).length;
      const own = worth.has(piece) ? [ids.get(piece)] : spelt(piece);
      return own.map((id) => ({ id, start, end }));
    });
  });
  const inText = (place) => Math.max(0, place - 1);
  return (text) => {
    if (text === "") return [];
    const marked = SPACE_MARK + text.replaceAll(SPACE_MARK, LITERAL).replaceAll(" ", SPACE_MARK);
    return cut(found(marked, WORD)).map(({ id, start, end }) => ({ id, start: inText(start), end: inText(end) }));
  };
}
