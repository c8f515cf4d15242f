import { explorable, fixed, grouped, html, inks, keys, put, quoted, slider, unpackFlat, weights } from "../kit.js";
import { entropy } from "../attention/formulas.js";
import { heatmap } from "../attention/heatmap.js";
import { goals } from "../goals.js";
import { headGrid } from "../model/heads.js";
import { placesOfLargest, range } from "../numbers.js";
import { buttonRow } from "../output/candidates.js";
import { previousTokenScore } from "../trained/formulas.js";
import { lossCurves } from "./curves.js";

const names = ["snapshot", "row", "layer", "head", "history"];
const HEIGHTS = [110, 190]; // of the curves, beside the map and above it
const PAUSE = 700; // milliseconds between two snapshots that play by themselves

/** Snapshots of a training, as Python packed them: for each a text, and the weights of every head. */
function readScenes(parts) {
  const { tokens, n_layers: layers, n_heads: heads } = JSON.parse(parts.head);
  const n = tokens.length;
  const scenes = JSON.parse(parts.snapshots).map(({ step, text }) => {
    const { data } = parts[`attention_${step}`];
    return { step, text, weight: (l, h, i, j) => data[((l * heads + h) * n + i) * n + j] };
  });
  return { tokens: tokens.map((token) => token.replaceAll(" ", "␣")), layers, heads, scenes };
}

/** How evenly the rows spread their weight over what they may see: 1 if no token is preferred. */
const evenness = (A) => A.slice(1).reduce((sum, row, i) => sum + entropy(row) / Math.log2(i + 2), 0) / (A.length - 1);

const TASKS = [
  ["find a head that looks one back, mostly?", ({ A }) => previousTokenScore(A) > 0.5],
  ["find a head that looks nearly evenly?", ({ A }) => evenness(A) > 0.95],
  ["find where the held-out loss rose?", ({ loss, earlier }) => earlier !== undefined && loss.held_out > earlier.held_out],
];

async function build(stage) {
  const { tokens, layers, heads, scenes } = readScenes(await weights(stage.model, "language_model_history", unpackFlat));
  const n = tokens.length;
  const ink = inks(stage.root);
  const choose = (row) => row !== stage.get("row") && stage.set({ row });
  let timer;
  const stop = () => (timer = clearInterval(timer));
  const forward = () => {
    if (stage.get("snapshot") >= scenes.length - 1 || !stage.root.isConnected) stop();
    else stage.set({ snapshot: stage.get("snapshot") + 1 });
  };
  const play = () => {
    stop();
    stage.set({ snapshot: 0 });
    timer = setInterval(forward, PAUSE);
  };
  const buttons = buttonRow(["Play from the beginning", play], ["Stop", stop]);
  const time = slider(stage, { name: "snapshot", label: ["Steps of training"], show: (at) => grouped(scenes[at].step) });
  for (const touched of ["pointerdown", "keydown"]) time.addEventListener(touched, stop);
  const curves = lossCurves(() => [stage.column, HEIGHTS[stage.wide ? 0 : 1]], "xp-key", "xp-query");
  const legend = html("p", { class: "xp-legend" }, html("span", { class: "xp-key" }, "loss on the batches"), html("span", { class: "xp-query" }, "on text held out"), "in nats a token");
  const wrote = html("p", { class: "xp-card xp-sample" });
  const map = heatmap(stage, n, ink, choose);
  keys(map.node, { step: () => {}, end: (side) => choose(side < 0 ? 0 : n - 1) }); // of a cell only the row is chosen
  const grid = headGrid(layers, heads, ink, (layer, head) => stage.set({ layer, head }));
  const tasks = goals(TASKS);
  stage.root.classList.add("xp-sided", "xp-topped");
  stage.root.append(
    html("div", { class: "xp-above" }, html("div", { class: "xp-pressed" }, time, buttons), wrote),
    html("div", { class: "xp-left xp-scroll" }, map.node),
    html("div", { class: "xp-right" }, curves.node, legend, grid.node),
    tasks.node,
  );
  return (state) => {
    const { step, text, weight } = scenes[state.snapshot];
    const row = Math.min(state.row, n - 1);
    const lines = range(n).map((i) => range(n).map((j) => weight(state.layer, state.head, i, j)));
    const masked = lines.map((line, i) => line.map((w, j) => (j > i ? -Infinity : w)));
    const best = placesOfLargest(lines[row]);
    const looked = best.map((j) => `${quoted(tokens[j])} (position ${j})`).join(" and ");
    const line = (name) => state.history.map((one) => [one.step, one[name]]);
    curves.paint([line("loss"), line("held_out")], state.history.at(-1).step, step);
    put(wrote, text);
    map.paint({ tokens, row, column: best[0], weights: lines, masked });
    grid.paint({ layer: state.layer, head: state.head, off: () => false, version: state.snapshot, rows: n, columns: n, weight });
    const measuredBy = (end) => state.history.filter((one) => one.step <= end).at(-1);
    const [earlier, loss] = [scenes[state.snapshot - 1], scenes[state.snapshot]].map((scene) => scene && measuredBy(scene.step));
    const done = tasks.paint({ A: lines, loss, earlier });
    const measured = loss ? `The loss on text held out is ${fixed(loss.held_out)} nats (step ${grouped(loss.step)}).` : "The loss was not measured yet.";
    return (
      `After ${grouped(step)} steps. ${measured} Layer ${state.layer + 1}, head ${state.head}: ${quoted(tokens[row])} looks most at ` +
      `${looked}, with the weight ${fixed(lines[row][best[0]])}${best.length > 1 ? " each" : ""}.${done}`
    );
  };
}

export default explorable("A language model learns", names, build);
