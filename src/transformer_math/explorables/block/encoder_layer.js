import { heatmap } from "../attention/heatmap.js";
import { goalsBeside } from "../goals.js";
import { axisLabels, choice, explorable, fixed, html, inks, memo, path, raised, set, slider, svg, toggle } from "../kit.js";
import { cosine, mean, range } from "../numbers.js";
import { piecewise } from "../work.js";
import { climb, cosines, drawn, spread } from "./stack.js";

const PARTS = ["norm", "attention", "feed_forward", "residual_attention", "residual_network", "queries"];
const names = ["layer", ...PARTS, "weights", "row", "column", "tokens"];
const WHOLE = { attention: true, feed_forward: true, residual_attention: true, residual_network: true, queries: 1 };
const LABELS = { attention: "attention", feed_forward: "feed-forward", residual_attention: "residual at attention", residual_network: "residual at the network" };
const ROUNDING = 1e-12; // tokens that differ by less are the same
const [HEIGHT, LEFT, TOP, BOTTOM, RIGHT] = [116, 40, 8, 24, 8];

/** A share in words: with three digits after the point, as a power of ten where it is tiny. */
function small(x) {
  if (x < ROUNDING) return "0 but for rounding";
  if (x >= 0.001) return fixed(x, 3);
  const [digits, power] = x.toExponential(1).split("e-");
  return `${digits} · 10${raised(-power)}`;
}

/** A drawing over the layers: this stack's curve, the whole stack's in grey once it is found, and a line at the layer in sight. */
function layerChart(stage, { high, low, ticks }) {
  const [known, mine] = ["xp-muted", "xp-query"].map((kind) => svg("path", { class: `xp-curve ${kind}` }));
  const [frame, here, labels] = [svg("path", { class: "xp-line" }), svg("path", { class: "xp-marker" }), axisLabels()];
  const node = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, here, known, mine, labels.group);
  const paint = (curves, layer, last) => {
    const width = stage.column - LEFT - RIGHT;
    const x = (k) => LEFT + (k / last) * width;
    const y = (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    set(node, { width: stage.column });
    set(frame, { d: path([[LEFT, TOP], [LEFT, HEIGHT - BOTTOM], [LEFT + width, HEIGHT - BOTTOM]]) });
    set(here, { d: path([[x(layer), TOP], [x(layer), HEIGHT - BOTTOM]]) });
    const line = (values) => {
      const end = values.findIndex((value) => value < low); // there it meets the floor, and ends
      return path(values.slice(0, end < 0 ? undefined : end + 1).map((value, i) => [x(i), y(Math.max(low, value))]));
    };
    [mine, known].forEach((curve, k) => set(curve, { d: curves[k] ? line(curves[k]) : "" }));
    const below = range(last + 1).filter((k) => k % 3 === 0);
    labels.paint([...ticks.map(([value, text]) => [LEFT - 6, y(value) + 4, text, "end"]), ...below.map((k) => [x(k), HEIGHT - 7, String(k), "middle"])]);
  };
  return { node, paint };
}

const TASKS = [
  ["make all tokens alike within six layers?", ({ spreads }) => spreads[6] < 1e-6],
  ["do without the residual at attention, and keep tokens apart for six layers?", ({ state, spreads }) => state.attention && !state.residual_attention && spreads[6] > 0.01],
  ["have both sublayers, and at the end a cosine of 0.4 with the input?", ({ state, kept, last }) => state.attention && state.feed_forward && kept[last] > 0.4],
];

/** What a stack does, layer by layer: `found` grows with each of the pieces, in the first of which the stack is asked for. */
function measuring(stack, parts) {
  const found = { states: [], spreads: [], kept: [] };
  const pieces = (function* () {
    for (const Z of climb(stack(), parts)) {
      found.states.push(Z);
      found.spreads.push(spread(Z));
      found.kept.push(mean(Z.map((z, i) => cosine(z, found.states[0][i]))));
      yield;
    }
    return found;
  })();
  return { found, pieces };
}

