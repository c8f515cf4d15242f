import { goalsBeside } from "../goals.js";
import { explorable, fixed, html, inks, put, quoted, set, sharpen, slider, textbox, unpackFlat, weights } from "../kit.js";
import { range } from "../numbers.js";
import { buttonRow, percent } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";
import { cells, drawMatrix } from "./cells.js";
import { PANELS } from "./panels.js";
import { bare, lens, nextToken, openLanguageModel, reader, tokenLabel } from "./reader.js";
import { sums } from "./sums.js";
import { slices } from "../work.js";

const names = ["text", "written", "panel", "layer", "head", "row", "column"];
const [WIDTH, HEIGHT, LINES] = [56, 30, 8];

const TASKS = [
  ["find 0.9 of a row on an earlier token?", ({ panel, value, i, j }) => panel === "weights" && j < i && value >= 0.9],
  ["find a score that the mask made −∞?", ({ panel, value }) => panel === "scores" && value === -Infinity],
  ["find a guess settled two layers early?", ({ guesses }) => guesses && new Set(guesses.slice(-3).map(([best]) => best)).size === 1],
];

/** Of which layer, and of which head in it, a panel's numbers are, where they are of one. */
function placeOf({ panel, layer, head }) {
  const { of } = PANELS[panel];
  return of ? `Layer ${layer + 1}${of === "head" ? `, head ${head}` : ""}: ` : "";
}

/** All panels as small pictures, one of them in sight: the whole model at a glance. They are drawn after the panel, in slices. */
function gallery(ink, choose) {
  const group = `panels-${Math.random().toString(36).slice(2)}`;
  const entries = Object.entries(PANELS).map(([name, { symbol, step }]) => {
    const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
    const input = html("input", { type: "radio", name: group, onchange: () => choose(name) });
    const title = html("span", {}, html("b", {}, symbol), ` step ${step}`);
    return { name, canvas, input, node: html("label", {}, input, canvas, title) };
  });
  const node = html("fieldset", { class: "xp-gallery" }, html("legend", {}, "Panels, in the order in which they are computed"), html("div", {}, ...entries.map((entry) => entry.node)));
  let [drawn, current, left] = [undefined, undefined, []];
  const advance = () => {
    const { name, canvas } = left.shift();
    drawMatrix(sharpen(canvas, WIDTH, HEIGHT), PANELS[name].values(current), WIDTH, HEIGHT, ink);
    return left.length > 0;
  };
  const start = slices(advance, () => set(node, { "aria-busy": left.length > 0 }));
  const paint = (panel, at, version) => {
    for (const { name, input } of entries) input.checked = name === panel;
    if (drawn === (drawn = version)) return;
    set(node, { "aria-busy": true });
    [current, left] = [{ ...at, rows: [...at.rows] }, [...entries]]; // the reader's own rows go when a text is read anew
    start();
  };
  return { node, paint };
}

/** What the model would say next if it stopped after each layer. */
function lensTable(count) {
  const entries = range(count).map((l) => [html("th", { scope: "col" }, l ? `layer ${l}` : "embedding"), html("td", {}, "…")]);
  const row = (kind) => html("tr", {}, ...entries.map((entry) => entry[kind]));
  const node = html("table", { class: "xp-lens" }, html("caption", {}, "Its next token, if it stopped after"), html("thead", {}, row(0)), html("tbody", {}, row(1)));
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
  let [ids, labels] = [[], []];

  const text = textbox(stage, { name: "text", label: "Your sentence", read: bare, change: (typed) => ({ text: typed, written: [], row: most - 1 }) });
  const buttons = buttonRow(["Write the likeliest token", () => next.add((logits) => highest(logits)[0])], ["Take back", () => stage.set({ written: stage.get("written").slice(0, -1), row: most - 1 })]);
  const panels = gallery(ink, (panel) => stage.set({ panel }));
  const field = cells(stage, most, ink, (row, column) => stage.set({ row, column }));
  const sum = sums(LINES);
  const lenses = lensTable(model.layers.length + 1);
  const sliders = html("div", { class: "xp-part" }, slider(stage, { name: "layer", label: ["Layer"], show: (l) => String(l + 1) }), slider(stage, { name: "head", label: ["Head"] }));
  const below = html("div", {}, panels.node, html("div", { class: "xp-grid" }, field.node, sum.node), lenses.node);
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
    const version = `${ids}|${state.layer}|${state.head}|${["logits", "probabilities"].includes(state.panel) ? i : ""}`;
    panels.paint(state.panel, { ...at, j: 0 }, version);
    field.paint({ labels, values, row: i, column: j, version: `${version}|${state.panel}` });
    const where = panel.column(j, at);
    const value = values[i][j];
    const digits = state.panel === "tokens" ? 0 : 3;
    const what = `${panel.symbol} of ${quoted(labels[i])} (position ${i}), ${where}`;
    sum.paint({ what, symbol: panel.symbol, written: (j % 2 && panel.odd) || panel.formula, lines: panel.lines({ ...at, j }), value, line: code[state.panel], digits });
    seen.aim(rows[i]);
    const guesses = seen.found()?.map(([best, p]) => [name(best), p]);
    lenses.paint(guesses);
    const p = rows.at(-1).probabilities;
    const best = highest(p)[0];
    return (
      `${placeOf(state)}${what}, is ${fixed(value, digits)}. ` +
      `After ${ids.length === 1 ? "its only token" : `the last of ${ids.length} tokens`}${ids.length === most ? ", as many as fit here," : ""} the model expects ${quoted(name(best))}, ${percent(p[best])}.` +
      tasks.paint({ panel: state.panel, value, i, j, guesses })
    );
  };
}

export default explorable("The whole model on a sentence", names, build);
