/** Byte-level BPE as `tokenization/byte_bpe.py` has it: the same chunks, the same merges, the same ids. */
import { range } from "../numbers.js";

// GPT-2's rule. JavaScript's \s has U+FEFF and lacks U+0085, so white space is spelled out as Unicode has it.
const SPACE = "\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const CHUNK = new RegExp(
  `'(?:[stmd]|re|ve|ll)| ?\\p{L}+| ?\\p{N}+| ?[^\\p{L}\\p{N}${SPACE}]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
  "gu",
);

/** Cut a text into chunks that a merge must not cross; together they are the text. */
export const pretokenize = (text) => text.match(CHUNK) ?? [];

const pairKey = (first, second) => first * 2 ** 20 + second;

/** The merges, each as [first id, second id, id of the merged token], by their pair: the rank, and what they make. */
export const ranksOf = (merges) =>
  new Map(merges.map(([first, second, merged], rank) => [pairKey(first, second), { rank, merged }]));

/** A byte-level tokenizer from its merges in the order of their ranks. */
export function makeBpe(merges) {
  const tokens = range(256).map((byte) => [byte]);
  for (const [first, second, merged] of merges) tokens[merged] = [...tokens[first], ...tokens[second]];
  return { tokens, ranks: ranksOf(merges) };
}

/** Of all neighbours, merge the pair that was learnt first, wherever it stands, until no pair has a rank. */
export function encodeChunk(symbols, ranks) {
  let ids = Array.from(symbols);
  for (;;) {
    let best;
    for (let i = 0; i + 1 < ids.length; i += 1) {
      const found = ranks.get(pairKey(ids[i], ids[i + 1]));
      if (found && (!best || found.rank < best.rank)) best = { ...found, pair: [ids[i], ids[i + 1]] };
    }
    if (!best) return ids;
    const out = [];
    for (let i = 0; i < ids.length; i += 1) {
      const here = ids[i] === best.pair[0] && ids[i + 1] === best.pair[1];
      out.push(here ? best.merged : ids[i]);
      if (here) i += 1;
    }
    ids = out;
  }
}

/** Any text as token ids. */
export function encodeText(text, { ranks }) {
  const bytes = (chunk) => new TextEncoder().encode(chunk);
  return pretokenize(text).flatMap((chunk) => encodeChunk(bytes(chunk), ranks));
}

/** The text behind token ids; bytes that are no UTF-8 become U+FFFD. */
export function decodeText(ids, { tokens }) {
  const bytes = Uint8Array.from(ids.flatMap((id) => tokens[id]));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
