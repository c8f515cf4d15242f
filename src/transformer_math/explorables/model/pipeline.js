import { goalsBeside } from "../goals.js";
import { explorable, fixed, html, inks, put, quoted, set, slider, textbox, unpackFlat, weights } from "../kit.js";
import { mean, range } from "../numbers.js";
import { buttonRow, percent } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";
import { cells } from "./cells.js";
import { overview } from "./overview.js";
import { PANELS } from "./panels.js";
import { bare, lens, nextToken, openLanguageModel, reader, tokenLabel } from "./reader.js";
import { sumsInFull } from "./terms.js";
import { thumbnails, versionOf } from "./thumbnails.js";
import { slices } from "../work.js";

const names = ["text", "written", "view", "panel", "layer", "head", "row", "column"];
const [WIDTH, HEIGHT, LINES] = [56, 30, 8];

/** How much weight a head gives to the token one back, on average over the text. */
const weightOneBack = ({ rows, layer, head }) => mean(rows.slice(1).map((row, i) => row.layers[layer].weights[head][i]));

const TASKS = [
  ["find a head that looks one back?", (now) => now.panel === "weights" && now.rows.length > 2 && weightOneBack(now) > 0.5],
  ["find a score that the mask made −∞?", ({ panel, value }) => panel === "scores" && value === -Infinity],
  ["find a guess settled two layers early?", ({ guesses }) => guesses && new Set(guesses.slice(-3).map(([best]) => best)).size === 1],
];

/** Of which layer, and of which head in it, a panel's numbers are, where they are of one. */
function placeOf({ panel, layer, head }) {
  const { of } = PANELS[panel];
  return of ? `Layer ${layer + 1}${of === "head" ? `, head ${head}` : ""}: ` : "";
}

/** The panels of one layer and head as small pictures, one of them in sight. */
function gallery(ink, choose) {
  const group = `panels-${Math.random().toString(36).slice(2)}`;
  const entries = Object.entries(PANELS).map(([name, { symbol, step }]) => {
    const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
    const input = html("input", { type: "radio", name: group, onchange: () => choose(name) });
    const title = html("span", {}, html("b", {}, symbol), ` step ${step}`);
    return { name, canvas, input, node: html("label", {}, input, canvas, title) };
  });
  const node = html("fieldset", { class: "xp-gallery" }, html("legend", {}, "Panels in the order they are computed, and the book’s step that explains each"), html("div", {}, ...entries.map((entry) => entry.node)));
  const paintAll = thumbnails(node, entries, ink);
  const paint = (panel, at) => {
    for (const { name, input } of entries) input.checked = name === panel;
    paintAll(at, WIDTH, HEIGHT);
  };
  return { node, paint };
}

/** What the model would say next if it stopped after each layer. */
function lensTable(count) {
  const entries = range(count).map((l) => [html("th", { scope: "col" }, l ? `layer ${l}` : "embedding"), html("td", {}, "…")]);
  const row = (kind) => html("tr", {}, ...entries.map((entry) => entry[kind]));
  const node = html("table", { class: "xp-lens" }, html("caption", {}, "Its next token, if it stopped there"), html("thead", {}, row(0)), html("tbody", {}, row(1)));
  const paint = (guesses) => {
    set(node, { "aria-busy": guesses === undefined });
    guesses?.forEach(([name, p], l) => put(entries[l][1], `${name} ${percent(p)}`));
  };
  return { node, paint };
}

