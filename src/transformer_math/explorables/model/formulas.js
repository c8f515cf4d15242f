/**
 * The forward pass of the book's models, row by row, over typed arrays: what it computes for a token it keeps (keys and
 * values), so that the next token costs one row. Weights are float32, sums float64. Each function has its twin in Python.
 */
import { mean, range } from "../numbers.js";
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
export function againstRows(x, E) {
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
  const centre = mean(x);
  const variance = x.reduce((sum, value) => sum + (value - centre) ** 2, 0) / x.length;
  const scale = 1 / Math.sqrt(variance + eps);
  return x.map((value, i) => gamma.data[i] * (value - centre) * scale + beta.data[i]);
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

const hiddenRow = (x, p) => affine(x, p.W_1, p.b_1).map((value) => Math.max(0, value));

const feedForward = (x, p) => affine(hiddenRow(x, p), p.W_2, p.b_2);

// ---- attention with a memory of keys and values ----

const emptyMemory = () => ({ K: [], V: [] });

/** Key and value of one row go into the memory; returns the key before it was turned. */
function remember(memory, y, p, turn = (k) => k) {
  const key = affine(y, p.W_K, p.b_K);
  memory.K.push(turn(key));
  memory.V.push(affine(y, p.W_V, p.b_V));
  return key;
}

/** One head: its scores and weights over the memory, and what it adds to `out`, columns `from` on. */
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
  return { scores, weights };
}

