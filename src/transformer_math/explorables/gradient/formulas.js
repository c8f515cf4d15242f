/** The mathematics that the explorables of gradients repeat: pure functions, each compared with its Python twin. */
import { applyMask, scores, softmax, weigh } from "../attention/formulas.js";
import { dot } from "../numbers.js";

const turned = (A) => A[0].map((_, j) => A.map((row) => row[j]));

/** Output and weights of one attention, and the loss Σ dO ⊙ O, whose gradient with respect to O is dO. */
export function forward({ Q, K, V, dO }, mask) {
  const A = applyMask(scores(Q, K), mask).map(softmax);
  const O = weigh(A, V);
  return { A, O, loss: O.reduce((sum, row, i) => sum + dot(row, dO[i]), 0) };
}

/** What comes back through the attention: dV = Aᵀ dO, dA = dO Vᵀ, dS from the softmax, dQ and dK from dS. */
export function backward({ Q, K, V, dO }, mask) {
  const { A } = forward({ Q, K, V, dO }, mask);
  const dA = dO.map((g) => V.map((v) => dot(g, v)));
  const dS = A.map((a, i) => {
    const mean = dot(a, dA[i]);
    return a.map((x, j) => x * (dA[i][j] - mean));
  });
  const scaled = dS.map((row) => row.map((s) => s / Math.sqrt(Q[0].length)));
  return { dA, dS, dQ: weigh(scaled, K), dK: weigh(turned(scaled), Q), dV: weigh(turned(A), dO) };
}

/** The inputs with one entry of one matrix changed by `by`. */
export const nudged = (inputs, name, i, c, by) => ({
  ...inputs,
  [name]: inputs[name].map((row, r) => (r === i ? row.map((x, k) => (k === c ? x + by : x)) : row)),
});

/** The slope of the loss along one entry, from two losses a little to both sides of it. */
export function slope(inputs, mask, name, i, c, h) {
  const loss = (by) => forward(nudged(inputs, name, i, c, by), mask).loss;
  return (loss(h) - loss(-h)) / (2 * h);
}
