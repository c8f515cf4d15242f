/** The mathematics that the explorables of positions repeat: pure functions, each compared with its Python twin. */
import { range } from "../numbers.js";

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

/** P_p · P_{p + offset} = Σ cos(ω_i offset), whatever p is: one number for each offset. */
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

/** ALiBi's slopes: those of the next lower power of two, filled up with every other one of twice as many heads. */
export function alibiSlopes(heads) {
  const p = 2 ** Math.floor(Math.log2(heads));
  return range(heads).map((h) => (h < p ? 2 ** ((-8 * (h + 1)) / p) : 2 ** ((-4 * (2 * (h - p) + 1)) / p)));
}

/** −m |i − j| for a head of that slope. */
export const alibiBias = (n, slope) => range(n).map((i) => range(n).map((j) => -slope * Math.abs(i - j)));

/** How many of the nearest tokens hold that share of the weight, where contents are alike. */
export const alibiSpan = (slope, share) => -Math.log(1 - share) / slope;
