/** The panels of the pipeline, in the order of the computation: what each holds, and the sum behind each of its numbers. */
import { fixed } from "../kit.js";
import { mean, range } from "../numbers.js";
import { highest } from "../output/formulas.js";
import { frequencies } from "../position/formulas.js";
import { times } from "./sums.js";

const SHOWN = 4; // terms of a long sum
const POWER = "e to their difference";
const CHOICES = 24; // tokens whose logits a panel shows
const EPS = 1e-5;

const total = (terms) => terms.reduce((a, b) => a + b, 0);
const column = ({ shape: [n, d], data }, j) => range(n).map((k) => data[k * d + j]);
const own = (name) => ({ rows, layer }) => rows.map((row) => row.layers[layer][name]);
const ofHead = (name) => ({ rows, layer, head, d }) => rows.map((row) => row.layers[layer][name].subarray(head * d, (head + 1) * d));
const between = (name) => ({ rows, layer, head }) => rows.map((row) => range(rows.length).map((j) => row.layers[layer][name][head][j] ?? (name === "scores" ? -Infinity : 0)));
const here = ({ rows, layer, i }) => rows[i].layers[layer];
const weightsOf = ({ model, layer }) => model.layers[layer];

/** The terms of a sum of products, and a bias after them where one is given: their values, each one's name and its two factors. */
function products(a, b, word, bias) {
  const values = Array.from(a, (x, k) => x * b[k]);
  if (bias !== undefined) values.push(bias);
  return { values, name: (k) => (k < a.length ? word(k) : "bias"), factors: (k) => (k < a.length ? [a[k], b[k]] : undefined) };
}

/** The largest products in their order, the others in one line, and what is added after them. */
function shortened({ values, name, factors }) {
  const all = range(values.length);
  const sizes = all.filter(factors).map((k) => Math.abs(values[k]));
  const shown = highest(sizes, SHOWN).sort((x, y) => x - y);
  const others = total(values.slice(0, sizes.length)) - total(shown.map((k) => values[k]));
  const lines = shown.map((k) => [name(k), times(...factors(k)), values[k]]);
  if (sizes.length > shown.length) lines.push([`${sizes.length - shown.length} more`, "", others]);
  return [...lines, ...all.slice(sizes.length).map((k) => [name(k), "", values[k]])];
}

/** A panel whose numbers are sums: its terms, what is done to their sum, and both in short. */
const summed = (terms, after = () => []) => ({ terms, after, lines: (at) => [...shortened(terms(at)), ...after(at)] });

const dimension = (k) => `k = ${k}`;

/** A row times a matrix, plus a bias. */
const projected = (from, name) => (at) => {
  const p = weightsOf(at).rotary_attention;
  const j = at.head * at.d + at.j;
  return products(here(at)[from], column(p[`W_${name}`], j), dimension, p[`b_${name}`].data[j]);
};

/** A row normalised: γ and β, and the terms of its variance, whose root with ε is its spread. */
function norm(from, of) {
  const parts = (at) => {
    const [x, { gamma, beta }] = [Array.from(from(at)), of(at)];
    const centre = mean(x);
    const apart = x.map((v) => v - centre);
    const variance = mean(apart.map((v) => v ** 2));
    return { x, centre, apart, variance, spread: Math.sqrt(variance + EPS), gamma: gamma.data[at.j], beta: beta.data[at.j] };
  };
  const lines = (at) => {
    const { x, centre, spread, gamma, beta } = parts(at);
    return [
      ["x", "", x[at.j]],
      ["mean μ of the row", "", centre],
      ["spread σ of the row", "", spread],
      ["γ", "", gamma],
      ["β", "", beta],
    ];
  };
  const terms = (at) => {
    const { apart } = parts(at);
    return { ...products(apart, apart.map((v) => v / apart.length), (k) => `(x − μ)² / n, k = ${k}`), of: "σ²" };
  };
  const after = (at) => {
    const { apart, variance, spread } = parts(at);
    return [["σ", `√(${fixed(variance, 3)} + ε)`, spread], ["(x − μ) / σ", `${fixed(apart[at.j], 3)} / ${fixed(spread, 3)}`, apart[at.j] / spread]];
  };
  return { lines, terms, after };
}

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

