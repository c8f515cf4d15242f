import { choice, clamp, explorable, fixed, html, inks, put, quoted, textbox, unpackFlat, weights } from "../kit.js";
import { arcs } from "../attention/arcs.js";
import { heatmap } from "../attention/heatmap.js";
import { goalsBeside } from "../goals.js";
import { range } from "../numbers.js";
import { buttonRow, candidates, percent, shaped, shaping } from "../output/candidates.js";
import { draw, highest, probabilities } from "../output/formulas.js";
import { previousTokenScore } from "../trained/formulas.js";
import { decodeText } from "../tokenization/formulas.js";
import { headGrid, headSwitch } from "./heads.js";
import { bare, nextToken, openLanguageModel, readings, tokenLabel } from "./reader.js";
import { strip } from "./strip.js";

const names = ["text", "written", "row", "layer", "head", "off", "view", "temperature", "top_k", "nucleus"];
const SHOWN = 5; // candidates
const [ARCS, HIGH] = [96, 352]; // pixels of the arcs, of the heatmap
const WINDOW = 24; // tokens that arcs and heatmap show at most
const [WORD, CELL, NAMES] = [48, 16, 88]; // pixels that a token takes over its arcs, in the heatmap, and beside and above it
const headName = (layer, head) => `self.${layer}.${head}`;

/** The tokens of the text and those that the model wrote, as many as there is room for. */
function tokensOf(state, most, { encode, bpe }) {
  const typed = encode(state.text);
  const ids = [...typed, ...state.written].slice(0, most);
  const row = Math.min(state.row, ids.length - 1);
  return { ids, row, given: typed.length, over: typed.length + state.written.length - most, labels: ids.map((id) => tokenLabel(id, bpe)) };
}

/** How many tokens a view shows so that their names can be read. */
function roomIn(view, { wide, width, column }) {
  if (view === "arcs") return wide ? Math.min(WINDOW, Math.floor(width / WORD)) : WINDOW;
  return Math.floor((Math.min(column, HIGH) - NAMES) / CELL);
}

/** Where the part begins that a view shows: where it did, unless the token in sight is outside; then that comes last. */
const beginOf = (from, row, room, n) => clamp(row < from || row >= from + room ? row - room + 1 : from, 0, Math.max(0, n - room));

/** The part of the tokens that arcs and heatmap show, with their rows of weights filled up with zeros. */
function partOf(now, read, state, from, room) {
  const n = Math.min(read.length, room);
  const weights = range(n).map((i) => {
    const line = read[from + i].attention[state.layer][state.head];
    return range(n).map((j) => line[from + j] ?? 0);
  });
  const masked = weights.map((line, i) => line.map((w, j) => (j > i ? -Infinity : w)));
  return { tokens: now.labels.slice(from, from + n), weights, masked };
}

const HINTS = {
  shades: "Choose a token: the stronger another one’s colour, the more this head looks at it.",
  arcs: "Choose a token: the thicker an arc, the more it looks at the one at the other end.",
  heatmap: "Choose a row: the stronger a cell, the more this token looks at the one above it.",
};

function noteOn(now, left, most, state, from, room) {
  if (now.ids.length === 0) return "Type a word or two.";
  if (left > 0) return `Reading token ${now.ids.length - Math.min(left, now.ids.length) + 1} of ${now.ids.length} …`;
  const notes = [];
  if (now.over > 0) notes.push(`Only the first ${most} tokens are read.`);
  if (now.over === 0) notes.push(`These are ${most} tokens, as many as it reads.`);
  if (state.view !== "shades" && now.ids.length > room) notes.push(`Positions ${from} to ${from + room - 1} are drawn; the shaded text shows all.`);
  if (state.off.length) notes.push(`${state.off.length === 1 ? "One head is" : `${state.off.length} heads are`} off; “untouched” is the whole model.`);
  return notes.join(" ") || HINTS[state.view];
}

