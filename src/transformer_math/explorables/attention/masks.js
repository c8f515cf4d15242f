import { choice, explorable, fixed, html, inks, newId, plural, put, quoted, slider } from "../kit.js";
import { applyMask, presetMask, softmax, weigh } from "./formulas.js";
import { goals } from "../goals.js";
import { heatmap } from "./heatmap.js";
import { placesOfLargest } from "../numbers.js";

const names = ["preset", "size", "mask", "view", "row", "column"];
const SIZES = { window: "Width of the window", prefix: "Length of the prefix", padding: "Tokens before the padding", blocks: "Tokens in a block" };

/** From the mask to scores, weights and outputs. */
function compute({ mask }, { S, V }) {
  const allowed = mask.map((row) => row.map(Boolean));
  const scores = applyMask(S, allowed);
  const weights = scores.map(softmax);
  return { allowed, scores, weights, output: weigh(weights, V), seen: allowed.map((row) => row.filter(Boolean).length) };
}

/** A list of masks to begin with. */
function presets(stage, change) {
  const id = newId();
  const options = Object.entries(stage.bounds.preset.labels).map(([value, label]) => html("option", { value }, label));
  const select = html("select", { id, onchange: () => change(select.value) }, ...options);
  const painted = options.at(-1);
  stage.syncs.push(({ preset }) => {
    painted.disabled = preset !== "painted";
    if (select.value !== preset) select.value = preset;
  });
  return html("div", { class: "xp-pick" }, html("label", { for: id }, "Mask"), select);
}

/** The key with the largest weight, or the keys that share it. */
function mostOf(line, tokens) {
  const best = placesOfLargest(line);
  const named = best.slice(0, 2).map((j) => `${quoted(tokens[j])} (column ${j})`).join(" and ");
  const more = best.length > 2 ? ` and ${plural(best.length - 2, "more key")}` : "";
  return `${named}${more}, with weight ${fixed(line[best[0]])}${best.length > 1 ? " each" : ""}`;
}

/** What a query sees and gets, as a sentence. */
function sentenceOn({ allowed, seen, weights, output }, { row, column }, tokens) {
  const n = tokens.length;
  const blind = seen.filter((count) => count === 0).length;
  const query = `${quoted(tokens[row])} (row ${row})`;
  const line = weights[row];
  const pair = `${allowed[row][column] ? "may" : "may not"} see ${quoted(tokens[column])} (column ${column})`;
  const gets =
    seen[row] === 0
      ? `It sees nothing: all its weights are 0, and its output is the zero vector.`
      : `It sees ${plural(seen[row], "key")} of ${n} and looks most at ${mostOf(line, tokens)}; ` +
        `its output has length ${fixed(Math.hypot(...output[row]))}.`;
  const others = blind ? ` ${plural(blind, "query").replace("querys", "queries")} of ${n} see${blind === 1 ? "s" : ""} nothing.` : "";
  return `${query} ${pair}. ${gets}${others}`;
}

/** Whether two queries that see something get the same output. */
const twins = ({ output, seen }) => {
  const all = output.filter((_, i) => seen[i] > 0);
  return all.some((a, i) => all.slice(i + 1).some((b) => a.every((x, c) => Math.abs(x - b[c]) < 1e-9)));
};

const TASKS = [
  ["leave exactly one query that sees nothing?", ({ seen }) => seen.filter((count) => count === 0).length === 1],
  ["let every query give all its weight to one key?", ({ weights }) => weights.every((line) => Math.max(...line) > 0.995)],
  ["give two queries the same output, not zero?", twins],
];

function build(stage) {
  const tokens = stage.get("tokens");
  const given = stage.get("given");
  const n = tokens.length;
  const largest = Math.max(...given.S.flat().map(Math.abs));
  const ink = inks(stage.root);
  let paint = 1;
  const chosen = () => [stage.get("row"), stage.get("column")];
  const choose = (row, column) => chosen().join() !== [row, column].join() && stage.set({ row, column });
  const write = (cells, value) => {
    const mask = stage.get("mask").map((row) => [...row]);
    for (const [i, j] of cells) mask[i][j] = value;
    stage.set({ mask, preset: "painted" });
  };
  const brush = {
    dip: (i, j) => {
      paint = 1 - stage.get("mask")[i][j];
      choose(i, j);
      write([[i, j]], paint);
    },
    stroke: (i, j) => {
      if (chosen().join() === [i, j].join()) return;
      choose(i, j);
      if (stage.get("mask")[i][j] !== paint) write([[i, j]], paint);
    },
  };
  const made = (name, size) => ({ preset: name, size, mask: presetMask(name, n, size).map((row) => row.map(Number)) });
  const preset = (name, size) => stage.set(made(name, size));
  /** What was painted has no size, also before the next frame says so. */
  const resized = (size) => (stage.get("preset") in SIZES ? made(stage.get("preset"), size) : {});
  const label = html("span");
  const size = slider(stage, { name: "size", label: [label], change: resized });
  const whole = (text, cells) => {
    const onclick = () => {
      const own = cells(...chosen());
      const mask = stage.get("mask");
      write(own, own.every(([i, j]) => mask[i][j]) ? 0 : 1);
    };
    return html("button", { type: "button", onclick }, text);
  };
  const all = tokens.map((_, i) => i);
  const buttons = html("div", { class: "xp-buttons" },
    whole("Switch the row", (row) => all.map((j) => [row, j])),
    whole("Switch the column", (_, column) => all.map((i) => [i, column])));
  const painter = heatmap(stage, n, ink, choose, { name: "Mask: the arrow keys go to another cell, Space switches it", brush });
  const map = heatmap(stage, n, ink, choose, { name: "Scores or weights: the arrow keys go to another query or key" });
  const readouts = [0, 1].map(() => html("p", { class: "xp-legend" }));
  const part = (side, control, { node }, k) => html("div", { class: `xp-stack xp-inline ${side}` }, control, node, readouts[k]);
  const left = part("xp-left", presets(stage, (name) => preset(name, stage.get("size"))), painter, 0);
  const right = part("xp-right", choice(stage, { name: "view", label: "Shown" }), map, 1);
  const tasks = goals(TASKS);
  stage.root.classList.add("xp-sided", "xp-tasks-left");
  stage.root.append(left, html("div", { class: "xp-turn xp-stacked" }, size, buttons), right, tasks.node);
  return (state) => {
    const now = compute(state, given);
    const { row, column, view } = state;
    const sized = state.preset in SIZES;
    put(label, sized ? SIZES[state.preset] : "Size");
    size.querySelector("input").disabled = !sized;
    const seenBy = { tokens, row, column, masked: now.scores };
    painter.paint({ ...seenBy, weights: now.allowed.map((line) => line.map((x) => 0.6 * x)) });
    map.paint({ ...seenBy, weights: view === "weights" ? now.weights : now.scores.map((line) => line.map((s) => s / largest)) });
    const allowed = now.seen.reduce((sum, count) => sum + count, 0);
    put(readouts[0], `Paint here: ${allowed} of ${n * n} pairs are allowed`);
    const shown = view === "weights" ? fixed(now.weights[row][column], 3) : fixed(now.scores[row][column]);
    put(readouts[1], `${quoted(tokens[row])} → ${quoted(tokens[column])}: ${shown}`);
    return sentenceOn(now, state, tokens) + tasks.paint(now);
  };
}

export default explorable("Mask painter", names, build);
