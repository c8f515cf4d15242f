/** The language model at work: it reads a text token by token, keeps what it read, and reads on where a text changed. */
import { decodeText, encodeText, makeBpe } from "../tokenization/formulas.js";
import { namedBytes } from "../tokenization/encoders/labels.js";
import { highest, probabilities } from "../output/formulas.js";
import { freshMemory, nextOf, outsideOf, readLanguageModel, statesOf, tracing } from "./formulas.js";
import { slices } from "../work.js";

/** Text and model of a checkpoint's parts. */
export function openLanguageModel(tensors) {
  const { n_heads: nHeads } = JSON.parse(tensors.config);
  const bpe = makeBpe(JSON.parse(tensors.merges));
  return { bpe, model: readLanguageModel(tensors, nHeads), encode: (text) => encodeText(text, bpe) };
}

/** The text without spaces at its end: a token of a space alone is followed by other things than words. */
export const bare = (text) => text.replace(/[ \t\r\n]+$/, "");

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f\ufffd]/; // no character, or one that no font shows

/** A token as a reader sees it: a space as ␣, a line's end as ⏎, bytes that cannot be seen each by its number. */
export function tokenLabel(id, bpe) {
  const text = decodeText([id], bpe);
  if (UNSEEN.test(text)) return namedBytes(bpe.tokens[id]);
  return text.replaceAll("\n", "⏎").replaceAll(" ", "␣").replaceAll("\t", "⇥");
}

/** The logit lens on a token that was traced, a layer in each piece of work: the likeliest next token and its probability, before the first layer, after it, and so on; `found()` once all are there. */
export function lens(model, changed) {
  let [seen, states, guesses] = [undefined, [], []];
  const advance = () => {
    const p = probabilities(nextOf(model, states[guesses.length]).logits);
    const best = highest(p)[0];
    guesses.push([best, p[best]]);
    return guesses.length < states.length;
  };
  const start = slices(advance, changed);
  const aim = (row) => {
    if (seen === (seen = row)) return;
    [states, guesses] = [statesOf(row), []];
    start();
  };
  return { aim, found: () => (guesses.length === states.length ? guesses : undefined) };
}

/** `rows[i]` holds what is `kept` of token i, as far as the text has been read; a layer of one token in each piece of work. */
export function reader(model, kept = outsideOf) {
  const memory = freshMemory(model);
  const rows = [];
  let [ids, off, pieces] = [[], [], undefined];
  const aim = (wanted, without) => {
    const same = off.join() === without.join();
    let keep = 0;
    while (same && keep < rows.length && keep < wanted.length && ids[keep] === wanted[keep]) keep += 1;
    const goesOn = same && ids[keep] === wanted[keep]; // with the token that is being read
    if (!goesOn) {
      pieces = undefined;
      for (const { K, V } of memory) K.length = V.length = keep;
      rows.length = keep;
    }
    [ids, off] = [[...wanted], [...without]];
  };
  const left = () => ids.length - rows.length;
  const advance = () => {
    if (left() === 0) return false;
    pieces ??= tracing(model, memory, ids[rows.length], off);
    const { done, value } = pieces.next();
    if (done) {
      pieces = undefined;
      rows.push(kept(value));
    }
    return left() > 0;
  };
  return { rows, aim, left, advance, memory: () => memory };
}

/** Two readings of one text: with the heads that are off, and with all of them, for comparison. */
export function readings(model, changed) {
  const [now, whole] = [reader(model), reader(model)];
  let asked = "";
  const advance = () => now.advance() || whole.advance();
  const start = slices(advance, changed);
  const aim = (ids, off) => {
    if (asked === (asked = `${ids}|${off}`)) return;
    now.aim(ids, off);
    whole.aim(off.length ? ids : [], []);
    if (now.left() + whole.left() > 0) start();
  };
  const finish = () => {
    while (advance());
  };
  return { now: now.rows, whole: (off) => (off.length ? whole.rows : now.rows), left: () => now.left() + whole.left(), aim, finish };
}

/** `add(choose)` writes the token that is chosen by what was `told` of the last one, once for each reading: a second press may come before the first was read. */
export function nextToken(stage, most) {
  let [last, count] = [undefined, 0];
  const told = (scores, n) => ([last, count] = [scores, n]);
  const add = (choose) => {
    if (last && count < most) stage.set({ written: [...stage.get("written"), choose(last)], row: most - 1 });
    last = undefined;
  };
  return { add, told };
}
