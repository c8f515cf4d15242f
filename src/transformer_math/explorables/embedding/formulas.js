/** The mathematics that the explorables of embeddings repeat: pure functions, each compared with its Python twin. */

/** c^α / Σ c^α for some words; `rest` holds the counts of all others, as [count, how many words]. */
export function noiseShares(counts, rest, power) {
  const weights = counts.map((c) => c ** power);
  const total = rest.reduce((sum, [c, many]) => sum + many * c ** power, weights.reduce((a, b) => a + b, 0));
  return weights.map((w) => w / total);
}

/** −ln σ(x), that is ln(1 + e^(−x)), without overflow. */
export const surprise = (x) => Math.max(-x, 0) + Math.log1p(Math.exp(-Math.abs(x)));

/** What a pair adds to the loss at a score, for each time that it comes, real or invented. */
export const pairLoss = (score, real, invented) =>
  (real * surprise(score) + invented * surprise(-score)) / (real + invented);

/** The score at which that is smallest. */
export const bestScore = (real, invented) => Math.log(real / invented);
