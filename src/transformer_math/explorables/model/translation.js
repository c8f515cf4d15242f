/** The date translator at work: it reads the source at once, then writes one character after the other. */
import { quoted } from "../kit.js";
import { highest, probabilities } from "../output/formulas.js";
import { encodeSource, openTranslation, readEncoderDecoder, writeToken } from "./formulas.js";

const SIGNS = { " ": "␣", "[begin]": "⊢", "[end]": "⊣", "[pad]": "∅" };
/** A token of either side as it is shown. */
export const visible = (token) => SIGNS[token] ?? token;

/** Characters and model of a checkpoint's parts. */
export function openTranslator(tensors) {
  const config = JSON.parse(tensors.config);
  const [source, target] = [JSON.parse(tensors.source), JSON.parse(tensors.target)];
  const ids = new Map(source.map((character, id) => [character, id]));
  const known = (text) => Array.from(Array.from(text).filter((character) => ids.has(character)).join("").trim());
  const encode = (characters) => [...characters, "[end]"].map((character) => ids.get(character));
  const unknown = (text) => [...new Set(Array.from(text).filter((character) => !ids.has(character)))];
  const [begin, end] = ["[begin]", "[end]"].map((name) => target.indexOf(name));
  return { model: readEncoderDecoder(tensors, config.n_heads), source, target, known, encode, unknown, begin, end };
}

const NAMED = 5; // characters that a note names

/** What of a date is not read, in words: characters that the model has not, and all after the first `most`. */
export function unread({ known, unknown }, text, most) {
  const [strange, notes] = [unknown(text), []];
  const more = strange.length > NAMED ? ` and ${strange.length - NAMED} more` : "";
  if (strange.length) notes.push(`The model has no character ${strange.slice(0, NAMED).map(quoted).join(" ")}${more}: left out.`);
  if (known(text).length > most) notes.push(`Only the first ${most} characters are read.`);
  return notes;
}

const SURE = 0.999; // of dates that it was made for the model is surer
const [FIRST, LAST] = ["1600-01-01", "2199-12-31"];

/** Why what the model wrote is not to be trusted; nothing where it is. */
export function doubt(iso, rows) {
  const sure = rows.reduce((product, { logits, id }) => product * probabilities(logits)[id], 1);
  if (sure < SURE) return "the model is not sure";
  const day = new Date(`${iso}T00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== iso) return "there is no such day";
  return iso < FIRST || iso > LAST ? `it learnt the years ${FIRST.slice(0, 4)} to ${LAST.slice(0, 4)}` : "";
}

/** `rows[i]` is step i: what it read, logits, attention, and the character that it wrote, the likeliest unless it was given. */
export function writer({ model, begin, end }, longest) {
  const rows = [];
  let [source, given, off, encoded, memory] = [[], [], [], undefined, undefined];
  const aim = (wanted, written, without) => {
    [source, given, off, encoded] = [wanted, written, without, undefined];
    rows.length = 0;
  };
  const done = () => source.length === 0 || (rows.length > 0 && (rows.at(-1).id === end || rows.length === longest));
  const advance = () => {
    if (done()) return false;
    if (!encoded) {
      encoded = encodeSource(model, source, off);
      memory = openTranslation(model, encoded);
      return true;
    }
    const read = rows.length ? rows.at(-1).id : begin;
    const { logits, attention } = writeToken(model, memory, read, off);
    rows.push({ read, logits, attention, id: given[rows.length] ?? highest(logits)[0] });
    return !done();
  };
  return { rows, aim, done, advance, encoder: () => encoded?.attention, encoded: () => encoded };
}