async function build(stage) {
  const language = openLanguageModel(await weights(stage.model, "language_model", unpackFlat));
  const { model, bpe } = language;
  const most = stage.bounds.row.high + 1;
  const code = stage.get("code");
  const reading = reader(model, (traced) => traced);
  const start = slices(reading.advance, () => stage.repaint());
  const name = (id) => tokenLabel(id, bpe);
  const ink = inks(stage.root);
  const next = nextToken(stage, most);
  const seen = lens(model, () => stage.repaint());
  let [ids, labels, entering] = [[], [], false];

  const text = textbox(stage, { name: "text", label: "Your sentence", read: bare, change: (typed) => ({ text: typed, written: [], row: most - 1 }) });
  const buttons = buttonRow(["Write the likeliest token", () => next.add((logits) => highest(logits)[0])], ["Take back", () => stage.set({ written: stage.get("written").slice(0, -1), row: most - 1 })]);
  const panels = gallery(ink, (panel) => stage.set({ panel }));
  const field = cells(stage, most, ink, (row, column) => stage.set({ row, column }));
  const sum = sumsInFull(stage, ink, LINES);
  const lenses = lensTable(model.layers.length + 1);
  const sliders = html("div", { class: "xp-part" }, slider(stage, { name: "layer", label: ["Layer"], show: (l) => String(l + 1) }), slider(stage, { name: "head", label: ["Head"] }));
  const zooming = html("button", { type: "button", class: "xp-zoom", onclick: () => stage.set({ view: stage.get("view") === "model" ? "panel" : "model" }) });
  const inside = html("div", {}, panels.node, html("div", { class: "xp-grid" }, field.node, sum.node));
  const zoomIn = (changes) => {
    stage.set({ ...changes, view: "panel" });
    entering = true;
  };
  const whole = overview(stage, model.layers.length, model.nHeads, ink, { choose: stage.set, zoom: zoomIn });
  const below = html("div", { class: "xp-zoomed" }, zooming, inside, whole.node, lenses.node);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-controls xp-top" }, text, html("div", {}, buttons, sliders)), below, tasks.node);

  const aim = (state) => {
    const given = [...language.encode(state.text), ...state.written].slice(0, most);
    if (String(given) === String(ids)) return;
    [ids, labels] = [given, given.map(name)];
    reading.aim(ids, []);
    if (reading.left() > 0) start();
  };
  aim(Object.fromEntries(names.map((key) => [key, stage.get(key)])));
  while (reading.advance());

  return (state) => {
    aim(state);
    below.hidden = ids.length === 0;
    const [write, back] = buttons.children;
    write.disabled = ids.length === 0 || ids.length === most;
    back.disabled = state.written.length === 0;
    next.told(reading.left() > 0 ? undefined : reading.rows.at(-1)?.logits, ids.length);
    if (ids.length === 0) return "Type a word or two.";
    if (reading.left() > 0) return `Reading token ${ids.length - reading.left() + 1} of ${ids.length} …`;
    const rows = reading.rows;
    for (const row of rows) row.probabilities ??= probabilities(row.logits);
    const i = Math.min(state.row, ids.length - 1);
    const at = { model, rows, ids, labels, name, layer: state.layer, head: state.head, i, d: model.E.shape[1] / model.nHeads };
    const panel = PANELS[state.panel];
    const values = panel.values({ ...at, j: 0 });
    const j = Math.min(state.column, values[0].length - 1);
    const isWhole = state.view === "model";
    [inside.hidden, whole.node.hidden] = [isWhole, !isWhole];
    put(zooming, isWhole ? "Zoom in" : "Zoom out");
    if (isWhole) whole.paint(state, at);
    else {
      panels.paint(state.panel, at);
      field.paint({ labels, values, row: i, column: j, version: `${state.panel}|${versionOf(state.panel, at)}` });
    }
    if (entering) field.focus();
    entering = false;
    const where = panel.column(j, at);
    const value = values[i][j];
    const digits = state.panel === "tokens" ? 0 : 3;
    const what = `${panel.symbol} of ${quoted(labels[i])} (position ${i}), ${where}`;
    const cell = { ...at, j };
    if (!isWhole) sum.paint({ what, symbol: panel.symbol, written: (j % 2 && panel.odd) || panel.formula, lines: panel.lines(cell), terms: panel.terms?.(cell), after: panel.after?.(cell), value, line: code[state.panel], digits });
    seen.aim(rows[i]);
    const guesses = seen.found()?.map(([best, p]) => [name(best), p]);
    lenses.paint(guesses);
    const p = rows.at(-1).probabilities;
    const best = highest(p)[0];
    return (
      `${isWhole ? `The whole model, ${model.layers.length} layers of ${model.nHeads} heads. ` : ""}${placeOf(state)}${what}, is ${fixed(value, digits)}. ` +
      `After ${ids.length === 1 ? "its only token" : `the last of ${ids.length} tokens`}${ids.length === most ? ", as many as fit here," : ""} the model expects ${quoted(name(best))}, ${percent(p[best])}.` +
      tasks.paint({ ...state, rows, value, guesses })
    );
  };
}

export default explorable("The whole model on a sentence", names, build);