/** Where the likeliest tokens are not the model's own guess: at another temperature, or with the rest cut off. */
const shapedBy = ({ temperature }, drawn) =>
  `${temperature === 1 ? "" : ` at temperature ${fixed(temperature)}`}${drawn.includes(0) ? ", the unlikelier ones cut off" : ""}`;

const askedFor = ({ layer, head, temperature, top_k: k, nucleus }, bounds) =>
  `Layer ${layer + 1}, head ${head}; temperature ${fixed(temperature)}, top-k ${k === bounds.top_k.high ? "all" : k}, nucleus ${nucleus === 1 ? "all" : percent(nucleus)}.`;

function sentenceOn(now, read, state, plain, drawn, order) {
  const token = quoted(now.labels[now.row]);
  const line = read[now.row].attention[state.layer][state.head];
  const best = line.indexOf(Math.max(...line));
  const where = best === now.row ? "itself" : `${quoted(now.labels[best])} (position ${best})`;
  const off = state.off.includes(headName(state.layer, state.head)) ? " (off)" : "";
  const likeliest = order.slice(0, 2).filter((id) => drawn[id] > 0).map((id) => `${quoted(now.name(id))}, ${percent(drawn[id])}`);
  return (
    `After ${token} (position ${now.row}) the model expects ${likeliest.join(", then ")}${shapedBy(state, drawn)}. ` +
    `Layer ${state.layer + 1}, head ${state.head}${off}: ${token} looks most at ${where}, with the weight ${fixed(line[best])}.`
  );
}

/** Whether a list ends with the same two or more entries twice. */
function goesInCircles(ids) {
  const ends = (n) => range(n).every((i) => ids.at(-1 - i) === ids.at(-1 - i - n));
  return range(Math.floor(ids.length / 2) + 1).some((n) => n > 1 && ends(n));
}

const TASKS = [
  ["find a head that mostly looks one back?", ({ A, ids }) => A.length === ids.length && new Set(ids).size > 3 && previousTokenScore(A) > 0.5],
  ["find it 90 % sure, untouched?", ({ plain }) => Math.max(...plain) >= 0.9],
  ["let it write until it repeats itself?", ({ written }) => goesInCircles(written)],
];

