/** Unigram as `tokenization/unigram.py` has it: lattices, sums over them, the best ways, draws, and a step of EM. */

const PENALTY = 10; // nats that an unknown character costs more than the rarest piece

const logSum = (x) => {
  const highest = Math.max(...x);
  return highest === -Infinity ? -Infinity : highest + Math.log(x.reduce((sum, y) => sum + Math.exp(y - highest), 0));
};
const byCodePoint = (a, b) => {
  const [x, y] = [[...a], [...b]];
  const k = x.findIndex((c, i) => c !== y[i]);
  return x.length - y.length || (k < 0 ? 0 : x[k].codePointAt(0) - y[k].codePointAt(0));
};

/** The distinct words of a text with their counts, as [word, count]: at most `most` of them, cut after `longest` characters. */
export function wordCounts(text, most, longest) {
  const found = new Map();
  for (const whole of text.split(" ").filter((part) => part !== "")) {
    const word = [...whole].slice(0, longest).join("");
    if (found.has(word) || found.size < most) found.set(word, (found.get(word) ?? 0) + 1);
  }
  return [...found];
}

/** All characters, and all substrings of up to `longest` that occur twice, as [piece, log-probability]: each as probable as it has characters in the corpus. */
export function firstPieces(counts, longest) {
  const found = new Map();
  for (const [word, count] of counts) {
    const characters = [...word];
    for (let i = 0; i < characters.length; i += 1) {
      for (let j = i + 1; j <= Math.min(i + longest, characters.length); j += 1) {
        const piece = characters.slice(i, j).join("");
        found.set(piece, (found.get(piece) ?? 0) + count);
      }
    }
  }
  const kept = [...found].filter(([piece, count]) => [...piece].length === 1 || count >= 2).sort(([a], [b]) => byCodePoint(a, b));
  const weights = kept.map(([piece, count]) => count * [...piece].length);
  const total = weights.reduce((a, b) => a + b, 0);
  return kept.map(([piece], t) => [piece, Math.log(weights[t]) - Math.log(total)]);
}

/** L[i][j]: the score of the piece from place i to place j, −∞ where there is none; an unknown character has an edge too. */
export function latticeOf(word, pieces) {
  const characters = [...word];
  const scores = new Map(pieces);
  const unknown = Math.min(...pieces.map(([, score]) => score).filter((score) => score > -Infinity)) - PENALTY;
  const places = Array.from({ length: characters.length + 1 }, (_, i) => i);
  const edge = (i, j) => {
    const score = (i < j ? scores.get(characters.slice(i, j).join("")) : undefined) ?? -Infinity;
    return j === i + 1 && score === -Infinity ? unknown : score;
  };
  return places.map((i) => places.map((j) => edge(i, j)));
}

/** L / T. */
export const heated = (L, T) => L.map((row) => row.map((score) => score / T));

/** α: the logarithm of the sum over all ways from place 0 to each place. */
export function forwardSums(L) {
  const alpha = [0];
  for (let j = 1; j < L.length; j += 1) alpha.push(logSum(alpha.map((before, i) => before + L[i][j])));
  return alpha;
}

/** β: the logarithm of the sum over all ways from each place to the last. */
export function backwardSums(L) {
  const beta = L.map(() => 0);
  for (let i = L.length - 2; i >= 0; i -= 1) beta[i] = logSum(L[i].slice(i + 1).map((score, k) => score + beta[i + 1 + k]));
  return beta;
}

/** γ: the share of all ways that use each edge. */
export function edgePosteriors(L) {
  const [alpha, beta] = [forwardSums(L), backwardSums(L)];
  return L.map((row, i) => row.map((score, j) => Math.exp(alpha[i] + score + beta[j] - alpha.at(-1))));
}

/** The n best ways, each { score, cuts } with the places it comes by; of equals, the one with the longer last piece. */
export function bestWays(L, n) {
  const ways = [[{ score: 0, cuts: [0] }]];
  for (let j = 1; j < L.length; j += 1) {
    const found = ways.flatMap((before, i) => (L[i][j] > -Infinity ? before.map(({ score, cuts }) => ({ score: score + L[i][j], cuts: [...cuts, j] })) : []));
    ways.push(found.sort((a, b) => b.score - a.score).slice(0, n));
  }
  return ways.at(-1);
}

/** Draw a way backwards from the last place, with one uniform number for each piece. */
export function drawnCuts(L, uniforms) {
  const alpha = forwardSums(L);
  const cuts = [L.length - 1];
  while (cuts[0] > 0) {
    const j = cuts[0];
    let [sum, i] = [0, 0];
    for (; i < j - 1; i += 1) {
      sum += Math.exp(alpha[i] + L[i][j] - alpha[j]);
      if (uniforms[cuts.length - 1] < sum) break;
    }
    cuts.unshift(i);
  }
  return cuts;
}

/** One step of EM: the pieces with their new log-probabilities, and the log-likelihood before the step. */
export function emStep(counts, pieces) {
  const number = new Map(pieces.map(([piece], t) => [piece, t]));
  const expected = pieces.map(() => 0);
  let likelihood = 0;
  for (const [word, count] of counts) {
    const [characters, L] = [[...word], latticeOf(word, pieces)];
    const gamma = edgePosteriors(L);
    likelihood += count * forwardSums(L).at(-1);
    gamma.forEach((row, i) => row.forEach((share, j) => {
      const t = share > 0 ? number.get(characters.slice(i, j).join("")) : undefined;
      if (t !== undefined) expected[t] += count * share;
    }));
  }
  const total = expected.reduce((a, b) => a + b, 0);
  return { likelihood, pieces: pieces.map(([piece], t) => [piece, Math.log(expected[t] / total)]) };
}
