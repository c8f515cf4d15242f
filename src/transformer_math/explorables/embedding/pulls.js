import { goalsBeside } from "../goals.js";
import { centredAt, clamp, explorable, fixed, html, memo, path, put, set, slider, svg, symbol } from "../kit.js";
import { range } from "../numbers.js";
import { buttonRow } from "../output/candidates.js";
import { samplingStep } from "./formulas.js";

const names = ["step", "rate", "k", "lesson", "centres", "neighbours"];
const PAUSE = 250; // milliseconds between two steps that play by themselves
const MARGIN = 34;
const [HALF_A_LETTER, LINE] = [3.5, 13]; // pixels
const AROUND = [[0, -1], [0, 1.1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1.1], [-1, 1.1]]; // right, down
const most = (rows) => Math.max(...rows.flat().map(Math.abs));

/** The vectors before each step and after the last, and the errors of each step. */
function course({ steps, E, U }, rate, k) {
  const states = [{ E, U }];
  steps.forEach(([centre, target, ...invented]) => {
    const before = states.at(-1);
    const { h, U: moved, errors } = samplingStep(before.E[centre], before.U, target, invented.slice(0, k), rate);
    states.push({ E: before.E.map((row, i) => (i === centre ? h : row)), U: moved, errors });
  });
  return states;
}

/** A word as a dot with its name and its way since the step before. */
function word(kind) {
  const trail = svg("path", { class: `xp-curve ${kind}` });
  const dot = svg("circle", { r: 5, class: `xp-dot ${kind}` });
  const name = svg("text", { class: `xp-named ${kind}`, "text-anchor": "middle" });
  return { nodes: [trail, dot, name], trail, dot, name };
}

/** A place for a name round its dot, the nearest where it covers no dot and no name that has its place. */
function beside([x, y], name, size, taken) {
  const half = HALF_A_LETTER * name.length;
  const round = (far) => AROUND.map(([right, down]) => [x + right * (half + far), y + 4 + down * (LINE + far - 9)]);
  const places = [9, 16, 23, 30].flatMap(round);
  const inside = places.map(([cx, cy]) => [clamp(cx, half, size - half), clamp(cy, LINE, size)]);
  const isFree = ([cx, cy]) => taken.every((other) => Math.abs(cx - other.cx) >= half + other.half || Math.abs(cy - other.cy) >= LINE);
  const [cx, cy] = inside.find(isFree) ?? inside[0];
  taken.push({ cx, cy, half });
  return [cx, cy];
}

/** The plane: centres and neighbours, the pair that pulls, and the words that push. */
function plane(stage, centres, neighbours) {
  const [asCentre, asNeighbour] = [centres.map(() => word("xp-query")), neighbours.map(() => word("xp-key"))];
  const axes = svg("path", { class: "xp-line" });
  const pull = svg("path", { class: "xp-curve xp-content" });
  const push = svg("path", { class: "xp-marker", fill: "none" });
  const parts = [...asCentre, ...asNeighbour].flatMap(({ nodes }) => nodes);
  const node = svg("svg", { "aria-hidden": "true" }, axes, push, pull, ...parts);
  const paint = (before, now, taking) => {
    const size = Math.min(stage.column, 400);
    const scale = (size / 2 - MARGIN) / Math.max(most(now.E), most(now.U), 1);
    const at = ([x, y]) => [size / 2 + scale * x, size / 2 - scale * y];
    set(node, { width: size, height: size });
    set(axes, { d: `M0,${size / 2}h${size}M${size / 2},0v${size}` });
    const taken = [...now.E, ...now.U].map(at).map(([cx, cy]) => ({ cx, cy: cy + 4, half: 5 })); // by the dots
    const draw = (shown, names, old, rows) =>
      shown.forEach(({ trail, dot, name }, i) => {
        const [x, y] = at(rows[i]);
        set(trail, { d: path([at(old[i]), [x, y]]) });
        const [left, base] = beside([x, y], names[i], size, taken);
        set(dot, centredAt([x, y]));
        set(name, { x: left, y: base });
        put(name, names[i]);
      });
    draw(asCentre, centres, before.E, now.E);
    draw(asNeighbour, neighbours, before.U, now.U);
    const lines = taking ? [taking.target, ...taking.invented].map((v) => path([at(now.E[taking.centre]), at(now.U[v])])) : ["", ""];
    set(pull, { d: lines[0] });
    set(push, { d: lines.slice(1).join("") });
  };
  return { node, paint };
}

