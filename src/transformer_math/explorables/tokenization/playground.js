import { choice, clamp, explorable, grouped, html, newId, plural, set, slider, weights } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { slices } from "../work.js";
import { hex, visible } from "./encoders/labels.js";
import { lengthOf } from "./encoders/pieces.js";
import { openTokenizers } from "./encoders/tokenizers.js";
import { tokenRow } from "./token_row.js";

const names = ["text", "tokenizer", "token", "start", "show"];
const WINDOW = 80; // characters of which the tokens are shown
const BYTES = 12; // of a token that are told
const LEGEND = "Same id, same colour. Dashed: unknown. Choose a token: underlined is what the others make of its characters.";
const NOTHING = { start: -1, end: -1 };

/** The text of many lines; `changed(text, caret)` is told what was typed, and where the caret is, in characters. */
function passage(stage, changed) {
  const id = newId();
  const area = html("textarea", { id, rows: 3, spellcheck: "false", autocomplete: "off" });
  let written;
  const caret = () => lengthOf(area.value.slice(0, area.selectionStart));
  const tell = () => changed((written = area.value), caret());
  for (const event of ["input", "keyup", "click"]) area.addEventListener(event, tell);
  stage.syncs.push(({ text }) => {
    if (text !== written) area.value = written = text;
  });
  return html("div", { class: "xp-text" }, html("label", { for: id }, "Text"), area);
}

/** Buttons that write an example; the one that stands there is pressed. */
function exampleButtons(stage, write) {
  const buttons = stage.bounds.text.examples.map(([label, text]) => {
    const button = html("button", { type: "button", onclick: () => write(text) }, label);
    stage.syncs.push((state) => set(button, { "aria-pressed": state.text === text }));
    return button;
  });
  return html("div", { class: "xp-buttons xp-examples", role: "group", "aria-label": "Examples" }, ...buttons);
}

/** The part of the tokens that meets the window, as [from, to]. */
function shownOf(tokens, start) {
  const from = tokens.findIndex((token) => token.end > start || token.start >= start);
  const beyond = tokens.findIndex((token) => token.start >= start + WINDOW);
  return from < 0 ? [0, 0] : [from, beyond < 0 ? tokens.length : beyond];
}

const count = (cuts, name) => cuts[name].length;
/** Whether a tokenizer takes something in the text for a sign or word that it does not know. */
const loses = (name, { cuts, tokenizers }) => cuts[name].some(({ id }) => id === tokenizers[name].unknown);

/** Whether the token beside this one belongs to the same character. */
const sharesItsCharacter = (tokens, at) => tokens[at - 1]?.end > tokens[at]?.start || tokens[at + 1]?.start < tokens[at]?.end;

const TASKS = [
  ["let BPE cut in 3 what WordPiece keeps?", (now) => /^\S+$/.test(now.state.text) && count(now.cuts, "word_piece") === 1 && !loses("word_piece", now) && count(now.cuts, "bpe") === 3],
  ["write a word that only “words” lacks?", (now) => count(now.cuts, "words") === 1 && Object.keys(now.cuts).every((name) => loses(name, now) === (name === "words"))],
  ["choose a token less than a character?", ({ cuts, state, at }) => sharesItsCharacter(cuts[state.tokenizer], at)],
];

const listed = (bytes) => `${hex(bytes.slice(0, BYTES))}${bytes.length > BYTES ? ` … (${bytes.length} of them)` : ""}`;

