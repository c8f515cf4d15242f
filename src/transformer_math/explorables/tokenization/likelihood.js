/** What WordPiece and BPE merge next, as `tokenization/likelihood.py` and `word_piece_training.py` have it. */

const SPACE = "\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"; // as Unicode has it
const MARK = "!-/:-@\\[-`{-~\\p{P}";
const IDEOGRAPH =
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ceaf}\\u{2f800}-\\u{2fa1f}";
const CHUNK = new RegExp(`[${MARK}${IDEOGRAPH}]|[^${MARK}${IDEOGRAPH}${SPACE}]+`, "gu");
const DELETED = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}]/gu;

/** BERT's words: cut at white space, around every punctuation mark and every ideograph; control codes are deleted. */
export const bertWords = (text) => text.replace(DELETED, "").match(CHUNK) ?? [];

/** The distinct words of a text in the order in which they come, as rows of characters with their counts. */
export function countedRows(text, marks) {
  const counts = new Map();
  for (const word of bertWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const marked = (word) => [...word].map((character, i) => (marks && i > 0 ? `##${character}` : character));
  return [...counts].map(([word, count]) => ({ tokens: marked(word), count }));
}

/** The piece that two neighbours make. */
export const joinPieces = (a, b, marks) => a + (marks && b.startsWith("##") ? b.slice(2) : b);

/** Replace every neighbouring pair from left to right. */
export function mergePair(tokens, a, b, merged) {
  const out = [];
  for (let i = 0; i < tokens.length; i += 1) {
    const here = tokens[i] === a && tokens[i + 1] === b;
    out.push(here ? merged : tokens[i]);
    if (here) i += 1;
  }
  return out;
}

/** Every pair with its neighbours (`freq`), the places that a merge would change (`m`), and the counts of its tokens. */
export function mergeCounts(rows) {
  const [n, pairs] = [new Map(), new Map()];
  let N = 0;
  for (const { tokens, count } of rows) {
    let taken = -1;
    tokens.forEach((a, i) => {
      n.set(a, (n.get(a) ?? 0) + count);
      N += count;
      if (i + 1 === tokens.length) return;
      const [b, key] = [tokens[i + 1], `${a}\n${tokens[i + 1]}`];
      if (!pairs.has(key)) pairs.set(key, { a, b, freq: 0, m: 0 });
      const pair = pairs.get(key);
      pair.freq += count;
      if (a === b && i === taken) return;
      if (a === b) taken = i + 1;
      pair.m += count;
    });
  }
  return [...pairs.values()].map((pair) => ({ ...pair, nA: n.get(pair.a), nB: n.get(pair.b), N }));
}

const f = (x) => (x === 0 ? 0 : x * Math.log(x));

/** By how much the log-likelihood of the corpus grows when a pair is merged. */
export function mergeGain({ a, b, m, nA, nB, N }) {
  const ofA = f(nA - (a === b ? 2 * m : m)) - f(nA);
  const ofB = a === b ? 0 : f(nB - m) - f(nB);
  return f(m) + (ofA + ofB) + (f(N) - f(N - m));
}

/** How many times as often two tokens stand together as by chance. */
export const mergeScore = ({ m, nA, nB, N }) => (m * N) / (nA * nB);

const VALUES = { gain: mergeGain, score: mergeScore, count: ({ m }) => m, freq: ({ freq }) => freq };

/** The pairs, the best first by a rule; values that tie stand in the order of their tokens' ids. */
export function ranked(rows, rule, ids) {
  const pairs = mergeCounts(rows).map((pair) => ({ ...pair, value: VALUES[rule](pair), gain: mergeGain(pair), score: mergeScore(pair) }));
  const best = Math.max(...pairs.map(({ value }) => value));
  const near = ({ value }) => (value >= best - 1e-9 * Math.abs(best) ? best : value);
  const byIds = (p, q) => ids.get(p.a) - ids.get(q.a) || ids.get(p.b) - ids.get(q.b);
  return pairs.sort((p, q) => near(q) - near(p) || byIds(p, q));
}

const byCodePoint = (x, y) => {
  const [p, q] = [[...x], [...y]].map((word) => word.map((character) => character.codePointAt(0)));
  const i = p.findIndex((code, k) => code !== q[k]);
  return i < 0 ? p.length - q.length : p[i] - (q[i] ?? -1);
};

/** The corpus before every merge, one by one: its rows, and its pairs, the next to be merged first. */
export function* mergeSteps(text, rule) {
  const marks = rule !== "freq"; // BPE has none
  let rows = countedRows(text, marks);
  const alphabet = [...new Set(rows.flatMap(({ tokens }) => tokens))].sort(byCodePoint);
  const ids = new Map(alphabet.map((token, i) => [token, i]));
  for (;;) {
    const pairs = ranked(rows, rule, ids);
    yield { rows, pairs };
    if (pairs.length === 0) return;
    const { a, b } = pairs[0];
    const merged = joinPieces(a, b, marks);
    if (!ids.has(merged)) ids.set(merged, ids.size);
    rows = rows.map(({ tokens, count }) => ({ tokens: mergePair(tokens, a, b, merged), count }));
  }
}