const TASKS = [
  ["pull a real pair by less than 0.1?", ({ pulls }) => pulls > -0.1],
  ["push away a pair taken for real by 0.9?", ({ pushes }) => Math.max(...pushes) >= 0.9],
  ["let large steps throw a vector beyond 10?", ({ E }) => Math.max(...E.map((x) => Math.hypot(...x))) > 10],
];

function build(stage) {
  const [centres, neighbours] = [stage.get("centres"), stage.get("neighbours")];
  const computed = memo((rate, k) => course(stage.get("lesson"), rate, k));
  const map = plane(stage, centres, neighbours);
  let timer;
  const stop = () => {
    timer = clearInterval(timer);
    stage.repaint();
  };
  const forward = () => {
    if (stage.get("step") >= stage.highest("step") || !stage.root.isConnected) stop();
    else stage.set({ step: stage.get("step") + 1 });
  };
  const play = () => {
    stop();
    if (stage.get("step") >= stage.highest("step")) stage.set({ step: 0 });
    timer = setInterval(forward, PAUSE);
  };
  const step = slider(stage, { name: "step", label: ["Pairs seen"] });
  for (const touched of ["pointerdown", "keydown"]) step.addEventListener(touched, stop);
  const rate = slider(stage, { name: "rate", step: 0.05, label: ["Learning rate"], show: (x) => fixed(x) });
  const k = slider(stage, { name: "k", label: ["Invented words ", symbol("k")] });
  const buttons = buttonRow(["Next pair", forward], ["Play", play], ["Stop", stop]);
  const [next, , halt] = buttons.children;
  const legend = html("p", { class: "xp-legend" }, html("span", { class: "xp-query" }, "as centre"), html("span", { class: "xp-key" }, "as neighbour"));
  const lines = html("p", { class: "xp-caption" }, "Pink: the real pair, pulled together. Dotted: invented pairs, pushed apart. A tail at a dot: how it moved.");
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-grid" }, html("div", { class: "xp-stack" }, map.node, legend), html("div", { class: "xp-stack" }, step, buttons, rate, k, lines)), tasks.node);
  return (state) => {
    const states = computed(state.rate, state.k);
    set(next, { "aria-disabled": state.step === stage.highest("step") });
    set(halt, { "aria-disabled": timer === undefined });
    const [before, now] = [states[Math.max(0, state.step - 1)], states[state.step]];
    if (state.step === 0) {
      map.paint(now, now);
      return "No pair was seen yet: all vectors stand where they were drawn.";
    }
    const [centre, target, ...rest] = state.lesson.steps[state.step - 1];
    const invented = rest.slice(0, state.k);
    map.paint(before, now, { centre, target, invented });
    const [pulls, ...pushes] = now.errors;
    const done = tasks.paint({ pulls, pushes: pushes.slice(0, state.k), E: now.E });
    const itself = (r) => (invented[r] === target ? " (the neighbour itself)" : "");
    const pushed = range(state.k).map((r) => `“${neighbours[invented[r]]}”${itself(r)} by ${fixed(pushes[r])}`);
    return (
      `Pair ${state.step}: “${centres[centre]}” stood beside “${neighbours[target]}”. It took that for real with ${fixed(1 + pulls)}, ` +
      `so the two are pulled together by ${fixed(-pulls)}. Invented, and pushed away: ${pushed.join(", ")}.${done}`
    );
  };
}

export default explorable("Negative sampling, word by word", names, build);