async function build(stage) {
  const tokenizers = await weights(stage.model, "tokenizers", openTokenizers);
  const labels = stage.bounds.tokenizer.labels;
  const order = Object.keys(labels);
  const { most } = stage.bounds.text;
  let [text, characters, bytes, cuts, drawn] = [undefined, [], 0, {}, {}];
  const places = {};
  let [focusWanted, done] = [false, ""];

  const read = (given) => {
    if (given === text) return;
    [text, characters, bytes] = [given, Array.from(given), new TextEncoder().encode(given).length];
    [cuts, drawn] = [{}, {}];
  };
  const cut = (name) => (cuts[name] ??= tokenizers[name].encode(text));
  const startFor = (place) => {
    const start = stage.get("start");
    const inside = place >= start && place <= start + WINDOW;
    return inside ? start : Math.max(0, place - WINDOW / 2);
  };
  const write = (typed, caret) => {
    const kept = lengthOf(typed) > most ? Array.from(typed).slice(0, most).join("") : typed;
    const start = startFor(caret);
    read(kept);
    stage.set({ text: kept, start, token: inSight(start, caret) });
  };
  /** The chosen token while it is in the window, and else the one at the caret. */
  const inSight = (start, caret) => {
    const [tokens, chosen] = [cut(stage.get("tokenizer")), stage.get("token")];
    const [from, to] = shownOf(tokens, start);
    const there = Math.min(chosen, tokens.length - 1);
    return from <= there && there < to ? chosen : Math.max(0, tokens.findLastIndex((token) => token.start < caret));
  };
  const choose = (tokenizer, token) => {
    if (tokenizer === stage.get("tokenizer") && token === stage.get("token")) return;
    stage.set({ tokenizer, token });
  };
  /** Choose a token by keys: it comes into sight, and gets the focus. */
  const goTo = (name, wanted) => {
    const token = clamp(wanted, 0, cut(name).length - 1);
    if (token < 0) return;
    focusWanted = true;
    stage.set({ tokenizer: name, token, start: startFor(cut(name)[token].start) });
    stage.repaint();
  };
  const go = (name) => (dx, dy) => {
    if (Math.abs(dy) !== 1) return goTo(name, stage.get("token") + dx - dy);
    const other = order[clamp(order.indexOf(name) - dy, 0, order.length - 1)];
    look(); // a second press may come before the first was painted
    if (isOld(other)) paintRow(other);
    return goTo(other, other === name ? stage.get("token") : places[other]);
  };
  const rows = Object.fromEntries(
    order.map((name) => {
      const end = (sign) => goTo(name, sign < 0 ? 0 : cut(name).length - 1);
      return [name, tokenRow(labels[name], { choose: (token) => choose(name, token), go: go(name), end })];
    }),
  );
  const last = () => {
    read(stage.get("text"));
    return Math.max(0, characters.length - WINDOW);
  };
  const window = slider(stage, {
    name: "start",
    label: ["Shown from"],
    max: last,
    step: 1,
    read: (state) => Math.min(state.start, last()),
    show: (start) => grouped(Math.min(start, last())),
  });
  const shown = choice(stage, { name: "show", label: "Show" });
  const grid = html("div", { class: "xp-rows" }, ...order.map((name) => rows[name].node));
  const area = passage(stage, write);
  const examples = exampleButtons(stage, (example) => stage.set({ text: example, start: 0, token: 0 }));
  const legend = html("p", { class: "xp-caption xp-key-of-rows" }, LEGEND);
  const tasks = goalsBeside(stage, TASKS);
  const ways = html("div", {}, examples, html("div", { class: "xp-part xp-inline" }, shown, window));
  stage.root.append(html("div", { class: "xp-typing" }, area, ways), grid, legend, tasks.node);
  read(stage.get("text"));

  const chosenSentence = (name, at) => {
    const { id, start, end } = cut(name)[at];
    const covered = characters.slice(start, end).join("");
    const meant = tokenizers[name].bytes?.[id] ?? (name === "bytes" ? [id] : [...new TextEncoder().encode(covered)]);
    const where = end === start ? "no character" : end - start === 1 ? `character ${start}` : `characters ${start} to ${end - 1}`;
    const instead = id === tokenizers[name].unknown ? ` (unknown: “${visible(covered.slice(0, 24))}”)` : "";
    return `Position ${at} of ${plural(cut(name).length, "token")} in ${labels[name]}: “${tokenizers[name].names[id]}”${instead}, id ${id}, bytes ${listed(meant)}, ${where}.`;
  };
  const sizes = () => {
    const full = characters.length === most ? " (no more fit)" : "";
    return `The text: ${grouped(characters.length)} ${characters.length === 1 ? "character" : "characters"}${full}, ${grouped(bytes)} ${bytes === 1 ? "byte" : "bytes"}.`;
  };
  const seen = (start, what) => {
    const parts = [what === "ids" && what, last() > 0 && `characters ${start} to ${start + WINDOW - 1}`].filter(Boolean);
    return parts.length ? ` In sight: ${parts.join(" of ")}.` : "";
  };
  let now;
  /** Take down the state that is asked for. */
  const look = () => {
    now = Object.fromEntries(names.map((name) => [name, stage.get(name)]));
    read(now.text);
  };
  const chosenAt = () => Math.min(now.token, cut(now.tokenizer).length - 1);
  /** What a row shows of its tokens. */
  const partOf = (name) => {
    const linked = cut(now.tokenizer)[chosenAt()] ?? NOTHING;
    return { start: Math.min(now.start, last()), linked, at: name === now.tokenizer ? chosenAt() : -1, ids: now.show === "ids" };
  };
  const isOld = (name) => drawn[name] !== JSON.stringify(partOf(name));
  const paintRow = (name) => {
    const [tokens, part] = [cut(name), partOf(name)];
    const [from, to] = shownOf(tokens, part.start);
    places[name] = rows[name].paint({ ...tokenizers[name], ...part, tokens, from, to, length: characters.length });
    drawn[name] = JSON.stringify(part);
  };
  look();
  order.forEach(paintRow);
  // from now on, the chosen token's row answers at once and the others in the frames after it
  const paintOthers = slices(
    () => {
      const name = order.find(isOld);
      if (name) paintRow(name);
      return order.some(isOld);
    },
    () => order.some(isOld) || stage.repaint(),
  );
  return (state) => {
    look();
    const { tokenizer } = state;
    const at = chosenAt();
    set(window, { class: last() > 0 ? "xp-slider" : "xp-slider xp-away" });
    if (isOld(tokenizer)) paintRow(tokenizer);
    if (focusWanted) rows[tokenizer].focus(at);
    focusWanted = false;
    for (const name of order) set(rows[name].node, { "aria-busy": isOld(name) });
    if (order.some(isOld)) paintOthers();
    else done = tasks.paint({ cuts, tokenizers, state, at });
    if (characters.length === 0) return "No text yet.";
    const chosen = at < 0 ? `${labels[tokenizer]}: no token.` : chosenSentence(tokenizer, at);
    return `${chosen} ${sizes()}${seen(Math.min(state.start, last()), state.show)}${done}`;
  };
}

export default explorable("A text in every tokenizer", names, build);
