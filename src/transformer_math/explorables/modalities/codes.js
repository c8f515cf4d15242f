/** What the figure of codes computes: frames from codes, how many codes are in use, sound from waves and waves from sound. */
import { range } from "../numbers.js";

/** How many of k codes are in use: the exponential of the entropy of their shares. */
export function perplexity(ids, k) {
  const counts = new Array(k).fill(0);
  for (const id of ids) counts[id] += 1;
  const entropy = counts.reduce((sum, c) => (c ? sum - (c / ids.length) * Math.log(c / ids.length) : sum), 0);
  return Math.exp(entropy);
}

/** A frame from the numbers of its codes: the codes side by side, times W, plus b. */
export function decode(ids, C, W, b) {
  const frame = [...b];
  ids.forEach((id, u) =>
    C[id].forEach((value, l) => {
      const row = W[u * C[0].length + l];
      for (let v = 0; v < frame.length; v += 1) frame[v] += value * row[v];
    }));
  return frame;
}

/** Half a wave, by which a window fades in and out. */
export const sineWindow = (n) => range(n).map((s) => Math.sin((Math.PI * (s + 0.5)) / n));

const turns = new Map();

/** The first n/2 of n points on the unit circle, computed once for each n. */
function circle(n) {
  if (!turns.has(n)) turns.set(n, [Math.cos, Math.sin].map((wave) => Float64Array.from({ length: n / 2 }, (_, f) => wave((2 * Math.PI * f) / n))));
  return turns.get(n);
}

/** The Fourier transform of n complex numbers, n a power of two, in place; `sign` is −1 on the way there and 1 on the way back. */
function transform(re, im, sign) {
  const n = re.length;
  const [cos, sin] = circle(n);
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let half = 1; half < n; half *= 2) {
    for (let f = 0; f < half; f += 1) {
      const c = cos[(f * n) / (2 * half)];
      const s = sign * sin[(f * n) / (2 * half)];
      for (let i = f; i < n; i += 2 * half) {
        const x = re[i + half] * c - im[i + half] * s;
        const y = re[i + half] * s + im[i + half] * c;
        re[i + half] = re[i] - x;
        im[i + half] = im[i] - y;
        re[i] += x;
        im[i] += y;
      }
    }
  }
}

/** The short-time Fourier transform: cosines and sines in each window; a piece for each of them. */
export function* stft(x, n, hop) {
  const [w, root] = [sineWindow(n), Math.sqrt(n)];
  const [A, B] = [[], []];
  for (let start = 0; start + n <= x.length; start += hop) {
    const [re, im] = [new Float64Array(n), new Float64Array(n)];
    for (let s = 0; s < n; s += 1) re[s] = (w[s] * x[start + s]) / root;
    transform(re, im, -1);
    A.push(Array.from(re.subarray(0, n / 2 + 1)));
    B.push(Array.from(im.subarray(0, n / 2 + 1)));
    yield;
  }
  return [A, B];
}

/** Back to a sound: windows over each other, divided by the squares of those that meet; a piece for each window. */
export function* istft(A, B, hop) {
  const n = 2 * (A[0].length - 1);
  const [w, root] = [sineWindow(n), Math.sqrt(n)];
  const [sum, squares] = [0, 0].map(() => new Float64Array((A.length - 1) * hop + n));
  for (const [t, a] of A.entries()) {
    const [re, im] = [new Float64Array(n), new Float64Array(n)];
    for (let f = 0; f <= n / 2; f += 1) {
      const inside = f > 0 && f < n / 2;
      [re[f], im[f]] = [a[f], inside ? B[t][f] : 0];
      if (inside) [re[n - f], im[n - f]] = [a[f], -B[t][f]];
    }
    transform(re, im, 1);
    for (let s = 0; s < n; s += 1) {
      sum[t * hop + s] += (w[s] * re[s]) / root;
      squares[t * hop + s] += w[s] * w[s];
    }
    yield;
  }
  return Array.from(sum, (value, u) => value / squares[u]);
}

/** Other magnitudes, the same phases, in one window; what was silent gets a cosine. */
function rescaled(a, b, m) {
  const lengths = a.map((x, f) => Math.hypot(x, b[f]));
  const scaled = (row, silent) => row.map((x, f) => (lengths[f] === 0 ? silent * m[f] : (m[f] * x) / lengths[f]));
  return [scaled(a, 1), scaled(b, 0)];
}

/** The same in every window. */
export function withMagnitudes(A, B, M) {
  const both = M.map((m, t) => rescaled(A[t], B[t], m));
  return [both.map(([a]) => a), both.map(([, b]) => b)];
}

/** Griffin and Lim: a sound of these magnitudes, whose phases are found in so many steps, a piece for each window; `began` is called with the number of each step. */
export function* searched(M, guess, steps, hop, began) {
  let [A, B] = guess.map((rows) => [...rows]);
  for (let step = 1; ; step += 1) {
    began?.(step);
    for (const [t, m] of M.entries()) {
      [A[t], B[t]] = rescaled(A[t], B[t], m);
      yield;
    }
    const x = yield* istft(A, B, hop);
    if (step === steps) return x;
    [A, B] = yield* stft(x, 2 * (M[0].length - 1), hop);
  }
}

/** A sound as it is played: without the ends that fewer windows cover, as loud as any other, faded in and out. */
export function heard(x, cut, level, fade) {
  const inner = x.slice(cut, x.length - cut);
  const last = inner.length - 1;
  const loud = Math.sqrt(inner.reduce((sum, v) => sum + v * v, 0) / inner.length);
  return inner.map((v, i) => ((level * v) / loud) * Math.min(1, i / fade) * Math.min(1, (last - i) / fade));
}