async function build(stage) {
  const tensors = await weights(stage.model, "language_model", unpackFlat);
  const language = openLanguageModel(tensors);
  const most = stage.bounds.row.high + 1;
  const count = (name) => stage.bounds[name].high + 1;
  const reading = readings(language.model, () => stage.repaint());
  const name = (id) => tokenLabel(id, language.bpe);
  const ink = inks(stage.root);
  let now = { ids: [], labels: [], row: -1 };
  const next = nextToken(stage, most);
  let from = 0;

  /** A candidate goes where its table says: after the token in sight, and what stood there is cut off. */
  const goOn = (id) => {
    const { row, given, ids } = now;
    const typed = row < given - 1 ? { text: decodeText(ids.slice(0, row + 1), language.bpe) } : {};
    if (row + 1 < most) stage.set({ ...typed, written: [...stage.get("written").slice(0, Math.max(0, row + 1 - given)), id], row: most - 1 });
  };
  const text = textbox(stage, { name: "text", label: "Text", read: bare, change: (typed) => ({ text: typed, written: [], row: most - 1 }) });
  const buttons = buttonRow(
    ["Write the likeliest", () => next.add((p) => highest(p)[0])],
    ["Draw one", () => next.add((p) => draw(p, Math.random()))],
    ["Take back", () => stage.set({ written: stage.get("written").slice(0, -1), row: most - 1 })],
  );
  const progress = html("progress", { "aria-label": "Reading", max: 1, value: 1 });
  const note = html("p", { class: "xp-note" });

  const choose = (row) => row !== stage.get("row") && stage.set({ row });
  const views = {
    shades: strip(most, "Choose a token", ink, choose),
    arcs: arcs(stage, WINDOW, ink, (i) => choose(from + i), ARCS),
    heatmap: heatmap(stage, WINDOW, ink, (i) => choose(from + i), { high: HIGH }),
  };
  const grid = headGrid(count("layer"), count("head"), ink, (layer, head) => stage.set({ layer, head }));
  const offSwitch = headSwitch(stage, () => headName(stage.get("layer"), stage.get("head")));
  const table = candidates(SHOWN, goOn);
  const sliders = shaping(stage);
  const map = html("div", { class: "xp-panel" }, ...Object.values(views).map(({ node }) => node));
  const heads = html("div", { class: "xp-headed" }, grid.node, offSwitch.node);
  const below = html("div", { class: "xp-inside" }, map, heads, table.node, sliders);
  const shown = html("div", { class: "xp-shown" }, choice(stage, { name: "view", label: "Looks shown as" }), note);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-typed" }, text, buttons), progress, shown, below, tasks.node);

  const aim = (state) => {
    now = { ...tokensOf(state, most, language), name };
    reading.aim(now.ids, state.off);
  };
  aim(Object.fromEntries(names.map((key) => [key, stage.get(key)])));
  reading.finish();

  const paintMap = (state, read, done, room) => {
    for (const [key, { node }] of Object.entries(views)) node.hidden = key !== state.view;
    below.classList.toggle("xp-square", state.view === "heatmap");
    if (state.view === "shades") {
      const line = done ? read[now.row].attention[state.layer][state.head] : [];
      const past = { fresh: (i) => i >= now.given, dim: (i) => i >= read.length };
      return views.shades.paint({ labels: now.labels, row: now.row, weight: (i) => line[i], ...past });
    }
    if (read.length === 0) return undefined;
    const part = partOf(now, read, state, from, room);
    const at = Math.min(now.row, read.length - 1) - from;
    const column = part.weights[at].indexOf(Math.max(...part.weights[at]));
    return views[state.view].paint({ ...part, row: at, column });
  };

  return (state) => {
    aim(state);
    const [read, n] = [[...reading.now], now.ids.length];
    const done = n > 0 && now.row < read.length;
    next.told(n > 0 && read.length === n ? shaped(read[n - 1].logits, state, stage.bounds) : undefined, n);
    const room = roomIn(state.view, stage);
    from = beginOf(from, Math.min(now.row, read.length - 1), room, read.length);
    put(note, noteOn(now, reading.left(), most, state, from, room));
    progress.value = n ? 1 - Math.min(1, reading.left() / n) : 1;
    below.hidden = n === 0;
    for (const button of buttons.children) button.disabled = n === 0;
    if (n === 0) return "No tokens yet.";
    offSwitch.paint(state);
    paintMap(state, read, done, room);
    grid.paint({
      ...state,
      off: (l, h) => state.off.includes(headName(l, h)),
      version: read.length < n ? undefined : `${now.ids}|${state.off}`,
      rows: n,
      columns: n,
      weight: (l, h, i, j) => read[i].attention[l][h][j],
    });
    if (!done) return `Reading: ${read.length} of ${n} tokens. ${askedFor(state, stage.bounds)}`;
    const all = reading.whole(state.off)[now.row];
    const drawn = shaped(read[now.row].logits, state, stage.bounds);
    const plain = probabilities((all ?? read[now.row]).logits);
    const order = highest(read[now.row].logits, SHOWN); // those that are cut off, too, by what the model makes of them
    table.paint({ title: `What comes after ${quoted(now.labels[now.row])}?`, tokens: order, drawn, plain, label: name });
    const A = read.map(({ attention }) => attention[state.layer][state.head]);
    return sentenceOn(now, read, state, plain, drawn, order) + tasks.paint({ A, ids: now.ids, plain, written: state.written });
  };
}

export default explorable("The language model, from inside", names, build);
