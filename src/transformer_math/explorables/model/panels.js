/** The panels of the pipeline, in the order of the computation: what each holds, and the sum behind each of its numbers. */
import { fixed } from "../kit.js";
import { range } from "../numbers.js";
import { highest } from "../output/formulas.js";
import { frequencies } from "../position/formulas.js";

const SHOWN = 4; // terms of a long sum
const CHOICES = 24; // tokens whose logits a panel shows
const EPS = 1e-5;

const total = (terms) => terms.reduce((a, b) => a + b, 0);
const column = ({ shape: [n, d], data }, j) => range(n).map((k) => data[k * d + j]);
const own = (name) => ({ rows, layer }) => rows.map((row) => row.layers[layer][name]);
const ofHead = (name) => ({ rows, layer, head, d }) => rows.map((row) => row.layers[layer][name].subarray(head * d, (head + 1) * d));
const between = (name) => ({ rows, layer, head }) => rows.map((row) => range(rows.length).map((j) => row.layers[layer][name][head][j] ?? (name === "scores" ? -Infinity : 0)));
const here = ({ rows, layer, i }) => rows[i].layers[layer];
const weightsOf = ({ model, layer }) => model.layers[layer];
const times = (a, b) => `${fixed(a)} · ${b < 0 ? `(${fixed(b)})` : fixed(b)}`;

/** A sum of products: its largest terms in their order, the others in one line, and what is added after them. */
function products(a, b, word, ...behind) {
  const terms = Array.from(a, (x, k) => x * b[k]);
  const largest = highest(terms.map(Math.abs), SHOWN).sort((x, y) => x - y);
  const lines = largest.map((k) => [word(k), times(a[k], b[k]), terms[k]]);
  const others = terms.length - largest.length;
  if (others > 0) lines.push([`${others} more`, "", total(terms) - total(largest.map((k) => terms[k]))]);
  return [...lines, ...behind];
}

const dimension = (k) => `k = ${k}`;

/** A row times a matrix, plus a bias. */
const projected = (from, name) => (at) => {
  const p = weightsOf(at).rotary_attention;
  const j = at.head * at.d + at.j;
  return products(here(at)[from], column(p[`W_${name}`], j), dimension, ["bias", "", p[`b_${name}`].data[j]]);
};

const norm = (from, of) => (at) => {
  const [x, { gamma, beta }] = [from(at), of(at)];
  const mean = total(Array.from(x)) / x.length;
  const spread = Math.sqrt(total(Array.from(x, (v) => (v - mean) ** 2)) / x.length + EPS);
  return [
    ["x", "", x[at.j]],
    ["mean μ of the row", "", mean],
    ["spread σ of the row", "", spread],
    ["γ", "", gamma.data[at.j]],
    ["β", "", beta.data[at.j]],
  ];
};

/** Half of a pair, turned by the token's position times the frequency of the pair. */
const turned = (name) => (at) => {
  const x = ofHead(name)(at)[at.i];
  const pair = at.j - (at.j % 2);
  const angle = at.i * frequencies(at.d, 10000)[pair / 2];
  return [
    ["first of the pair", "", x[pair]],
    ["second", "", x[pair + 1]],
    ["angle φ", `position ${at.i}`, angle],
    ["cos φ", "", Math.cos(angle)],
    ["sin φ", "", Math.sin(angle)],
  ];
};

/** One power of a softmax by the sum of all. */
const shares = (word, x, j) => {
  const highest = x.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = Array.from(x, (s) => Math.exp(s - highest));
  return [
    [word, "", x[j]],
    ["the largest of the row", "", highest],
    ["e to their difference", "", powers[j]],
    ["sum of these over the row", "", total(powers)],
  ];
};

const sumOf = (...parts) => (at) => parts.map(([word, name]) => [word, "", here(at)[name][at.j]]);

function score(at) {
  if (at.j > at.i) return [["masked", `${at.labels[at.j]} comes later`, -Infinity]];
  const [q, k] = [ofHead("turned_query")(at)[at.i], ofHead("turned_key")(at)[at.j]];
  return products(q, k, dimension, ["all of it by √d_k", `√${at.d}`, Math.sqrt(at.d)]);
}

const attended = (at) => {
  const seen = range(at.i + 1);
  const values = ofHead("value")(at);
  return products(here(at).weights[at.head], seen.map((j) => values[j][at.j]), (j) => `${at.labels[j]} (${j})`);
};

/** What each head adds, since a row of all heads times W^O is a sum over the heads. */
function joined(at) {
  const [row, { W_O, b_O }] = [here(at).attended, weightsOf(at).rotary_attention];
  const factors = column(W_O, at.j);
  const part = (h) => total(range(at.d).map((c) => row[h * at.d + c] * factors[h * at.d + c]));
  return [...range(row.length / at.d).map((h) => [`head ${h}`, "", part(h)]), ["bias", "", b_O.data[at.j]]];
}

const fed = (from, W, b) => (at) => {
  const p = weightsOf(at).feed_forward;
  return products(here(at)[from], column(p[W], at.j), dimension, ["bias", "", p[b].data[at.j]]);
};

const likeliest = ({ rows, i }) => highest(rows[i].logits, CHOICES);
const rowOf = ({ data, shape: [, d] }, v) => data.subarray(v * d, (v + 1) * d);
const chosen = (at) => likeliest(at)[at.j];

const number = (j) => `dimension ${j}`;
const toward = (j, at) => `toward “${at.labels[j]}” (position ${j})`;
const next = (j, at) => `next token “${at.name(likeliest(at)[j])}”`;

