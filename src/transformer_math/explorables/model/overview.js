/** The whole model as one picture: from the tokens down through every layer and head to the next token. */
import { clamp, html, keys, put, quoted, set } from "../kit.js";
import { range } from "../numbers.js";
import { percent } from "../output/candidates.js";
import { highest } from "../output/formulas.js";
import { PANELS } from "./panels.js";
import { thumbnails } from "./thumbnails.js";

const GUESSES = 6;
const [LABEL, GAP, HEIGHT] = [52, 8, 36]; // pixels: before a layer, around a picture, of it
const WORDS = { embedding: "stream", joined: "added", sum_1: "sum", hidden: "hidden", fed: "added", sum_2: "stream", last: "normed", logits: "logits", probabilities: "chance" };
// a panel that has no picture of its own is in sight at the one that it leads to
const LEADS_TO = { tokens: "embedding", norm_1: "weights", queries: "weights", keys: "weights", values: "weights", turned_queries: "weights", turned_keys: "weights", scores: "weights", attended: "weights", norm_2: "hidden" };

const head = (layer, h) => ({ name: "weights", place: { layer, head: h }, title: ["head ", String(h)] });
const part = (name, place = {}) => ({ name, place, title: [html("b", {}, PANELS[name].symbol), html("span", {}, ` ${WORDS[name]}`)] });

/** The pictures of each line: the embedding, the layers, and what is read off behind the last. */
const linesOf = (layers, heads) => [
  [part("embedding")],
  ...range(layers).map((layer) => [...range(heads).map((h) => head(layer, h)), ...["joined", "sum_1", "hidden", "fed", "sum_2"].map((name) => part(name, { layer }))]),
  [part("last"), part("logits"), part("probabilities")],
];

const whereOf = ({ layer, head: h }) => (layer === undefined ? "" : ` of layer ${layer + 1}`) + (h === undefined ? "" : ", where it looks");

/** Whether a picture is the one that a state has in sight. */
function isChosen({ name, place }, state) {
  const shown = LEADS_TO[state.panel] ?? state.panel;
  return name === shown && (place.layer ?? state.layer) === state.layer && (place.head ?? state.head) === state.head;
}

/** The tokens that are likeliest next, each with a bar. */
function guesses() {
  const caption = html("p", { class: "xp-caption" });
  const entries = range(GUESSES).map(() => {
    const [name, bar, number] = [html("span"), html("i"), html("b")];
    return { name, bar, number, node: html("li", {}, name, html("div", { class: "xp-bar" }, html("span", {}, bar), number)) };
  });
  const node = html("div", { class: "xp-guesses" }, caption, html("ol", {}, ...entries.map((entry) => entry.node)));
  const paint = ({ rows, labels, name, i }) => {
    const p = rows[i].probabilities;
    put(caption, `Likeliest after ${quoted(labels[i])}`);
    highest(p, GUESSES).forEach((v, place) => {
      const entry = entries[place];
      put(entry.name, name(v));
      put(entry.number, percent(p[v]));
      entry.bar.style.transform = `scaleX(${p[v].toFixed(3)})`;
    });
  };
  return { node, paint };
}

/** A button for each picture: a press calls `zoom(changes)`, the arrow keys `choose(changes)`, with what leads to its panel. */
export function overview(stage, layers, heads, ink, { choose, zoom }) {
  const lines = linesOf(layers, heads);
  const parts = lines.flat();
  const changes = ({ name, place }) => ({ panel: name, ...place });
  for (const one of parts) {
    one.canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
    one.node = html("button", { type: "button", class: `xp-of-${one.name}`, onclick: () => zoom(changes(one)) }, one.canvas, html("span", {}, ...one.title), html("span", { class: "xp-hidden" }, whereOf(one.place)));
  }
  const read = html("p", { class: "xp-read" });
  const next = guesses();
  const rows = lines.map((line, l) => {
    const title = l === 0 ? "tokens" : l > layers ? "next" : `layer ${l}`;
    const [before, behind] = [l === 0 ? [read] : [], l > layers ? [next.node] : []];
    return html("div", { class: "xp-model-row" }, html("p", {}, title), ...before, ...line.map(({ node }) => node), ...behind);
  });
  const node = html("div", { class: "xp-model", role: "group", "aria-label": "The whole model: the arrow keys go from part to part" }, html("p", { class: "xp-caption" }, html("span", { class: "xp-if-room" }, "From the tokens through every layer and head to the next one. "), "Press a part to zoom in."), ...rows);
  const paintAll = thumbnails(node, parts, ink);
  const to = (l, c) => {
    const line = lines[clamp(l, 0, lines.length - 1)];
    const one = line[clamp(c, 0, line.length - 1)];
    choose(changes(one));
    one.node.focus({ preventScroll: true });
  };
  const here = () => {
    const l = lines.findIndex((line) => line.some((one) => one.node === document.activeElement));
    return [l, lines[l].findIndex((one) => one.node === document.activeElement)];
  };
  keys(node, { step: (dx, dy) => to(here()[0] - dy, here()[1] + dx), end: (side) => to(here()[0], side < 0 ? 0 : Infinity) });
  const paint = (state, at) => {
    for (const one of parts) {
      const chosen = isChosen(one, state);
      set(one.node, { "aria-current": chosen, tabindex: chosen ? 0 : -1 });
    }
    rows.forEach((row, l) => row.classList.toggle("xp-here", lines[l].some((one) => isChosen(one, state))));
    put(read, at.labels.join(" "));
    next.paint(at);
    const columns = stage.wide ? heads + 5 : 5;
    const room = stage.width - (stage.wide ? LABEL : 0);
    paintAll(at, Math.floor(room / columns) - GAP, HEIGHT);
  };
  return { node, paint };
}
