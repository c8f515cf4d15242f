/** Encoder layers with random weights, any part of which can be left out, as `encoder_layer.py` has them. */
import { scores, softmax, weigh } from "../attention/formulas.js";
import { cosine, length, range, uniforms } from "../numbers.js";
import { sinusoidal } from "../position/formulas.js";
import { layerNorm } from "./formulas.js";

const [N_LAYERS, D_MODEL, N_HEADS, D_FF] = [12, 32, 4, 128];
const D_K = D_MODEL / N_HEADS;
const EPSILON = 1e-5;
const [ONES, ZEROS] = [range(D_MODEL).map(() => 1), range(D_MODEL).map(() => 0)];

/** Random vectors for the words, positions added, and the weights of all layers: row after row. */
export function drawn(seed, tokens) {
  const next = uniforms(seed);
  const draw = (rows, columns, bound = Math.sqrt(6 / (rows + columns))) => {
    const W = new Float64Array(rows * columns);
    for (let i = 0; i < W.length; i += 1) W[i] = bound * (2 * next() - 1);
    return W;
  };
  const kinds = [...new Set(tokens)];
  const E = draw(kinds.length, D_MODEL, Math.sqrt(3));
  const P = sinusoidal(range(tokens.length), D_MODEL, 10_000);
  const Z = tokens.map((token, i) => P[i].map((p, j) => E[kinds.indexOf(token) * D_MODEL + j] + p));
  const square = () => draw(D_MODEL, D_MODEL);
  const layer = () => ({ Q: square(), K: square(), V: square(), O: square(), first: draw(D_MODEL, D_FF), second: draw(D_FF, D_MODEL) });
  return { Z, layers: range(N_LAYERS).map(layer) };
}

/** Z W for the rows of Z. Four rows of W are taken at a time, which needs a third of the time; their number is a multiple of four. */
const times = (Z, W) =>
  Z.map((z) => {
    const n = W.length / z.length;
    const out = new Float64Array(n);
    for (let i = 0, at = 0; i < z.length; i += 4, at += 4 * n) {
      const [a, b, c, d] = [z[i], z[i + 1], z[i + 2], z[i + 3]];
      for (let j = at; j < at + n; j += 1) out[j - at] += a * W[j] + b * W[j + n] + c * W[j + 2 * n] + d * W[j + 3 * n];
    }
    return out;
  });

const heads = (X) => range(N_HEADS).map((h) => X.map((x) => x.slice(h * D_K, (h + 1) * D_K)));

function attend(Z, p, queries) {
  const [Q, K, V] = [p.Q, p.K, p.V].map((W) => heads(times(Z, W)));
  const read = Q.map((q, h) => weigh(scores(q, K[h]).map((row) => softmax(row.map((s) => queries * s))), V[h]));
  const joined = Z.map((z, i) => {
    const row = new Float64Array(z.length);
    read.forEach((head, h) => row.set(head[i], h * D_K));
    return row;
  });
  return times(joined, p.O);
}

const feed = (Z, p) => times(times(Z, p.first).map((h) => h.map((x) => Math.max(0, x))), p.second);

const normed = (Z) => Z.map((z) => layerNorm(z, ONES, ZEROS, EPSILON));

/** A sublayer with or without its residual, and with its norm after the sum, before the sublayer, or nowhere. */
function sublayer(Z, update, residual, where) {
  const added = update(where === "pre" ? normed(Z) : Z);
  const total = residual ? added.map((row, i) => row.map((x, j) => x + Z[i][j])) : added;
  return where === "post" ? normed(total) : total;
}

/** The vectors at the input and after each layer, one after the other, and all of them at the end. */
export function* climb({ Z, layers }, parts) {
  const states = [Z];
  yield Z;
  for (const p of layers) {
    let now = states.at(-1);
    if (parts.attention) now = sublayer(now, (X) => attend(X, p, parts.queries), parts.residual_attention, parts.norm);
    if (parts.feed_forward) now = sublayer(now, (X) => feed(X, p), parts.residual_network, parts.norm);
    states.push(now);
    yield now;
  }
  return states;
}

/** The share of Z that is not common to all tokens. */
export function spread(Z) {
  const common = range(D_MODEL).map((j) => Z.reduce((sum, z) => sum + z[j], 0) / Z.length);
  const sizes = [Z.map((z) => z.map((x, j) => x - common[j])), Z].map((rows) => Math.hypot(...rows.map(length)));
  return sizes[0] / sizes[1];
}

/** The cosine of each row of Z with each of the others. */
export const cosines = (Z, others) => Z.map((z) => others.map((x) => cosine(z, x)));
