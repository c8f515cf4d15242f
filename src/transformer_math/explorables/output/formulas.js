/** From logits to the next token, as `output/probabilities.py` and `output/decoding.py` have it. */

/** log softmax(logits). */
function logSoftmax(logits) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const total = logits.reduce((sum, x) => sum + Math.exp(x - highest), 0);
  return Float64Array.from(logits, (x) => x - highest - Math.log(total));
}

/** softmax(logits / T). */
export function probabilities(logits, temperature = 1) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const powers = Float64Array.from(logits, (x) => Math.exp((x - highest) / temperature));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** Its limit for T → 0: the largest logits share everything. */
export function coldest(logits) {
  const highest = Math.max(...logits);
  const count = logits.filter((x) => x === highest).length;
  return logits.map((x) => (x === highest ? 1 / count : 0));
}

/** The tokens from the largest number to the smallest; of equal ones, the smaller id first. */
export const ranked = (x) => Uint32Array.from(x, (_, v) => v).sort((a, b) => x[b] - x[a] || a - b);

/** The first k of `ranked(x)`, without sorting all of them. */
export function highest(x, k = 1) {
  const best = [];
  for (let v = 0; v < x.length; v += 1) {
    let at = Math.min(best.length, k);
    while (at > 0 && x[v] > x[best[at - 1]]) at -= 1;
    if (at === k) continue;
    best.splice(at, 0, v);
    best.length = Math.min(best.length, k);
  }
  return best;
}

/** The tokens for which `keeps(rank, v)` holds, the whole probability shared among them. */
function kept(p, order, keeps) {
  const found = new Float64Array(p.length);
  order.forEach((v, rank) => keeps(rank, v) && (found[v] = p[v]));
  const total = found.reduce((a, b) => a + b, 0);
  return found.map((x) => x / total);
}

/** The k likeliest tokens. */
export const topK = (p, k) => kept(p, ranked(p), (rank) => rank < k);

/** The fewest tokens that together have at least this probability, the likeliest first. */
export function nucleus(p, mass) {
  const order = ranked(p);
  const behind = new Float64Array(p.length + 1);
  for (let rank = p.length - 1; rank >= 0; rank -= 1) behind[rank] = behind[rank + 1] + p[order[rank]];
  return kept(p, order, (rank) => rank === 0 || behind[rank] > 1 - mass);
}

/** The token that a uniform number in 0 … 1 falls on, when the probabilities are laid side by side. */
export function draw(p, u) {
  let [sum, last] = [0, 0];
  for (let v = 0; v < p.length; v += 1) {
    if (p[v] > 0) last = v;
    sum += p[v];
    if (u < sum) return v;
  }
  return last;
}

/**
 * One round of a beam search: each hypothesis { added, logP } grows by the tokens that could still be among the best,
 * `logits[i]` being those after hypothesis i; the best `width` of all that came up stay.
 */
export function beamRound(found, logits, width, power = 0) {
  const grown = found.flatMap(({ added, logP }, i) => {
    const ofNext = logSoftmax(logits[i]);
    return highest(logits[i], width).map((v) => ({ added: [...added, v], logP: logP + ofNext[v] }));
  });
  const score = ({ added, logP }) => logP / added.length ** power;
  return grown.map((one) => ({ ...one, score: score(one) })).sort((a, b) => b.score - a.score).slice(0, width);
}