/** A number of a softmax, one power by the sum of all: the row that they are taken of, where in it the number stands, and each one's name. */
function shares(word, rowOf, place, name) {
  const powers = (x) => {
    const highest = x.reduce((a, b) => Math.max(a, b), -Infinity);
    return { highest, values: Array.from(x, (s) => Math.exp(s - highest)) };
  };
  const lines = (at) => {
    const [x, j] = [rowOf(at), place(at)];
    const { highest, values } = powers(x);
    return [
      [word, "", x[j]],
      ["the largest of the row", "", highest],
      [POWER, "", values[j]],
      ["sum of these over the row", "", total(values)],
    ];
  };
  const terms = (at) => ({ values: powers(rowOf(at)).values, name: (k) => name(k, at), factors: () => undefined });
  const after = (at) => [[`its own: ${POWER}`, "", powers(rowOf(at)).values[place(at)]]];
  return { lines, terms, after };
}

const sumOf = (...parts) => (at) => parts.map(([word, name]) => [word, "", here(at)[name][at.j]]);

const isMasked = (at) => at.j > at.i;

/** The same panel; where the mask hides a later token, one line says so. */
const unlessMasked = ({ terms, after, lines }, hidden) => ({
  terms: (at) => (isMasked(at) ? undefined : terms(at)),
  after,
  lines: (at) => (isMasked(at) ? [["masked", `${at.labels[at.j]} comes later`, hidden]] : lines(at)),
});

const score = (at) => products(ofHead("turned_query")(at)[at.i], ofHead("turned_key")(at)[at.j], dimension);
const token = (k, at) => `${at.labels[k]} (${k})`;

const attended = (at) => {
  const seen = range(at.i + 1);
  const values = ofHead("value")(at);
  return products(here(at).weights[at.head], seen.map((j) => values[j][at.j]), (j) => token(j, at));
};

const everyHead = (at) => {
  const { W_O, b_O } = weightsOf(at).rotary_attention;
  return products(here(at).attended, column(W_O, at.j), (k) => `head ${Math.floor(k / at.d)}, k = ${k % at.d}`, b_O.data[at.j]);
};

/** What each head adds, since a row of all heads times W^O is a sum over the heads. */
function joined(at) {
  const { values } = everyHead(at);
  const heads = (values.length - 1) / at.d;
  return [...range(heads).map((h) => [`head ${h}`, "", total(values.slice(h * at.d, (h + 1) * at.d))]), ["bias", "", values.at(-1)]];
}

const fed = (from, W, b) => (at) => {
  const p = weightsOf(at).feed_forward;
  return products(here(at)[from], column(p[W], at.j), dimension, p[b].data[at.j]);
};

const likeliest = ({ rows, i }) => highest(rows[i].logits, CHOICES);
const rowOf = ({ data, shape: [, d] }, v) => data.subarray(v * d, (v + 1) * d);
const chosen = (at) => likeliest(at)[at.j];

const number = (j) => `dimension ${j}`;
const toward = (j, at) => `toward “${at.labels[j]}” (position ${j})`;
const next = (j, at) => `next token “${at.name(likeliest(at)[j])}”`;

