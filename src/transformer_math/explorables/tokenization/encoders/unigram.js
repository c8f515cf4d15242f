/** Unigram, as `tokenization/unigram.py` has it: of all segmentations of a chunk, the most probable one. */
import { chunksOf, inEachPiece } from "./pieces.js";

const PENALTY = 10; // nats that a character without a piece costs more than the rarest piece

/** The score of every piece; what only begins a piece has −∞. */
export function scoresOf(pieces, logProbabilities) {
  const scores = new Map();
  for (const piece of pieces) {
    let beginning = "";
    for (const character of piece) scores.set((beginning += character), -Infinity);
  }
  pieces.forEach((piece, i) => scores.set(piece, logProbabilities[i]));
  return scores;
}

/** The places at which the most probable segmentation cuts; of equals, the one with the longest last piece. */
export function bestCuts(characters, scores, unknown) {
  const n = characters.length;
  const best = [0, ...Array(n).fill(-Infinity)];
  const back = Array(n + 1).fill(0);
  const reach = (i, j, score) => {
    if (best[i] + score > best[j]) [best[j], back[j]] = [best[i] + score, i];
  };
  for (let i = 0; i < n; i += 1) {
    let piece = "";
    for (let j = i + 1; j <= n && scores.has((piece += characters[j - 1])); j += 1) reach(i, j, scores.get(piece));
    reach(i, i + 1, unknown); // no piece costs as much, so this counts where there is none
  }
  const cuts = [n];
  while (cuts[0] > 0) cuts.unshift(back[cuts[0]]);
  return cuts;
}

/** A piece is its number after the 256 bytes, with which a character without a piece is written. */
export function unigramEncoder({ pieces, log_probabilities: logProbabilities }) {
  const scores = scoresOf(pieces, logProbabilities);
  const ids = new Map(pieces.map((piece, i) => [piece, 256 + i]));
  const unknown = Math.min(...logProbabilities) - PENALTY;
  const cut = inEachPiece((chunk) => {
    const characters = Array.from(chunk);
    const cuts = bestCuts(characters, scores, unknown);
    return cuts.slice(1).flatMap((end, k) => {
      const [start, piece] = [cuts[k], characters.slice(cuts[k], end).join("")];
      const own = ids.has(piece) ? [ids.get(piece)] : [...new TextEncoder().encode(piece)];
      return own.map((id) => ({ id, start, end }));
    });
  });
  return (text) => cut(chunksOf(text));
}