/** Every head of one row attends to the memory; a head that is off looks, but what it attended to is left out. */
function attend(z, memory, p, nHeads, off, turn = (q) => q) {
  const query = affine(z, p.W_Q, p.b_Q);
  const turned = turn(query);
  const d = query.length / nHeads;
  const attended = new Float64Array(query.length);
  const heads = range(nHeads).map((h) => attendHead(turned, memory, h * d, d, attended));
  for (const h of off) attended.fill(0, h * d, (h + 1) * d);
  return { query, turned, heads, attended, joined: affine(attended, p.W_O, p.b_O), weights: heads.map(({ weights }) => weights) };
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

/** One layer for one token; everything that it computes, under the names of the page on the pipeline. */
function readLayer(z, memory, p, position, nHeads, off) {
  const turn = (x) => turned(x, position, nHeads);
  const norm_1 = layerNorm(z, p.norm_1);
  const key = remember(memory, norm_1, p.rotary_attention, turn);
  const { query, turned: turned_query, heads, attended, joined, weights } = attend(norm_1, memory, p.rotary_attention, nHeads, off, turn);
  const sum_1 = add(z, joined);
  const norm_2 = layerNorm(sum_1, p.norm_2);
  const hidden = hiddenRow(norm_2, p.feed_forward);
  const fed = affine(hidden, p.feed_forward.W_2, p.feed_forward.b_2);
  const [turned_key, value, scores] = [memory.K[position], memory.V[position], heads.map((head) => head.scores)];
  return { z, norm_1, query, key, value, turned_query, turned_key, scores, weights, attended, joined, sum_1, norm_2, hidden, fed, sum_2: add(sum_1, fed) };
}

/** Read one token, a layer in each piece: logits of the next, each head's weights over all tokens so far, and each layer from inside. */
export function* tracing(model, memory, id, off = []) {
  const position = memory[0].K.length;
  const layers = [];
  let z = scaledRow(id, model.E);
  for (const [l, p] of model.layers.entries()) {
    layers.push(readLayer(z, memory[l], p, position, model.nHeads, offIn(off, "self", l)));
    z = layers[l].sum_2;
    yield;
  }
  return { ...nextOf(model, z), layers, attention: layers.map(({ weights }) => weights) };
}

/** A token that was traced, without the insides. */
export const outsideOf = ({ logits, attention }) => ({ logits, attention });

/** What the model would say if its last layer gave this row: the row normalised, and the logits of the next token. */
export function nextOf({ norm, E }, z) {
  const last = layerNorm(z, norm);
  return { last, logits: againstRows(last, E) };
}

/** The vector of a token that was traced: before the first layer, after it, and so on. */
export const statesOf = ({ layers }) => [layers[0].z, ...layers.map(({ sum_2 }) => sum_2)];

/** The parts that sum to what leaves the last layer, of a token that was traced: embedding, each layer's heads and network, biases of attention. */
export function residualParts({ layers: parameters, nHeads }, { layers }) {
  const inner = layers.flatMap(({ attended, fed }, l) => {
    const { W_O } = parameters[l].rotary_attention;
    const d = attended.length / nHeads;
    const heads = range(nHeads).map((h) => affine(attended.map((value, i) => (Math.floor(i / d) === h ? value : 0)), W_O));
    return [...heads, fed];
  });
  const biases = parameters.map((p) => Float64Array.from(p.rotary_attention.b_O.data)).reduce(add);
  return [layers[0].z, ...inner, biases];
}

// ---- the encoder–decoder ----

export function readEncoderDecoder(tensors, nHeads) {
  const { E_source, E_target, encoder, decoder, W_out } = parameterTree(tensors);
  return { E_source, E_target, encoder: parts(encoder), decoder: parts(decoder), W_out, nHeads };
}

/** All rows of the source, layer after layer (`states`); `attention[layer][head]` is a matrix. */
export function encodeSource(model, ids, off = []) {
  let Z = ids.map((id, i) => embedRow(id, i, model.E_source));
  const states = [Z];
  const attention = model.encoder.map((p, l) => {
    const memory = emptyMemory();
    for (const z of Z) remember(memory, z, p.attention);
    const found = Z.map((z) => attend(z, memory, p.attention, model.nHeads, offIn(off, "encoder", l)));
    Z = Z.map((z, i) => addNorm(z, found[i].joined, p.norm_1));
    Z = Z.map((z) => addNorm(z, feedForward(z, p.feed_forward), p.norm_2));
    states.push(Z);
    return range(model.nHeads).map((h) => found.map(({ weights }) => weights[h]));
  });
  return { Z, states, attention };
}

/** An encoder by itself. */
export function readEncoder(tensors, nHeads) {
  const { E, layers } = parameterTree(tensors);
  return { E_source: E, encoder: parts(layers), nHeads };
}

/** The vectors of all tokens that an encoder reads: before its first layer, after it, and so on. */
export const encoderStates = (model, ids) => encodeSource(model, ids).states;

/** The decoder's memory: nothing written yet, and of the encoder's rows each layer's keys and values. */
export function openTranslation(model, { Z }) {
  return model.decoder.map((p) => {
    const source = emptyMemory();
    for (const z of Z) remember(source, z, p.cross_attention);
    return { self: emptyMemory(), source };
  });
}

/**
 * One row in a decoder layer, with what it may attend to in memory: where its heads look, its hidden units, what each of
 * the three sublayers adds, and the row after each. `without` names sublayers that add nothing.
 */
function readDecoderLayer(z, { self, source }, p, nHeads, off, without = []) {
  const unless = (name, update) => (without.includes(name) ? new Float64Array(z.length) : update);
  const own = attend(z, self, p.self_attention, nHeads, off.self);
  const read = unless("self", own.joined);
  const first = addNorm(z, read, p.norm_1);
  const cross = attend(first, source, p.cross_attention, nHeads, off.cross);
  const found = unless("cross", cross.joined);
  const second = addNorm(first, found, p.norm_2);
  const hidden = hiddenRow(second, p.feed_forward);
  const fed = affine(hidden, p.feed_forward.W_2, p.feed_forward.b_2);
  return { z, self: own.weights, cross: cross.weights, hidden, added: [read, found, fed], after: [first, second, addNorm(second, fed, p.norm_3)] };
}

/** What the model says of the next token if a row of the target is taken for the last layer's. */
export const logitsOf = ({ W_out }, z) => affine(z, W_out);

/** Read one token of the target: logits of the next, and where each head looked, in the target and in the source. */
export function writeToken(model, memory, id, off = []) {
  let z = embedRow(id, memory[0].self.K.length, model.E_target);
  const attention = model.decoder.map((p, l) => {
    remember(memory[l].self, z, p.self_attention);
    const { self, cross, after } = readDecoderLayer(z, memory[l], p, model.nHeads, { self: offIn(off, "self", l), cross: offIn(off, "cross", l) });
    z = after[2];
    return { self, cross };
  });
  return { logits: logitsOf(model, z), attention };
}

/** A target that is given, each decoder layer from inside, row by row; without the mask, each row attends to those after it, too. */
export function traceTarget(model, encoded, ids, mask = true, without = []) {
  const memory = openTranslation(model, encoded);
  let Z = ids.map((id, i) => embedRow(id, i, model.E_target));
  return model.decoder.map((p, l) => {
    if (!mask) for (const z of Z) remember(memory[l].self, z, p.self_attention);
    const rows = Z.map((z) => {
      if (mask) remember(memory[l].self, z, p.self_attention);
      return readDecoderLayer(z, memory[l], p, model.nHeads, { self: [], cross: [] }, without);
    });
    Z = rows.map(({ after }) => after[2]);
    return rows;
  });
}

// ---- attention alone ----

/** E, layers of one attention and one norm each, W_out and n_heads. */
export function readAttentionOnly(tensors, nHeads) {
  const { E, layers, W_out } = parameterTree(tensors);
  return { E, layers: parts(layers), W_out, nHeads };
}

/** Read a whole text with layers that are attention and nothing else: logits and attention of each of its tokens. */
export function readAllByAttention(model, ids, off = []) {
  const memory = freshMemory(model);
  return ids.map((id, i) => {
    let z = embedRow(id, i, model.E);
    const attention = model.layers.map((p, l) => {
      const x = layerNorm(z, p.norm);
      remember(memory[l], x, p.attention);
      const { joined, weights } = attend(x, memory[l], p.attention, model.nHeads, offIn(off, "self", l));
      z = add(z, joined);
      return weights;
    });
    return { logits: affine(z, model.W_out), attention };
  });
}
