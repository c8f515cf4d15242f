/** The mathematics that the explorables of attention repeat: pure functions, each compared with its Python twin. */
import { dot, range } from "../numbers.js";
import { frequencies, rotate, sinusoidal } from "../position/formulas.js";

/** Q Kᵀ, and divided by √d_k if `scaled`. */
export function scores(Q, K, scaled = true) {
  const scale = scaled ? Math.sqrt(K[0].length) : 1;
  return Q.map((q) => K.map((k) => dot(q, k) / scale));
}

/** True where query i may attend to key j: j ≤ i. */
export const causalMask = (n) => presetMask("causal", n);

const maskOf = (n, allowed) => range(n).map((i) => range(n).map((j) => allowed(i, j)));

/** Masks by name for n tokens; `size` is the window's, the prefix's, the text's before its padding, a block's. */
export function presetMask(name, n, size) {
  const allowed = {
    everything: () => true,
    causal: (i, j) => j <= i,
    window: (i, j) => i - size < j && j <= i,
    prefix: (i, j) => j <= Math.max(i, size - 1),
    padding: (i, j) => j < size,
    blocks: (i, j) => Math.floor(i / size) === Math.floor(j / size),
    nothing: () => false,
  };
  return maskOf(n, allowed[name]);
}

/** Scores with −∞ where the mask is false. */
export const applyMask = (S, mask) => S.map((row, i) => row.map((s, j) => (mask[i][j] ? s : -Infinity)));

/** exp(x) / Σ exp(x), computed from x − max x; a row of −∞ alone becomes zeros. */
export function softmax(x) {
  const highest = Math.max(...x);
  if (highest === -Infinity) return x.map(() => 0);
  const powers = x.map((value) => Math.exp(value - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** The next state of the online softmax of one query: maximum, sum, and weighted sum of the rows of V. */
export function onlineSoftmax({ m, l, o }, s, V) {
  const highest = Math.max(m, ...s);
  const shift = Math.max(highest, -Number.MAX_VALUE); // where all is −∞ so far
  const powers = s.map((x) => Math.exp(x - shift));
  const shrink = Math.exp(m - shift);
  const added = (c) => powers.reduce((sum, power, j) => sum + power * V[j][c], 0);
  return { m: highest, l: powers.reduce((sum, power) => sum + power, shrink * l), o: o.map((x, c) => shrink * x + added(c)) };
}

/** −Σ p log₂ p, in bits. */
export const entropy = (p) => p.reduce((sum, x) => (x > 0 ? sum - x * Math.log2(x) : sum), 0);

/** A V: for each query the average of the values, weighed by its row; a row of zeros gives zeros. */
export const weigh = (A, V) =>
  A.map((row) => {
    const out = V[0].map(() => 0);
    for (let j = 0; j < row.length; j += 1) for (let c = 0; c < out.length; c += 1) out[c] += row[j] * V[j][c];
    return out;
  });

/** Each step from Q and K to the weights. */
export function attentionSteps(Q, K, { scaled, causal, temperature }) {
  const raw = scores(Q, K, false);
  const divided = scores(Q, K, scaled).map((row) => row.map((s) => s / temperature));
  const masked = causal ? applyMask(divided, causalMask(Q.length)) : divided;
  return { raw, divided, masked, weights: masked.map(softmax) };
}

/** What each token of Z gets where it is query, key and value itself. */
export function selfAttention(Z, causal) {
  return weigh(attentionSteps(Z, Z, { scaled: true, causal, temperature: 1 }).weights, Z);
}

// ---- from a sentence to Q and K ----

const UNSEEN = /^[\p{M}\p{Cf}\u{1f3fb}-\u{1f3ff}]+$/u;

/** Words and single marks; signs that cannot be seen by themselves stay with the one before. */
export function tokenize(text) {
  const found = [];
  const plain = text.replace(/[\p{Cc}\ufeff]/gu, " ");
  for (const token of plain.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? []) {
    const unseen = UNSEEN.test(token);
    if (found.length && (unseen || found.at(-1).endsWith("\u200d"))) found[found.length - 1] += token;
    else if (!unseen) found.push(token);
  }
  return found;
}

/** Runs of three characters of the word between its boundary marks. */
export function trigrams(word) {
  const characters = Array.from(`<${word}>`);
  return new Set(range(characters.length - 2).map((i) => characters.slice(i, i + 3).join("")));
}

/** For each run of three characters, the numbers of the known words that hold it. */
export function trigramIndex(words) {
  const index = new Map();
  words.forEach((word, u) => {
    for (const gram of trigrams(word)) {
      if (index.has(gram)) index.get(gram).push(u);
      else index.set(gram, [u]);
    }
  });
  return index;
}

/** The unit vector along Σ (trigrams shared with u) · W_u over the known words u; zeros if none shares any. */
export function lettersVector(word, index, W) {
  const sum = W[0].map(() => 0);
  for (const gram of trigrams(word)) {
    for (const u of index.get(gram) ?? []) W[u].forEach((x, i) => (sum[i] += x));
  }
  const length = Math.sqrt(dot(sum, sum));
  return length ? sum.map((x) => x / length) : sum;
}

/**
 * Q and K of a head that reads words ("similar"), positions ("previous": q_i = gain M₋₁ p_i, k_j = gain p_j), or both.
 */
export function headVectors(head, content, { gain, d_position, base }) {
  const here = sinusoidal(range(content.length), d_position, base);
  const before = here.map((p) => rotate(p, frequencies(d_position, base)));
  const word = (i) => (head === "previous" ? [] : content[i]);
  const place = (p) => (head === "similar" ? [] : p);
  const project = (places) => places.map((p, i) => [...word(i), ...place(p)].map((x) => gain * x));
  return { Q: project(before), K: project(here) };
}
