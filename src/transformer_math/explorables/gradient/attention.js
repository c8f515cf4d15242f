import { goalsBeside } from "../goals.js";
import { choice, clamp, explorable, fixed, html, inks, keys, memo, put, set, slider, svg, toggle } from "../kit.js";
import { causalMask } from "../attention/formulas.js";
import { range } from "../numbers.js";
import { backward, forward, nudged, slope } from "./formulas.js";

const names = ["which", "row", "column", "nudge", "causal"];
const INPUTS = ["Q", "K", "V", "dO"];
const BACK = ["dV", "dA", "dS", "dQ", "dK"];
const MOVED = 1e-9;

const symbolOf = (name) => html("span", { class: "xp-matrix-name", "data-name": name });
const largest = (...matrices) => Math.max(1e-300, ...matrices.flat(2).map(Math.abs));

/** A matrix as cells of ink; a frame on those that moved, another on the chosen one. */
function cells(name, n, m, ink) {
  const drawing = svg("svg", { viewBox: `0 0 ${m} ${n}`, class: "xp-map", "aria-hidden": "true" });
  const each = (make) => range(n).map((i) => range(m).map((j) => drawing.appendChild(make(i, j))));
  const box = (i, j, inset, attributes) => svg("rect", { x: j + inset, y: i + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, ...attributes });
  const inked = each((i, j) => box(i, j, 0, {}));
  const frames = each((i, j) => box(i, j, 0.08, { class: "xp-moved" }));
  drawing.append(box(0, 0, 0, { class: "xp-frame", width: m, height: n }));
  const node = html("div", { class: "xp-matrix", style: `--columns:${m};--rows:${n}` }, symbolOf(name), drawing);
  const paint = (values, scale, isMarked) =>
    values.forEach((row, i) =>
      row.forEach((x, j) => {
        set(inked[i][j], { fill: `rgb(${ink(x)})`, "fill-opacity": Math.min(1, Math.abs(x) / scale).toFixed(3) });
        frames[i][j].classList.toggle("xp-on", isMarked(i, j));
      }),
    );
  return { node, drawing, paint };
}

/** The four inputs in one field for the keyboard: the arrow keys go on from matrix to matrix. */
function inputsField(stage, n, d, ink) {
  const parts = INPUTS.map((name) => cells(name, n, d, ink));
  const label = "Inputs Q, K, V and the output’s gradient dO: the arrow keys go to another number";
  const field = html("div", { class: "xp-matrices xp-inputs", tabindex: 0, role: "application", "aria-label": label }, ...parts.map(({ node }) => node));
  const choose = (row, at) => stage.set({ row: clamp(row, 0, n - 1), which: INPUTS[Math.floor(at / d)], column: at % d });
  const now = () => [stage.get("row"), INPUTS.indexOf(stage.get("which")) * d + stage.get("column")];
  keys(field, {
    step: (dx, dy) => choose(now()[0] - dy, clamp(now()[1] + dx, 0, INPUTS.length * d - 1)),
    end: (side) => choose(now()[0], side < 0 ? 0 : INPUTS.length * d - 1),
  });
  parts.forEach(({ drawing }, k) =>
    set(drawing, {
      onpointerdown: ({ clientX, clientY }) => {
        const box = drawing.getBoundingClientRect();
        const place = (x, size, count) => clamp(Math.floor((x / size) * count), 0, count - 1);
        choose(place(clientY - box.top, box.height, n), k * d + place(clientX - box.left, box.width, d));
      },
    }),
  );
  const paint = (inputs, { which, row, column }) =>
    parts.forEach((part, k) => part.paint(inputs[INPUTS[k]], largest(inputs[INPUTS[k]]), (i, j) => INPUTS[k] === which && i === row && j === column));
  return { field, paint };
}

/** Everything without the nudge and with it. */
function compute({ which, row, column, nudge, causal }, given, step) {
  const n = given.Q.length;
  const mask = causal ? causalMask(n) : range(n).map(() => range(n).map(() => true));
  const inputs = nudged(given, which, row, column, nudge);
  const [before, after] = [given, inputs].map((some) => ({ ...forward(some, mask), ...backward(some, mask) }));
  const formula = (which === "dO" ? after.O : after[`d${which}`])[row][column];
  return { inputs, before, after, formula, difference: slope(inputs, mask, which, row, column, step) };
}