/** symbol, step, formula (its factors marked ! and ?; another one for `odd` dimensions where they differ), what a column is, the numbers (`of` a head or a layer, or of the whole model), the sum behind one of them. */
export const PANELS = {
  tokens: { symbol: "t", step: 1, formula: "t_i", column: () => "its id", values: ({ ids }) => ids.map((id) => [id]), lines: ({ labels, ids, i }) => [[`${labels[i]} in the vocabulary`, "", ids[i]]] },
  embedding: { symbol: "X", step: 2, formula: "X_ij = !√d_model ?E_{t_i}j", column: number, values: ({ rows }) => rows.map((row) => row.layers[0].z), lines: ({ model: { E }, ids, i, j }) => [["√d_model", `√${E.shape[1]}`, Math.sqrt(E.shape[1])], [`row ${ids[i]} of E`, "", rowOf(E, ids[i])[j]]] },
  norm_1: { symbol: "U", step: 7, formula: "U_ij = γ_j (x_j − μ) / σ + β_j", column: number, of: "layer", values: own("norm_1"), lines: norm((at) => here(at).z, (at) => weightsOf(at).norm_1) },
  queries: { symbol: "Q", step: 4, formula: "Q_ij = Σ_k !U_ik ?W^Q_kj + b^Q_j", column: number, of: "head", values: ofHead("query"), lines: projected("norm_1", "Q") },
  keys: { symbol: "K", step: 4, formula: "K_ij = Σ_k !U_ik ?W^K_kj + b^K_j", column: number, of: "head", values: ofHead("key"), lines: projected("norm_1", "K") },
  values: { symbol: "V", step: 4, formula: "V_ij = Σ_k !U_ik ?W^V_kj + b^V_j", column: number, of: "head", values: ofHead("value"), lines: projected("norm_1", "V") },
  turned_queries: { symbol: "Q′", step: 3, formula: "Q′_2r = Q_2r cosφ − Q_2r+1 sinφ", odd: "Q′_2r+1 = Q_2r sinφ + Q_2r+1 cosφ", column: number, of: "head", values: ofHead("turned_query"), lines: turned("query") },
  turned_keys: { symbol: "K′", step: 3, formula: "K′_2r = K_2r cosφ − K_2r+1 sinφ", odd: "K′_2r+1 = K_2r sinφ + K_2r+1 cosφ", column: number, of: "head", values: ofHead("turned_key"), lines: turned("key") },
  scores: { symbol: "S", step: 5, formula: "S_ij = Σ_k !Q′_ik ?K′_jk / √d_k", column: toward, of: "head", values: between("scores"), lines: score },
  weights: { symbol: "A", step: 5, formula: "A_ij = e^{S_ij} / Σ_k e^{S_ik}", column: toward, of: "head", values: between("weights"), lines: (at) => (at.j > at.i ? [["masked", `${at.labels[at.j]} comes later`, 0]] : shares("its score S", here(at).scores[at.head], at.j)) },
  attended: { symbol: "O", step: 5, formula: "O_ij = Σ_k !A_ik ?V_kj", column: number, of: "head", values: ofHead("attended"), lines: attended },
  joined: { symbol: "O′", step: 6, formula: "O′_ij = Σ_h (O_h W^O_h)_ij + b^O_j", column: number, of: "layer", values: own("joined"), lines: joined },
  sum_1: { symbol: "Z′", step: 7, formula: "Z′_ij = Z_ij + O′_ij", column: number, of: "layer", values: own("sum_1"), lines: sumOf(["Z, as it was", "z"], ["O′, what attention adds", "joined"]) },
  norm_2: { symbol: "U′", step: 9, formula: "U′_ij = γ_j (x_j − μ) / σ + β_j", column: number, of: "layer", values: own("norm_2"), lines: norm((at) => here(at).sum_1, (at) => weightsOf(at).norm_2) },
  hidden: { symbol: "H", step: 8, formula: "H_ij = max(0, Σ_k !U′_ik ?W^1_kj + b^1_j)", column: (j) => `hidden unit ${j}`, of: "layer", values: own("hidden"), lines: fed("norm_2", "W_1", "b_1") },
  fed: { symbol: "F", step: 8, formula: "F_ij = Σ_k !H_ik ?W^2_kj + b^2_j", column: number, of: "layer", values: own("fed"), lines: fed("hidden", "W_2", "b_2") },
  sum_2: { symbol: "Z", step: 9, formula: "Z_ij = Z′_ij + F_ij", column: number, of: "layer", values: own("sum_2"), lines: sumOf(["Z′, as it was", "sum_1"], ["F, what the layer’s second half adds", "fed"]) },
  last: { symbol: "Y", step: 10, formula: "Y_ij = γ_j (x_j − μ) / σ + β_j", column: number, values: ({ rows }) => rows.map((row) => row.last), lines: norm(({ rows, i }) => rows[i].layers.at(-1).sum_2, ({ model }) => model.norm) },
  logits: { symbol: "L", step: 10, formula: "L_iv = Σ_k !Y_ik ?E_vk", column: next, values: (at) => at.rows.map((row) => likeliest(at).map((v) => row.logits[v])), lines: (at) => products(at.rows[at.i].last, rowOf(at.model.E, chosen(at)), dimension) },
  probabilities: { symbol: "p", step: 10, formula: "p_iv = e^{L_iv} / Σ_w e^{L_iw}", column: next, values: (at) => at.rows.map((row) => likeliest(at).map((v) => row.probabilities[v])), lines: (at) => shares("its logit L", at.rows[at.i].logits, chosen(at)) },
};