/** symbol, step, formula (its factors marked ! and ?; another one for `odd` dimensions where they differ), what a column is, the numbers (`of` a head, a layer, the chosen token, or the whole model), the sum behind one of them, and where it is one of many terms, all of these and what is done `after`. */
export const PANELS = {
  tokens: { symbol: "t", step: 1, formula: "t_i", column: () => "its id", values: ({ ids }) => ids.map((id) => [id]), lines: ({ labels, ids, i }) => [[`${labels[i]} in the vocabulary`, "", ids[i]]] },
  embedding: { symbol: "X", step: 2, formula: "X_ij = !√d_model ?E_{t_i}j", column: number, values: ({ rows }) => rows.map((row) => row.layers[0].z), lines: ({ model: { E }, ids, i, j }) => [["√d_model", `√${E.shape[1]}`, Math.sqrt(E.shape[1])], [`row ${ids[i]} of E`, "", rowOf(E, ids[i])[j]]] },
  norm_1: { symbol: "U", step: 7, formula: "U_ij = γ_j (x_j − μ) / σ + β_j", column: number, of: "layer", values: own("norm_1"), ...norm((at) => here(at).z, (at) => weightsOf(at).norm_1) },
  queries: { symbol: "Q", step: 4, formula: "Q_ij = Σ_k !U_ik ?W^Q_kj + b^Q_j", column: number, of: "head", values: ofHead("query"), ...summed(projected("norm_1", "Q")) },
  keys: { symbol: "K", step: 4, formula: "K_ij = Σ_k !U_ik ?W^K_kj + b^K_j", column: number, of: "head", values: ofHead("key"), ...summed(projected("norm_1", "K")) },
  values: { symbol: "V", step: 4, formula: "V_ij = Σ_k !U_ik ?W^V_kj + b^V_j", column: number, of: "head", values: ofHead("value"), ...summed(projected("norm_1", "V")) },
  turned_queries: { symbol: "Q′", step: 3, formula: "Q′_2r = Q_2r cosφ − Q_2r+1 sinφ", odd: "Q′_2r+1 = Q_2r sinφ + Q_2r+1 cosφ", column: number, of: "head", values: ofHead("turned_query"), lines: turned("query") },
  turned_keys: { symbol: "K′", step: 3, formula: "K′_2r = K_2r cosφ − K_2r+1 sinφ", odd: "K′_2r+1 = K_2r sinφ + K_2r+1 cosφ", column: number, of: "head", values: ofHead("turned_key"), lines: turned("key") },
  scores: { symbol: "S", step: 5, formula: "S_ij = Σ_k !Q′_ik ?K′_jk / √d_k", column: toward, of: "head", values: between("scores"), ...unlessMasked(summed(score, ({ d }) => [["all of it by √d_k", `√${d}`, Math.sqrt(d)]]), -Infinity) },
  weights: { symbol: "A", step: 5, formula: "A_ij = e^{S_ij} / Σ_k e^{S_ik}", column: toward, of: "head", values: between("weights"), ...unlessMasked(shares("its score S", (at) => here(at).scores[at.head], ({ j }) => j, token), 0) },
  attended: { symbol: "O", step: 5, formula: "O_ij = Σ_k !A_ik ?V_kj", column: number, of: "head", values: ofHead("attended"), ...summed(attended) },
  joined: { symbol: "O′", step: 6, formula: "O′_ij = Σ_h (O_h W^O_h)_ij + b^O_j", column: number, of: "layer", values: own("joined"), terms: everyHead, after: () => [], lines: joined },
  sum_1: { symbol: "Z′", step: 7, formula: "Z′_ij = Z_ij + O′_ij", column: number, of: "layer", values: own("sum_1"), lines: sumOf(["Z, as it was", "z"], ["O′, what attention adds", "joined"]) },
  norm_2: { symbol: "U′", step: 9, formula: "U′_ij = γ_j (x_j − μ) / σ + β_j", column: number, of: "layer", values: own("norm_2"), ...norm((at) => here(at).sum_1, (at) => weightsOf(at).norm_2) },
  hidden: { symbol: "H", step: 8, formula: "H_ij = max(0, Σ_k !U′_ik ?W^1_kj + b^1_j)", column: (j) => `hidden unit ${j}`, of: "layer", values: own("hidden"), ...summed(fed("norm_2", "W_1", "b_1")) },
  fed: { symbol: "F", step: 8, formula: "F_ij = Σ_k !H_ik ?W^2_kj + b^2_j", column: number, of: "layer", values: own("fed"), ...summed(fed("hidden", "W_2", "b_2")) },
  sum_2: { symbol: "Z", step: 9, formula: "Z_ij = Z′_ij + F_ij", column: number, of: "layer", values: own("sum_2"), lines: sumOf(["Z′, as it was", "sum_1"], ["F, what the layer’s second half adds", "fed"]) },
  last: { symbol: "Y", step: 10, formula: "Y_ij = γ_j (x_j − μ) / σ + β_j", column: number, values: ({ rows }) => rows.map((row) => row.last), ...norm(({ rows, i }) => rows[i].layers.at(-1).sum_2, ({ model }) => model.norm) },
  logits: { symbol: "L", step: 10, formula: "L_iv = Σ_k !Y_ik ?E_vk", column: next, of: "token", values: (at) => at.rows.map((row) => likeliest(at).map((v) => row.logits[v])), ...summed((at) => products(at.rows[at.i].last, rowOf(at.model.E, chosen(at)), dimension)) },
  probabilities: { symbol: "p", step: 10, formula: "p_iv = e^{L_iv} / Σ_w e^{L_iw}", column: next, of: "token", values: (at) => at.rows.map((row) => likeliest(at).map((v) => row.probabilities[v])), ...shares("its logit L", ({ rows, i }) => rows[i].logits, chosen, (v, at) => at.name(v)) },
};
