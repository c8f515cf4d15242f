/**
 * The forward pass of the book's models, row by row, over typed arrays: what it computes for a token it keeps (keys and
 * values), so that the next token costs one row. Weights are float32, sums float64. Each function has its twin in Python.
 */
import { range } from "../numbers.js";
import { rope, sinusoidal } from "../position/formulas.js";

/** Packed matrices by path (`.layers[0].attention.W_Q`) as a tree: `tree.layers[0].attention.W_Q` is { data, shape }. */
function parameterTree(tensors) {
  const tree = {};
  for (const [path, tensor] of Object.entries(tensors)) {
    const steps = path.match(/[^.[\]']+/g);
    const last = steps.pop();
    let node = tree;
    for (const step of steps) node = node[step] ??= {};
    node[last] = tensor;
  }
  return tree;
}

const parts = (layers) => Object.keys(layers).sort((a, b) => a - b).map((l) => layers[l]);

/** x W + b for one row. */
function affine(x, W, b) {
  const [rows, columns] = W.shape;
  const out = b ? Float64Array.from(b.data) : new Float64Array(columns);
  for (let i = 0; i < rows; i += 1) {
    const [factor, from] = [x[i], i * columns];
    if (factor === 0) continue;
    for (let j = 0; j < columns; j += 1) out[j] += factor * W.data[from + j];
  }
  return out;
}

/** x E^T for one row: with tied weights, the logits. */
function againstRows(x, E) {
  const [rows, columns] = E.shape;
  const out = new Float64Array(rows);
  for (let v = 0; v < rows; v += 1) {
    let sum = 0;
    for (let j = 0, from = v * columns; j < columns; j += 1) sum += x[j] * E.data[from + j];
    out[v] = sum;
  }
  return out;
}

/** LayerNorm(x), for one row. */
function layerNorm(x, { gamma, beta }, eps = 1e-5) {
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const variance = x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length;
  const scale = 1 / Math.sqrt(variance + eps);
  return x.map((value, i) => gamma.data[i] * (value - mean) * scale + beta.data[i]);
}

const add = (x, update) => x.map((value, i) => value + update[i]);

/** LayerNorm(x + update), for one row: post-norm. */
const addNorm = (x, update, norm) => layerNorm(add(x, update), norm);

/** sqrt(d_model) E_id. */
function scaledRow(id, E) {
  const d = E.shape[1];
  return Float64Array.from(E.data.subarray(id * d, (id + 1) * d), (x) => Math.sqrt(d) * x);
}

/** sqrt(d_model) E_id + p_position. */
const embedRow = (id, position, E) => add(scaledRow(id, E), sinusoidal([position], E.shape[1], 10000)[0]);

function feedForward(x, p) {
  const hidden = affine(x, p.W_1, p.b_1).map((value) => Math.max(0, value));
  return affine(hidden, p.W_2, p.b_2);
}

// ---- attention with a memory of keys and values ----

const emptyMemory = () => ({ K: [], V: [] });

function remember(memory, y, p, turn = (k) => k) {
  memory.K.push(turn(affine(y, p.W_K, p.b_K)));
  memory.V.push(affine(y, p.W_V, p.b_V));
}

/** One head: its weights over the memory, and what it adds to `out`, columns `from` on. */
function attendHead(q, { K, V }, from, d, out) {
  const scores = K.map((k) => {
    let sum = 0;
    for (let j = from; j < from + d; j += 1) sum += q[j] * k[j];
    return sum / Math.sqrt(d);
  });
  const highest = Math.max(...scores);
  const powers = scores.map((s) => Math.exp(s - highest));
  const total = powers.reduce((a, b) => a + b, 0);
  const weights = powers.map((power) => power / total);
  weights.forEach((w, i) => {
    for (let j = from; j < from + d; j += 1) out[j] += w * V[i][j];
  });
  return weights;
}

/** Every head of one row attends to the memory; a head that is off looks, but what it found is left out. */
function attend(z, memory, p, nHeads, off, turn = (q) => q) {
  const q = turn(affine(z, p.W_Q, p.b_Q));
  const d = q.length / nHeads;
  const joined = new Float64Array(q.length);
  const weights = range(nHeads).map((h) => attendHead(q, memory, h * d, d, joined));
  for (const h of off) joined.fill(0, h * d, (h + 1) * d);
  return [affine(joined, p.W_O, p.b_O), weights];
}

/** The heads of a layer that are off: `off` lists `${kind}.${layer}.${head}`. */
const offIn = (off, kind, layer) =>
  off.map((name) => name.split(".")).filter(([k, l]) => k === kind && Number(l) === layer).map(([, , h]) => Number(h));

// ---- the decoder-only language model, token by token ----

/** E, layers, norm and n_heads from the packed bytes' tensors. */
export function readLanguageModel(tensors, nHeads) {
  const { E, layers, norm } = parameterTree(tensors);
  return { E, layers: parts(layers), norm, nHeads };
}

/** What the model remembers of the tokens read so far: for each layer keys and values. */
export const freshMemory = ({ layers }) => layers.map(emptyMemory);

/** Queries or keys of all heads, each turned by its position. */
function turned(x, position, nHeads) {
  const d = x.length / nHeads;
  return Float64Array.from(range(nHeads).flatMap((h) => rope(x.subarray(h * d, (h + 1) * d), position, 10000)));
}

/** Read one token: logits of the next, and for each layer and head the weights over all tokens so far. */
export function readToken(model, memory, id, off = []) {
  const position = memory[0].K.length;
  const turn = (x) => turned(x, position, model.nHeads);
  let z = scaledRow(id, model.E);
  const attention = model.layers.map((p, l) => {
    const u = layerNorm(z, p.norm_1);
    remember(memory[l], u, p.rotary_attention, turn);
    const [attended, weights] = attend(u, memory[l], p.rotary_attention, model.nHeads, offIn(off, "self", l), turn);
    z = add(z, attended);
    z = add(z, feedForward(layerNorm(z, p.norm_2), p.feed_forward));
    return weights;
  });
  return { logits: againstRows(layerNorm(z, model.norm), model.E), attention };
}

/** Read a whole text: logits and attention of each of its tokens. */
export function readAll(model, ids, off = []) {
  const memory = freshMemory(model);
  return ids.map((id) => readToken(model, memory, id, off));
}

// ---- the encoder–decoder ----

export function readEncoderDecoder(tensors, nHeads) {
  const { E_source, E_target, encoder, decoder, W_out } = parameterTree(tensors);
  return { E_source, E_target, encoder: parts(encoder), decoder: parts(decoder), W_out, nHeads };
}

/** All rows of the source, layer after layer; `attention[layer][head]` is a matrix. */
export function encodeSource(model, ids, off = []) {
  let Z = ids.map((id, i) => embedRow(id, i, model.E_source));
  const attention = model.encoder.map((p, l) => {
    const memory = emptyMemory();
    for (const z of Z) remember(memory, z, p.attention);
    const found = Z.map((z) => attend(z, memory, p.attention, model.nHeads, offIn(off, "encoder", l)));
    Z = Z.map((z, i) => addNorm(z, found[i][0], p.norm_1));
    Z = Z.map((z) => addNorm(z, feedForward(z, p.feed_forward), p.norm_2));
    return range(model.nHeads).map((h) => found.map(([, weights]) => weights[h]));
  });
  return { Z, attention };
}

/** The decoder's memory: nothing written yet, and of the encoder's rows each layer's keys and values. */
export function openTranslation(model, { Z }) {
  return model.decoder.map((p) => {
    const source = emptyMemory();
    for (const z of Z) remember(source, z, p.cross_attention);
    return { self: emptyMemory(), source };
  });
}

/** Read one token of the target: logits of the next, and where each head looked, in the target and in the source. */
export function writeToken(model, memory, id, off = []) {
  let z = embedRow(id, memory[0].self.K.length, model.E_target);
  const attention = model.decoder.map((p, l) => {
    const { self, source } = memory[l];
    remember(self, z, p.self_attention);
    const [attended, own] = attend(z, self, p.self_attention, model.nHeads, offIn(off, "self", l));
    z = addNorm(z, attended, p.norm_1);
    const [crossed, cross] = attend(z, source, p.cross_attention, model.nHeads, offIn(off, "cross", l));
    z = addNorm(z, crossed, p.norm_2);
    z = addNorm(z, feedForward(z, p.feed_forward), p.norm_3);
    return { self: own, cross };
  });
  return { logits: affine(z, model.W_out), attention };
}

/** A source and a target that is given: logits and attention of each of the target's tokens, and the encoder's. */
export function translateAll(model, source, target, off = []) {
  const encoded = encodeSource(model, source, off);
  const memory = openTranslation(model, encoded);
  return { encoder: encoded.attention, rows: target.map((id) => writeToken(model, memory, id, off)) };
}
