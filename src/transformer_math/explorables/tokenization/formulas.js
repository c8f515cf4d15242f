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
    ids = mergePair(ids, best.pair, best.merged);
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

// ---- training, on a small corpus ----

/** The distinct words between spaces, each with its count, in the order in which they first appear. */
export function countWords(text) {
  const counts = new Map();
  for (const word of text.split(" ")) if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts];
}

/** The characters of the words, in the order of their code points: an id is a place in it. */
export function alphabetOf(words) {
  const letters = new Set(words.flatMap(([word]) => [...word]));
  return [...letters].sort((a, b) => a.codePointAt(0) - b.codePointAt(0));
}

/** Replace every neighbouring pair in a word, from left to right. */
export function mergePair(ids, [first, second], merged) {
  const out = [];
  for (let i = 0; i < ids.length; i += 1) {
    const here = ids[i] === first && ids[i + 1] === second;
    out.push(here ? merged : ids[i]);
    if (here) i += 1;
  }
  return out;
}

/** The pairs that stand side by side in the words, as [first, second, count]: the most frequent first, then the smallest ids. */
export function rankPairs(cut, counts) {
  const found = new Map();
  cut.forEach((ids, word) => {
    for (let i = 0; i + 1 < ids.length; i += 1) {
      const key = `${ids[i]} ${ids[i + 1]}`;
      const pair = found.get(key) ?? [ids[i], ids[i + 1], 0];
      pair[2] += counts[word];
      found.set(key, pair);
    }
  });
  return [...found.values()].sort((p, q) => q[2] - p[2] || p[0] - q[0] || p[1] - q[1]);
}

/** All merges of a small corpus, at most `most`: the tokens by id, and the words and the pairs before each merge and after the last. */
export function trainSteps(words, most) {
  const tokens = alphabetOf(words);
  const counts = words.map(([, count]) => count);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  let cut = words.map(([word]) => [...word].map((letter) => ids.get(letter)));
  const steps = [{ cut, pairs: rankPairs(cut, counts) }];
  while (steps.length <= most && steps.at(-1).pairs.length) {
    const [first, second] = steps.at(-1).pairs[0];
    const merged = tokens.push(tokens[first] + tokens[second]) - 1;
    cut = cut.map((word) => mergePair(word, [first, second], merged));
    steps.push({ cut, pairs: rankPairs(cut, counts) });
  }
  return { tokens, steps };
}