function build(stage) {
  const tokens = stage.get("tokens");
  const last = stage.bounds.layer.high;
  const stack = memo((seed) => drawn(seed, tokens));
  // Layers are climbed in the frames after the answer, and then those of the whole stack, in grey. What has begun is
  // finished and shown before the next is begun: on a slow machine, whoever drags on would see nothing else.
  const rest = piecewise(() => stage.repaint());
  let [shown, begun] = [undefined, undefined];
  const goUp = (of, { weights }, parts) => {
    begun = { of, ...measuring(() => stack(weights), parts) };
    rest.begin(begun.pieces, () => {});
  };
  let [told, done] = ["", ""];
  let [whole, sought] = [undefined, ""];
  const search = piecewise(() => whole && stage.repaint());
  const seekWhole = ({ weights, norm }) => {
    if (sought === (sought = `${weights} ${norm}`)) return;
    whole = undefined;
    search.begin(measuring(() => stack(weights), { ...WHOLE, norm }).pieces, (found) => (whole = found));
  };
  const alike = memo((of, layer) => cosines(shown.found.states[layer], shown.found.states[layer]));
  const map = heatmap(stage, tokens.length, inks(stage.root), (row, column) => stage.set({ row, column }), { name: "Cosines of tokens: the arrow keys go to another pair", high: 300, top: 78, sides: ["", ""] });
  const differ = layerChart(stage, { high: 0, low: Math.log10(ROUNDING), ticks: [[0, "1"], [-3, "10⁻³"], [-6, "10⁻⁶"], [-9, "10⁻⁹"], [-12, "10⁻¹²"]] });
  const resemble = layerChart(stage, { high: 1, low: -0.5, ticks: [[1, "1"], [0.5, "0.5"], [0, "0"], [-0.5, "−0.5"]] });
  const caption = (text) => html("p", { class: "xp-caption" }, text);
  const tasks = goalsBeside(stage, TASKS);
  const layer = slider(stage, { name: "layer", label: ["Layer"], show: (k) => (k ? `after ${k}` : "input") });
  const longer = slider(stage, { name: "queries", label: ["Queries"], step: 0.5, show: (q) => `× ${fixed(q, 1)}` });
  const seed = slider(stage, { name: "weights", label: ["Weights"], show: (k) => `draw ${k}` });
  const switches = Object.entries(LABELS).map(([name, label]) => toggle(stage, { name, label: [label] }));
  stage.root.append(
    html("div", { class: "xp-controls xp-depth" }, choice(stage, { name: "norm", label: "Norms" }), html("div", {}, ...switches)),
    html("div", { class: "xp-grid xp-climb" },
      html("div", { class: "xp-stack" }, layer, caption("Cosine of every pair of tokens"), map.node),
      html("div", { class: "xp-stack" }, caption("How much tokens differ (grey: all parts)"), differ.node, caption("Similarity to own input (grey: all parts)"), resemble.node, html("div", { class: "xp-pair" }, longer, seed))),
    tasks.node,
  );
  return (state) => {
    const parts = Object.fromEntries(PARTS.map((name) => [name, state[name]]));
    const of = JSON.stringify([state.weights, parts]);
    if (begun?.found.states.length > state.layer) shown = begun;
    if (begun?.of !== of && !rest.isBusy()) goUp(of, state, parts);
    while (!told && begun.found.states.length <= state.layer) begun.pieces.next(); // a figure that has said nothing yet begins with an answer
    if (!told) shown = begun;
    seekWhole(state);
    const now = shown.found;
    const both = [now, whole];
    const isOnTop = shown.of === of && now.states.length > last;
    for (const { node } of [differ, resemble]) set(node, { "aria-busy": !(whole && isOnTop) });
    if (now.states.length <= state.layer) return told;
    const pairs = alike(shown.of, state.layer);
    map.paint({ tokens, row: state.row, column: state.column, weights: pairs, masked: pairs });
    differ.paint(both.map((one) => one?.spreads.map((value) => Math.log10(Math.max(value, 1e-300)))), state.layer, last);
    resemble.paint(both.map((one) => one?.kept), state.layer, last);
    if (shown.of === of) done = tasks.paint({ state, last, ...now });
    return (told = sentenceOn(state, tokens, now, pairs) + done);
  };
}

function sentenceOn({ layer, row, column }, tokens, { spreads, kept }, pairs) {
  const others = pairs.flatMap((line, i) => line.filter((_, j) => j !== i));
  const other = row === column ? "with itself" : `and “${tokens[column]}”, place ${column}`;
  const pair = ` (“${tokens[row]}”, place ${row}, ${other}: ${fixed(pairs[row][column])})`;
  return (
    `${layer ? `After layer ${layer}` : "At the input"} the share of Z that differs from token to token is ${small(spreads[layer])}${layer ? ` (${small(spreads[0])} at the input)` : ""}. ` +
    `Two different tokens have a cosine of ${fixed(mean(others))} on average${pair}, and a token has a cosine of ${fixed(kept[layer])} with its own input.`
  );
}

export default explorable("What depth does to a sentence", names, build);
