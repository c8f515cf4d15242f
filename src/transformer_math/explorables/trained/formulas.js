/** What heads are measured by: where they look, over a whole text. `A[i][j]` is what token i gives to token j ≤ i. */
import { dot, mean, range } from "../numbers.js";

/** How much of its attention a head gives to the token before; of one token there is none before. */
export const previousTokenScore = (A) => (A.length < 2 ? NaN : mean(range(A.length - 1).map((i) => A[i + 1][i])));

/** How much a head gives to what came after earlier places of the same token; NaN where no token comes twice. */
export function prefixMatchingScore(A, ids) {
  const places = ids.map((id, i) => range(i).filter((j) => ids[j] === id));
  const again = range(ids.length).filter((i) => places[i].length > 0);
  return again.length ? mean(again.map((i) => places[i].reduce((sum, j) => sum + A[i][j + 1], 0))) : NaN;
}

/** The tokens that can be known: what came before them has come before, and then, too, they came next. */
export const copies = (ids) => range(ids.length).filter((i) => range(i).some((j) => j > 0 && ids[j - 1] === ids[i - 1] && ids[j] === ids[i]));

/** How much a head gives to the token that looks. */
export const ownTokenScore = (A) => mean(A.map((row, i) => row[i]));

// ---- what parts of a sum of vectors add to the logits that are read from it ----

/** Each part as it comes to E, with the divisor of the last norm held: its inner product with row v is what it adds to logit v. */
export function scaledParts(parts, gamma, eps) {
  const centred = parts.map((part) => {
    const middle = mean(Array.from(part));
    return Array.from(part, (value) => value - middle);
  });
  const sum = centred[0].map((_, j) => centred.reduce((total, part) => total + part[j], 0));
  const divisor = Math.sqrt(mean(sum.map((value) => value ** 2)) + eps);
  return centred.map((part) => part.map((value, j) => (gamma[j] * value) / divisor));
}

/** What scaled parts add to the logit that one direction reads: a row of E less another, or less the mean of all rows. */
export const addedAlong = (scaled, direction) => scaled.map((part) => dot(part, direction));

// ---- a word in several sentences ----

const WORD = /[\p{L}\p{N}]+/gu;

/** The first words of a text, in small letters. */
export const wordsOf = (text, most) => (text.match(WORD) ?? []).slice(0, most).map((word) => word.toLowerCase());

/** The words that stand in every one of some sentences that has words, in the order of the first; of one alone, none. */
export function sharedWords(sentences) {
  const [first, ...others] = sentences.filter((words) => words.length > 0);
  return others.length ? [...new Set(first)].filter((word) => others.every((words) => words.includes(word))) : [];
}

/** The word that is asked for, if it is shared; or the last of the longest that are. */
export const chosenOf = (shared, asked) =>
  shared.includes(asked) ? asked : shared.reduce((best, word) => (Array.from(word).length >= Array.from(best ?? "").length ? word : best), null);

/** A text as far as the end of the last of its first words that is this one. */
export function upTo(text, word, most) {
  const found = Array.from(text.matchAll(WORD)).slice(0, most).filter(([one]) => one.toLowerCase() === word).at(-1);
  return text.slice(0, found.index + found[0].length);
}
