import { applyMask, causalMask, scores, softmax } from "../attention/formulas.js";
import { heatmap } from "../attention/heatmap.js";
import { goals } from "../goals.js";
import { choice, explorable, fixed, html, inks, put, slider } from "../kit.js";
import { range } from "../numbers.js";
import { alibiBias, alibiSlopes, alibiSpan } from "./formulas.js";

const names = ["n_heads", "head", "contents", "seen", "row", "column", "asked", "offered"];
const SHARE = 0.9;

/** The slope, the biases and the weights of the head in sight. */
function compute({ n_heads, head, contents, seen, asked, offered }) {
  const n = asked.length;
  const slope = alibiSlopes(n_heads)[head];
  const bias = alibiBias(n, slope);
  const compared = scores(asked, offered).map((row) => row.map((s) => (contents === "alike" ? 0 : s)));
  const biased = compared.map((row, i) => row.map((s, j) => s + bias[i][j]));
  const masked = seen === "past" ? applyMask(biased, causalMask(n)) : biased;
  return { slope, bias, compared, masked, weights: masked.map(softmax) };
}

/** How much of a row's weight lies how near: the number of tokens, by distance, that hold the share. */
function spread(weights, masked, row) {
  const all = weights.map((w, j) => [Math.abs(j - row), w]);
  const near = all.filter((_, j) => masked[j] !== -Infinity).sort((a, b) => a[0] - b[0]);
  let [sum, count] = [0, 0];
  for (const [, w] of near) {
    if (sum >= SHARE - 1e-9) break;
    sum += w;
    count += 1;
  }
  return count;
}

const TASKS = [
  ["find a slope above one half?", ({ slope }) => slope > 0.5],
  ["find a key 5 or more away that gets the most?", ({ weights, row, column }) => Math.abs(row - column) >= 5 && weights[row][column] === Math.max(...weights[row])],
  ["weigh ten keys alike, within a tenth?", ({ weights, masked, row }) => alike(weights[row].filter((_, j) => masked[row][j] !== -Infinity))],
];

/** Whether ten weights or more differ by no more than a tenth. */
const alike = (weights) => weights.length >= 10 && Math.max(...weights) <= 1.1 * Math.min(...weights);

function build(stage) {
  const n = stage.get("asked").length;
  const tokens = range(n).map(String);
  const ink = inks(stage.root);
  const choose = (row, column) => stage.set({ row, column });
  const map = (name) => heatmap(stage, n, ink, choose, { name: `${name}: the arrow keys go to another query or key` });
  const [biases, weights] = [map("Biases"), map("Weights")];
  const controls = html("div", { class: "xp-controls" },
    slider(stage, { name: "n_heads", label: ["Heads"] }),
    slider(stage, { name: "head", label: ["Head in sight"], show: (h, { n_heads }) => `${h}: slope ${fixed(alibiSlopes(n_heads)[h], 4)}` }),
    choice(stage, { name: "contents", label: "Contents of the keys" }),
    choice(stage, { name: "seen", label: "A query sees" }));
  const [captions, readouts] = [0, 1].map(() => [0, 1].map(() => html("p", { class: "xp-legend" })));
  const part = (side, { node }, k) => html("div", { class: side }, captions[k], node, readouts[k]);
  const tasks = goals(TASKS);
  stage.root.classList.add("xp-sided", "xp-topped");
  stage.root.append(html("div", { class: "xp-above xp-inline" }, controls), part("xp-left", biases, 0), part("xp-right", weights, 1), tasks.node);
  return (state) => {
    const now = compute(state);
    const { row, column, head, n_heads } = state;
    const largest = Math.max(1, ...alibiSlopes(n_heads).map((slope) => slope * (n - 1)));
    biases.paint({ tokens, row, column, masked: now.masked, weights: now.bias.map((line) => line.map((b) => b / largest)) });
    weights.paint({ tokens, row, column, masked: now.masked, weights: now.weights });
    put(captions[0], `The biases of head ${head}, all heads on one scale`);
    put(captions[1], "The weights: each row sums to 1");
    const away = Math.abs(row - column);
    const hidden = now.masked[row][column] === -Infinity;
    put(readouts[0], `${row} → ${column}, ${away} apart: ${hidden ? "not seen" : `bias ${fixed(now.bias[row][column])}`}`);
    put(readouts[1], `${row} → ${column}: weight ${fixed(now.weights[row][column], 3)}`);
    const span = fixed(alibiSpan(now.slope, SHARE), 1);
    const holds = spread(now.weights[row], now.masked[row], row);
    const pair = hidden
      ? `Key ${column} comes after query ${row} and is not seen.`
      : `Key ${column} has the score ${fixed(now.compared[row][column])}, and ${fixed(now.bias[row][column])} for its distance; its weight is ${fixed(now.weights[row][column], 3)}.`;
    const near = state.seen === "past" ? `with contents alike and a long past, ${span} tokens hold` : `if it saw only a long past, with contents alike, ${span} tokens would hold`;
    return (
      `Head ${head} of ${n_heads} has slope ${fixed(now.slope, 4)}: ${near} nine tenths of its weight. ` +
      `Of query ${row}’s weight ${holds === 1 ? "the nearest token holds" : `the nearest ${holds} hold`} as much. ${pair}${tasks.paint({ ...now, row, column })}`
    );
  };
}

export default explorable("Linear biases", names, build);