const apart = (a, b) => Math.abs(a - b) > MOVED;
const signed = (x) => (x < 0 ? fixed(x) : `+${fixed(x)}`);

/** How many entries of each gradient moved. */
const counts = ({ before, after }) =>
  BACK.map((name) => [name, after[name].flatMap((row, i) => row.filter((x, j) => apart(x, before[name][i][j]))).length, after[name].flat().length]);

function sentenceOn(now, { which, row, column, nudge, causal }, tokens) {
  const value = now.inputs[which][row][column];
  const moved = counts(now).filter(([, count]) => count);
  const list = moved.length ? moved.map(([name, count, all]) => `${count} of ${all} numbers of ${name}`).join(", ") : "no gradient";
  return (
    `${which}, row ${row} (“${tokens[row]}”), column ${column}, is ${fixed(value)}, nudged by ${signed(nudge)}${causal ? ", under the causal mask" : ""}. ` +
    `That moves ${list}. The loss went from ${fixed(now.before.loss, 3)} to ${fixed(now.after.loss, 3)}.`
  );
}

/** The gradients that a nudge moved, unless it is too small to be seen. */
const reached = ({ moved, nudge }) => (Math.abs(nudge) < 0.5 ? undefined : moved.filter(([, count]) => count).map(([name]) => name).join(" "));

const TASKS = [
  ["move every gradient but that of V?", (now) => reached(now) === "dA dS dQ dK"],
  ["nudge a query by ½ and move nothing?", (now) => now.which === "Q" && reached(now) === ""],
  ["lower the loss by 3 with one nudge?", ({ before, after }) => before.loss - after.loss >= 3],
];

function build(stage) {
  const [tokens, given, step] = ["tokens", "given", "step"].map(stage.get);
  const [n, d] = [tokens.length, given.Q[0].length];
  const ink = inks(stage.root);
  const inputs = inputsField(stage, n, d, ink);
  const back = Object.fromEntries(BACK.map((name) => [name, cells(name, n, ["dA", "dS"].includes(name) ? n : d, ink)]));
  const weights = cells("A", n, n, ink);
  const row = (...parts) => html("div", { class: "xp-matrices" }, ...parts.map(({ node }) => node));
  const controls = html("div", { class: "xp-thirds xp-level" },
    choice(stage, { name: "which", label: "Nudge a number of" }),
    slider(stage, { name: "nudge", label: ["by"], step: 0.05, show: signed }),
    toggle(stage, { name: "causal", label: ["causal mask"] }));
  const caption = (text) => html("p", { class: "xp-legend" }, text);
  const check = html("p", { class: "xp-check" });
  const rows = html("p", { class: "xp-legend" }, `Rows: ${tokens.join(", ")}`);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    controls,
    html("div", { class: "xp-flow" },
      html("div", {}, caption("Inputs: choose a number"), inputs.field, rows),
      html("div", {},
        caption("Weights and gradients: blue above 0, orange below; framed if moved"),
        row(weights, back.dV, back.dA), row(back.dS, back.dQ, back.dK))),
    check,
    tasks.node,
  );
  const numbers = memo((state) => compute(state, given, step));
  return (state) => {
    const now = numbers(state);
    inputs.paint(now.inputs, state);
    const shown = (name, part) => part.paint(now.after[name], largest(now.before[name], now.after[name]), (i, j) => apart(now.after[name][i][j], now.before[name][i][j]));
    for (const name of BACK) shown(name, back[name]);
    shown("A", weights);
    const place = `${state.which}[${state.row}, ${state.column}]`;
    put(check, `Slope of the loss along ${place}: ${fixed(now.formula, 6)} by the formulas, ${fixed(now.difference, 6)} by a finite difference`);
    return sentenceOn(now, state, tokens) + tasks.paint({ ...now, ...state, moved: counts(now) });
  };
}

export default explorable("Gradient flow", names, build);
