import { choice, explorable, fixed, html, inks, put, quoted, set, textbox, unpackFlat, weights } from "../kit.js";
import { arcs } from "../attention/arcs.js";
import { heatmap } from "../attention/heatmap.js";
import { short } from "../attention/short.js";
import { goalsBeside } from "../goals.js";
import { range } from "../numbers.js";
import { buttonRow, candidates, percent, shaped, shaping } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";
import { headGrid, headSwitch } from "./heads.js";
import { strip } from "./strip.js";
import { doubt, openTranslator, unread, visible, writer } from "./translation.js";
import { slices } from "../work.js";

const names = ["date", "written", "row", "place", "kind", "layer", "head", "off", "view", "temperature", "top_k", "nucleus"];
const SHOWN = 6; // candidates
const LONGEST = 12; // what it may write
const [ARCS, HIGH, LEAST, TOP] = [96, 314, 8, 48]; // pixels of the arcs, of the heatmap, of its cells at least, of its characters

/** Rows and columns of one kind of attention: what looks, at what, and with which weight. */
function looksOf(kind, now, rows, encoder) {
  const read = rows.map((row) => now.name(row.read));
  const wrote = rows.map((row) => now.name(row.id));
  if (kind === "encoder") return { queries: now.labels, keys: now.labels, weight: (l, h, i, j) => encoder[l][h][i][j] };
  if (kind === "self") return { queries: read, keys: read, weight: (l, h, i, j) => rows[i].attention[l].self[h][j] ?? 0 };
  return { queries: wrote, keys: now.labels, weight: (l, h, i, j) => rows[i].attention[l].cross[h][j] };
}

const matrix = ({ queries, keys, weight }, { layer, head }) =>
  queries.map((_, i) => keys.map((_, j) => weight(layer, head, i, j)));

/** Source and output in one line for the arcs, the output after the source. */
function inOneLine(look, weights, row) {
  const before = look.keys.map(() => 0);
  const behind = look.queries.map(() => 0);
  const all = [...look.keys.map(() => [...before, ...behind]), ...weights.map((line) => [...line, ...behind])];
  return { tokens: [...look.keys, ...look.queries], weights: all, row: row + look.keys.length };
}

const LOOKING = {
  encoder: ["source", "another one"],
  self: ["output", "one before it"],
  cross: ["output", "one of the source"],
};

const HINTS = {
  shades: ([from, to]) => `Choose a character of the ${from}: the stronger the colour of ${to}, the more this head looks at it.`,
  arcs: ([from]) => `Choose a character of the ${from}: the thicker an arc, the more it looks at the one at the other end.`,
  heatmap: () => "Choose a row: the stronger a cell, the more this character looks at the one above it.",
};

function noteOn(now, lost, state, doubted) {
  const notes = [...lost];
  if (doubted) notes.push(`This may be outside what it learnt: ${doubted}.`);
  if (now.labels.length === 0) return [...notes, "Type a date."].join(" ");
  if (state.written.length) notes.push("The first characters are yours; the model goes on from there.");
  if (state.off.length) notes.push(`${state.off.length === 1 ? "One head is" : `${state.off.length} heads are`} off; “untouched” is the whole model, after the same characters.`);
  return notes.join(" ") || HINTS[state.view](LOOKING[state.kind]);
}

const sum = (xs) => xs.reduce((all, x) => all + x, 0);
const TASKS = [
  ["find a digit that is read from letters?", ({ kind, wrote, look, line }) => kind === "cross" && /\d/.test(wrote) && sum(line.filter((_, j) => /\p{L}/u.test(look.keys[j]))) > 0.5],
  ["make it unsure: a sign below 60 %?", ({ off, rows }) => off.length === 0 && rows.some(({ logits }) => Math.max(...probabilities(logits)) < 0.6)],
  ["spoil the date: one head off, in any part?", ({ off, rows, whole, written }) => off.length === 1 && rows.some(({ id }, k) => k >= written.length && whole[k] && highest(whole[k].logits)[0] !== id)],
];

