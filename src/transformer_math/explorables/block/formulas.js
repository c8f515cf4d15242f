/** The mathematics that the explorables of the block repeat: pure functions, each compared with its Python twin. */
import { dot, length, mean } from "../numbers.js";

/** γ ⊙ (x − μ) / √(σ² + ε) + β. */
export function layerNorm(x, gamma, beta, eps) {
  const centre = mean(x);
  const centred = x.map((value) => value - centre);
  const scale = Math.sqrt(mean(centred.map((value) => value ** 2)) + eps);
  return centred.map((value, i) => (gamma[i] * value) / scale + beta[i]);
}

/** γ ⊙ x / √(mean of the squares + ε). */
export function rmsNorm(x, gamma, eps) {
  const scale = Math.sqrt(mean(x.map((value) => value ** 2)) + eps);
  return x.map((value, i) => (gamma[i] * value) / scale);
}

/** Three directions at right angles: two in the plane of all vectors whose entries sum to 0, and the one that it lacks. */
const FRAME = [[1, -1, 0], [1, 1, -2], [1, 1, 1]].map((v) => v.map((value) => value / length(v)));

/** A vector of three entries along these directions: where it is in the plane, and its height over it. */
export const toPlane = (x) => FRAME.map((direction) => dot(direction, x));

/** And back. */
export const fromPlane = (parts) => parts.map((_, i) => FRAME.reduce((sum, direction, k) => sum + parts[k] * direction[i], 0));
