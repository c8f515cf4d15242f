/** The mathematics that the explorables repeat: pure functions, each compared with its Python twin by the tests. */

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export const range = (n) => Array.from({ length: n }, (_, i) => i);

// ---- attention ----

/** Q Kᵀ, and divided by √d_k if `scaled`. */
export function scores(Q, K, scaled = true) {
  const scale = scaled ? Math.sqrt(K[0].length) : 1;
  return Q.map((q) => K.map((k) => dot(q, k) / scale));
}

/** True where query i may attend to key j: j ≤ i. */
export const causalMask = (n) => range(n).map((i) => range(n).map((j) => j <= i));

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

/** −Σ p log₂ p, in bits. */
export const entropy = (p) => p.reduce((sum, x) => (x > 0 ? sum - x * Math.log2(x) : sum), 0);

/** Each step from Q and K to the weights. */
export function attentionSteps(Q, K, { scaled, causal, temperature }) {
  const raw = scores(Q, K, false);
  const divided = scores(Q, K, scaled).map((row) => row.map((s) => s / temperature));
  const masked = causal ? applyMask(divided, causalMask(Q.length)) : divided;
  return { raw, divided, masked, weights: masked.map(softmax) };
}

// ---- positions ----

/** ω_i = base^(−2i/d), one for each pair of dimensions. */
export const frequencies = (d, base) => range(d / 2).map((i) => base ** ((-2 * i) / d));

/** 2π/ω_i, in positions. */
export const wavelengths = (d, base) => frequencies(d, base).map((omega) => (2 * Math.PI) / omega);

/** A row for each position: sin(ω_i p) in dimension 2i, cos(ω_i p) in dimension 2i + 1. */
export function sinusoidal(positions, d, base) {
  const omegas = frequencies(d, base);
  return positions.map((p) => {
    const row = [];
    for (const omega of omegas) row.push(Math.sin(omega * p), Math.cos(omega * p));
    return row;
  });
}

/** PE(p) · PE(p + offset) = Σ cos(ω_i offset), whatever p is: one number for each offset. */
export function positionSimilarity(offsets, d, base) {
  const omegas = frequencies(d, base);
  return offsets.map((offset) => omegas.reduce((sum, omega) => sum + Math.cos(omega * offset), 0));
}

/** Turn each pair of neighbours (x_2i, x_2i+1) by its own angle. */
export function rotate(x, angles) {
  const turned = [];
  angles.forEach((angle, i) => {
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    turned.push(x[2 * i] * c - x[2 * i + 1] * s, x[2 * i] * s + x[2 * i + 1] * c);
  });
  return turned;
}

/** RoPE: plane i turns by position · ω_i. */
export const rope = (x, position, base) =>
  rotate(
    x,
    frequencies(x.length, base).map((omega) => position * omega),
  );

// ---- from a sentence to Q and K ----

/** Words and single punctuation marks. */
export const tokenize = (text) => text.match(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Runs of three characters of the word between its boundary marks. */
export function trigrams(word) {
  const characters = Array.from(`<${word}>`);
  return new Set(range(characters.length - 2).map((i) => characters.slice(i, i + 3).join("")));
}

/** The vector that `vectors` holds for the word, in thousandths; for any other word the one its letters give. */
export function wordVector(word, vectors) {
  const lower = word.toLowerCase();
  return Object.hasOwn(vectors, lower) ? vectors[lower].map((x) => x / 1000) : lettersVector(lower, vectors);
}

/** The unit vector along Σ (trigrams shared with w) · v_w over the known words w; zero if none shares any. */
export function lettersVector(word, vectors) {
  const own = trigrams(word);
  const sum = Object.values(vectors)[0].map(() => 0);
  for (const [known, vector] of Object.entries(vectors)) {
    let shared = 0;
    for (const gram of trigrams(known)) if (own.has(gram)) shared += 1;
    if (shared) vector.forEach((x, i) => (sum[i] += shared * x));
  }
  const length = Math.sqrt(dot(sum, sum));
  return length ? sum.map((x) => x / length) : sum;
}

const GAIN = 4;
const POSITION = { d: 4, base: 9 };

/** Q and K of a head that reads words ("similar"), positions ("previous": q_i = 4 M₋₁ p_i, k_j = 4 p_j), "both". */
export function headVectors(head, content) {
  const here = sinusoidal(range(content.length), POSITION.d, POSITION.base);
  const before = here.map((p) => rotate(p, frequencies(POSITION.d, POSITION.base)));
  const word = (i) => (head === "previous" ? [] : content[i]);
  const place = (p) => (head === "similar" ? [] : p);
  const project = (places) => places.map((p, i) => [...word(i), ...place(p)].map((x) => GAIN * x));
  return { Q: project(before), K: project(here) };
}