async function build(stage) {
  const translator = openTranslator(await weights(stage.model, "date_translator", unpackFlat));
  const most = stage.bounds.place.high + 1;
  const count = (name) => stage.bounds[name].high + 1;
  const name = (id) => visible(translator.target[id]);
  const [machine, whole] = [writer(translator, LONGEST), writer(translator, LONGEST)];
  const advance = () => {
    if (machine.advance()) return true;
    if (stage.get("off").length && !wholeAimed) {
      whole.aim(now.source, machine.rows.map((row) => row.id), []);
      wholeAimed = true;
    }
    return wholeAimed && whole.advance();
  };
  const start = slices(advance, () => stage.repaint());
  const ink = inks(stage.root);
  let [now, asked, wholeAimed, look, current] = [{ labels: [], source: [] }, undefined, false, undefined, 0];

  const text = textbox(stage, { name: "date", label: "A date", change: (date) => ({ date, written: [] }) });
  const output = html("p", { class: "xp-output" });
  const note = html("p", { class: "xp-note" });
  const write = (id) => stage.set({ written: [...machine.rows.slice(0, current).map((row) => row.id), id] });
  const buttons = buttonRow(
    ["First character", () => stage.set({ row: 0 })],
    ["Next", () => look && stage.set({ row: Math.min(current + 1, machine.rows.length - 1) })],
    ["The model’s own", () => stage.set({ written: [] })],
  );
  const [first, next, own] = buttons.children;
  const chooseRow = (row) => look && row !== stage.get("row") && stage.set({ row });
  const choosePlace = (place) => {
    if (!look) return undefined;
    if (stage.get("kind") === "encoder") return place !== stage.get("place") && stage.set({ place });
    if (stage.get("kind") !== "cross") return undefined;
    const column = look.queries.map((_, i) => look.weight(stage.get("layer"), stage.get("head"), i, place));
    return chooseRow(column.indexOf(Math.max(...column)));
  };
  const choose = (i) => (stage.get("kind") === "encoder" ? choosePlace(i) : chooseRow(i));
  const strips = { source: strip(most, "Source", ink, choosePlace), output: strip(LONGEST, "Output", ink, chooseRow) };
  const captions = { source: html("p", { class: "xp-caption" }, "Source"), output: html("p", { class: "xp-caption" }, "Output") };
  const views = {
    heatmap: heatmap(stage, most, ink, choose, { high: HIGH, least: LEAST, names: 52, top: TOP }),
    shades: { node: html("div", { class: "xp-stack" }, captions.source, strips.source.node, captions.output, strips.output.node) },
    arcs: arcs(stage, most + LONGEST, ink, (i) => {
      if (stage.get("kind") !== "cross") choose(i);
      else if (i >= now.labels.length) chooseRow(i - now.labels.length);
    }, ARCS),
  };
  const grid = headGrid(count("layer"), count("head"), ink, (layer, head) => stage.set({ layer, head }));
  const offSwitch = headSwitch(stage, () => `${stage.get("kind")}.${stage.get("layer")}.${stage.get("head")}`);
  const table = candidates(SHOWN, write);
  const sliders = shaping(stage);
  const map = html("div", { class: "xp-stack" }, ...Object.values(views).map(({ node }) => html("div", { class: "xp-scroll" }, node)));
  const heads = html("div", { class: "xp-headed" }, grid.node, offSwitch.node);
  const kinds = choice(stage, { name: "kind", label: "Attention" });
  const controls = html("div", { class: "xp-controls xp-line-up" }, kinds, choice(stage, { name: "view", label: "Shown as" }));
  const below = html("div", { class: "xp-inside xp-few" }, map, heads, table.node, sliders);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-typed" }, text, output, buttons), note, controls, below, tasks.node);

  const aim = (state) => {
    const key = JSON.stringify([state.date, state.written, state.off]);
    if (key === asked) return;
    asked = key;
    const read = translator.known(state.date).slice(0, most - 1);
    const source = read.length ? translator.encode(read) : [];
    now = { source, labels: source.map((id) => visible(translator.source[id])), name };
    machine.aim(source, state.written, state.off);
    wholeAimed = false;
    start();
  };
  aim(Object.fromEntries(names.map((trait) => [trait, stage.get(trait)])));
  while (advance());

  const paintMap = (state, row) => {
    const weights = matrix(look, state);
    for (const [key, { node }] of Object.entries(views)) node.hidden = key !== state.view;
    below.classList.toggle("xp-square", state.view === "heatmap");
    const column = weights[row].indexOf(Math.max(...weights[row]));
    const masked = weights.map((line, i) => line.map((w, j) => (state.kind === "self" && j > i ? -Infinity : w)));
    if (state.view === "heatmap") views.heatmap.paint({ tokens: look.queries, sources: look.keys, row, column, weights, masked });
    else if (state.view === "arcs") {
      const line = state.kind === "cross" ? inOneLine(look, weights, row) : { tokens: look.keys, weights, row };
      views.arcs.paint(line);
    } else {
      const parts = { source: state.kind !== "self", output: state.kind !== "encoder" };
      for (const part of ["source", "output"]) captions[part].hidden = strips[part].node.hidden = !parts[part];
      const shade = (j) => weights[row][j];
      if (parts.source) strips.source.paint({ labels: look.keys, row: state.kind === "encoder" ? row : -1, weight: shade });
      if (parts.output) strips.output.paint({ labels: look.queries, row, weight: state.kind === "self" ? shade : () => 0 });
    }
  };

  return (state) => {
    aim(state);
    const { rows } = machine;
    const ready = machine.done() && rows.length > 0;
    const written = rows.filter((row) => row.id !== translator.end).map((row) => name(row.id)).join("");
    const untouched = ready && state.written.length === 0 && state.off.length === 0;
    put(note, noteOn(now, unread(translator, state.date, most - 1), state, untouched ? doubt(written, rows) : ""));
    put(output, `→ ${written}${machine.done() ? "" : " …"}`);
    controls.hidden = below.hidden = now.labels.length === 0;
    look = undefined; // what still stands there is of another date: nothing in it can be chosen
    if (now.labels.length === 0) return "No date yet.";
    if (!ready) return `Writing: ${rows.length} characters.`;
    current = Math.min(state.row, rows.length - 1);
    set(first, { "aria-disabled": current === 0 });
    set(next, { "aria-disabled": current === rows.length - 1 });
    set(own, { "aria-disabled": state.written.length === 0 });
    look = looksOf(state.kind, now, [...rows], machine.encoder());
    const at = state.kind === "encoder" ? Math.min(state.place, now.labels.length - 1) : current;
    paintMap(state, at);
    offSwitch.paint(state);
    grid.paint({
      ...state,
      off: (l, h) => state.off.includes(`${state.kind}.${l}.${h}`),
      version: `${asked}|${state.kind}`,
      rows: look.queries.length,
      columns: look.keys.length,
      weight: look.weight,
    });
    const drawn = shaped(rows[current].logits, state, stage.bounds);
    const plain = probabilities(((state.off.length && whole.rows[current]) || rows[current]).logits);
    const order = highest(rows[current].logits, SHOWN);
    const before = rows.slice(0, current).map((row) => name(row.id)).join("");
    table.paint({ title: before ? `What comes after ${quoted(before)}?` : "What comes first?", tokens: order, drawn, plain, label: name });
    const line = look.keys.map((_, j) => look.weight(state.layer, state.head, at, j));
    const best = line.indexOf(Math.max(...line));
    const found = state.kind === "self" ? (best ? ` (place ${best - 1})` : "") : ` (place ${best} of the date)`; // what it has read begins with ⊢
    const off = state.off.includes(`${state.kind}.${state.layer}.${state.head}`) ? " (off)" : "";
    return (
      `${quoted(short(state.date, most))} becomes ${quoted(written)}. The character at place ${current} is ${quoted(name(rows[current].id))}, expected with ${percent(drawn[rows[current].id])} at temperature ${fixed(state.temperature)}${drawn.includes(0) ? ", the unlikelier ones cut off" : ""}. ` +
      `Layer ${state.layer + 1}, head ${state.head}${off}: ${quoted(look.queries[at])} looks most at ${quoted(look.keys[best])}${found}, with the weight ${fixed(line[best])}.` +
      tasks.paint({ ...state, wrote: name(rows[current].id), look, line, rows, whole: whole.rows })
    );
  };
}

export default explorable("The date translator, from inside", names, build);
