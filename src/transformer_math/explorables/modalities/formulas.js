/** The formulas of the group modalities. */
import { range } from "../numbers.js";

/** The patches of a picture, row by row, each as one list; a row of the picture holds its pixels with their C channels. */
export function patchify(X, P, C) {
  const side = P * C;
  const square = (r, s) => range(P).flatMap((a) => X[r * P + a].slice(s * side, (s + 1) * side));
  return range(X.length / P).flatMap((r) => range(X[0].length / side).map((s) => square(r, s)));
}

/** An order in which n patches look shuffled: the patch that comes to each place. */
export const shuffledOrder = (n) => range(n).map((i) => (7 * i + 3) % n);

/** A mask over a class token and the patches of F frames of N places, in which patches see each other where they agree. */
const maskOf = (F, N, agree) => {
  const tokens = range(F * N + 1);
  return tokens.map((i) => tokens.map((j) => i === 0 || j === 0 || agree(i - 1, j - 1)));
};

/** Each patch sees its own frame, and the class token. */
export const spaceMask = (F, N) => maskOf(F, N, (i, j) => Math.floor(i / N) === Math.floor(j / N));

/** Each patch sees its own place in all frames, and the class token. */
export const timeMask = (F, N) => maskOf(F, N, (i, j) => i % N === j % N);

/** From which tokens something can have come to token i, after a step under one mask and a step under another. */
export const reachedFrom = (first, then, i) => {
  const seen = range(then.length).filter((k) => then[i][k]);
  return range(first.length).map((j) => seen.some((k) => first[k][j]));
};

/** How many pairs a mask allows. */
export const pairsOf = (mask) => mask.reduce((sum, row) => sum + row.filter(Boolean).length, 0);

const square = (x) => x * x;

/** The square of their distance. */
export function apart(x, y) {
  let sum = 0;
  for (let k = 0; k < x.length; k += 1) sum += square(x[k] - y[k]);
  return sum;
}

/** So many points, each the farthest from those before it; of several as far, the first. */
export function farthestPoints(X, number, start = 0) {
  const distances = X.map(() => Infinity);
  const chosen = [];
  let next = start;
  while (chosen.length < number) {
    chosen.push(next);
    const from = next;
    let best = -Infinity;
    for (let i = 0; i < X.length; i += 1) {
      distances[i] = i === from ? -1 : Math.min(distances[i], apart(X[i], X[from]));
      if (distances[i] > best) [best, next] = [distances[i], i];
    }
  }
  return chosen;
}

/** The numbers of the k points nearest to each centre, the nearest first; of two as near, the first. */
export const nearestNeighbours = (C, X, k) => C.map((c) => nearest(c, X, k));

function nearest(c, X, k) {
  const [found, D] = [[], []]; // the best so far, in order
  for (let i = 0; i < X.length; i += 1) {
    const own = apart(X[i], c);
    if (found.length === k && own >= D[k - 1]) continue;
    let place = Math.min(found.length, k - 1);
    for (; place > 0 && D[place - 1] > own; place -= 1) [found[place], D[place]] = [found[place - 1], D[place - 1]];
    [found[place], D[place]] = [i, own];
  }
  return found;
}

/** The points of each group as seen from its centre. */
export const localGroups = (X, C, neighbours) => neighbours.map((members, q) => members.map((i) => X[i].map((v, k) => v - C[q][k])));

function layer(x, W, b) {
  const y = b.slice();
  for (let i = 0; i < x.length; i += 1) {
    const [v, row] = [x[i], W[i]];
    if (v === 0) continue; // what a ReLU cut off adds nothing
    for (let j = 0; j < y.length; j += 1) y[j] += v * row[j];
  }
  return y;
}

/** One vector for a set of points: two layers for each, and the largest of every entry. */
export function pointNet(X, W1, b1, W2, b2) {
  const each = X.map((x) => layer(layer(x, W1, b1).map((v) => Math.max(0, v)), W2, b2));
  return each.reduce((largest, h) => largest.map((v, j) => Math.max(v, h[j])));
}

/** The number of the code that is nearest to a vector. */
export function nearestCode(z, codebook) {
  const D = codebook.map((code) => apart(code, z));
  return D.indexOf(Math.min(...D));
}

/** Points turned about the vertical and tilted, angles in degrees: to the right, up, towards us. */
export function turned(X, yaw, tilt) {
  const [a, b] = [yaw, tilt].map((degrees) => (degrees * Math.PI) / 180);
  return X.map(([x, y, z]) => {
    const [right, back] = [x * Math.cos(a) + z * Math.sin(a), z * Math.cos(a) - x * Math.sin(a)];
    return [right, y * Math.cos(b) - back * Math.sin(b), y * Math.sin(b) + back * Math.cos(b)];
  });
}
