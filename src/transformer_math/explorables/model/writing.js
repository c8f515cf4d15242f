/** The language model goes on with a text in whole words, as `continuation.py` has it; one token is read or drawn at a time. */
import { uniforms } from "../numbers.js";
import { probabilities } from "../output/formulas.js";
import { decodeText, encodeChunk, pretokenize } from "../tokenization/formulas.js";
import { bare, reader } from "./reader.js";

const bytesOf = (text) => new TextEncoder().encode(text);
const SPACE = 32;
const LINE_END = 10;
const ENDS = [..."?!."].map((sign) => sign.charCodeAt(0));

/** Chunks as ids; those of a chunk are found once. */
function encoder({ ranks }) {
  const known = new Map();
  const ids = (chunk) => known.get(chunk) ?? known.set(chunk, encodeChunk(bytesOf(chunk), ranks)).get(chunk);
  return (chunks) => chunks.flatMap(ids);
}

/** The last ids; where more are typed, as many are dropped at once as a half of them, so that what was read still counts. */
function readLast(ids, most) {
  const half = most / 2;
  return ids.slice(half * Math.max(0, Math.ceil((ids.length - most) / half)));
}

const STRAIGHT = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'" }; // the model's texts have no others
const UNREAD = /[^\x21-\x7eÀ-ÿ—]+/gu; // spaces, and what the model's texts have not

/** A text as the model takes it: words between single spaces, as inside a paragraph. */
export function heard(text) {
  const words = text.replace(/[“”„‘’]/g, (sign) => STRAIGHT[sign]).replace(UNREAD, " ").trim();
  return words && ` ${words}`;
}

/** The signs of a text that the model never saw, and does not read, each once. */
export const unknownIn = (text) => [...new Set(text.match(/[^\s\x21-\x7eÀ-ÿ—“”„‘’]\p{M}*/gu))];

/** What is read; where a last word may be unfinished, what stands before it, its bytes, and its own ids. */
export function plan(text, encode, most) {
  const read = heard(text);
  const chunks = pretokenize(read);
  const all = encode(chunks);
  const ids = readLast(all, most);
  const own = /\p{L}$/u.test(text) && text.at(-1) === read.at(-1) ? encode(chunks.slice(-1)) : [];
  const before = own.length ? ids.slice(0, -own.length) : [];
  const [dropped, newWord] = [all.length - ids.length, /[\p{L}\p{N}]$/u.test(read)];
  if (before.length === 0) return { ids, dropped, start: [], own, newWord };
  return { ids: before, dropped, start: [...bytesOf(chunks.at(-1))], own, newWord };
}

/** The likeliest token of those that may come. */
function likeliest(logits, may) {
  let best = -1;
  for (let v = 0; v < logits.length; v += 1) if (may(v) && (best < 0 || logits[v] > logits[best])) best = v;
  return best;
}

/** Whether no token that begins like a word's last one is likelier before it, nor, after several tokens, one that lengthens the word. */
function finished([before, after], tokens, own) {
  const last = own.at(-1);
  if (likeliest(before, (v) => begins(tokens[v], [...tokens[last]])) !== last) return false;
  return own.length === 1 || !lengthens(tokens[likeliest(after, () => true)][0]);
}

const lengthens = (byte) => byte >= 128 || (byte >= 48 && byte < 58) || (byte >= 65 && byte < 91) || (byte >= 97 && byte < 123);

const begins = (token, bytes) => bytes.every((byte, i) => token[i] === byte);

/** Whether a token may stand behind what is written: its bytes go on as UTF-8, and no two spaces meet. */
function follows(token, written) {
  if (written.at(-1) === SPACE && token[0] === SPACE) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from([...written, ...token]), { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Which tokens may follow: no line ends; none that lengthens a finished word; those that complete an unfinished one, or begin it. */
function allowed(tokens, rest, newWord, written) {
  const completing = (token) => begins(token, rest) && !token.includes(LINE_END) && !(newWord && lengthens(token[0])) && follows(token, written);
  const some = rest.length === 0 || tokens.some((token) => begins(token, rest));
  return some ? completing : (token) => begins(rest, token);
}

/** The token on which a uniform number falls, among those that may come and are likely enough beside the likeliest. */
export function drawAmong(p, may, share, u) {
  let [highest, total, last] = [0, 0, 0];
  for (let v = 0; v < p.length; v += 1) if (p[v] > highest && may(v)) highest = p[v];
  const counts = (v) => p[v] >= share * highest && may(v);
  for (let v = 0; v < p.length; v += 1) if (counts(v)) total += p[v];
  let left = u * total;
  for (let v = 0; v < p.length; v += 1) {
    if (!counts(v)) continue;
    last = v;
    left -= p[v];
    if (left < 0) return v;
  }
  return last;
}

/** `advance()` reads or draws one token and says whether another is left; `words()` are those that are whole. */
export function writer({ model, bpe }, limits) {
  const [reading, encode] = [reader(model), encoder(bpe)];
  let job;
  const aim = (text, seed) => {
    const planned = plan(text, encode, limits.read);
    const open = planned.start.length > 0; // whether the last word is finished is not known yet
    job = { ...planned, open, rest: [...planned.start], words: [], added: [], uniform: uniforms(seed), done: planned.ids.length === 0 };
    reading.aim([...job.ids, ...(open ? job.own : [])], []);
  };
  /** A last word that is finished counts as read; one that is not is written anew. */
  const decide = () => {
    job.open = false;
    if (finished(reading.rows.slice(-2).map((row) => row.logits), bpe.tokens, job.own)) Object.assign(job, { ids: [...job.ids, ...job.own], start: [], rest: [] });
    else job.newWord = false;
    reading.aim(job.ids, []);
  };
  const end = (unfinished) => {
    job.done = true;
    if (unfinished && job.words.length > 1) job.words.pop();
  };
  const draw = () => {
    if (job.open) return decide();
    const p = probabilities(reading.rows.at(-1).logits);
    const { rest, newWord, words } = job;
    const may = allowed(bpe.tokens, rest, newWord, job.added.flatMap((v) => [...bpe.tokens[v]]));
    const token = drawAmong(p, (v) => may(bpe.tokens[v]), limits.share, job.uniform());
    const bytes = bpe.tokens[token];
    const fresh = bytes[0] === SPACE && rest.length === 0;
    if (fresh && words.length === limits.words) return end(false);
    if (fresh || words.length === 0) words.push({ ids: [], p: 1 });
    words.at(-1).ids.push(token);
    words.at(-1).p *= p[token];
    job.added.push(token);
    Object.assign(job, { rest: rest.slice(bytes.length), newWord: false });
    if (words.length >= limits.shortest && ENDS.includes(bytes.at(-1))) return end(false);
    if (job.added.length === limits.tokens) return end(true);
    return reading.aim([...job.ids, ...job.added], []);
  };
  const advance = () => {
    if (job.done) return false;
    if (reading.left() > 0) reading.advance();
    else draw();
    return !job.done;
  };
  const whole = () => (job.done ? job.words : job.words.slice(0, -1));
  const words = () => whole().map(({ ids, p }) => ({ text: decodeText(ids, bpe).trim(), p }));
  /** What stands after the text: without what is typed of an unfinished word, and without a second space. */
  const ghost = (text) => {
    const typed = new TextDecoder().decode(Uint8Array.from(job.start));
    const written = decodeText(whole().flatMap(({ ids }) => ids), bpe).slice(typed.length);
    return bare(text) === text ? written : written.replace(/^ /, "");
  };
  return { aim, advance, words, ghost, job: () => job };
}
