import {
  axisLabels, baseSlider, centredAt, clamp, explorable, fixed, grouped, handle, html, inks, integer, memo, path, put,
  raised, set, slider, svg, symbol, tell,
} from "../kit.js";
import { goals } from "../goals.js";
import { range } from "../numbers.js";
import { frequencies, positionSimilarity, sinusoidal } from "./formulas.js";

const names = ["d_model", "base", "n_positions", "dimension", "position", "other"];
const LEFT = 40;
const RIGHT = 14;
// Three pictures above each other share one axis, the position: where each begins, and how high it is.
const MAP = { y: 56, height: 190 };
const WAVE = { y: 304, height: 84 };
const ALIKE = { y: 440, height: 100 };
const HEIGHT = 596;
const IN_A_WAVE = 24; // points of the curve in each of its waves, at least
const SHARE = 0.6; // of the width, where the controls stand beside the pictures

const encode = (n, d, base) => sinusoidal(range(n), d, base);
const similarities = (n, d, base) => positionSimilarity(range(n), d, base);

/** The encoding as pixels of ink: a column for each position, a row for each dimension. */
function drawMap(canvas, ink) {
  let drawn;
  return (P) => {
    if (P === drawn) return;
    drawn = P;
    const [n, d] = [P.length, P[0].length];
    set(canvas, { width: n, height: d });
    const packed = ([r, g, b]) => r | (g << 8) | (b << 16);
    const [minus, plus] = [packed(ink(-1)), packed(ink(1))];
    const pixels = new Uint32Array(n * d); // one number a pixel: the map has up to 32 768 of them
    for (let p = 0; p < n; p += 1) {
      for (let i = 0; i < d; i += 1) {
        const value = P[p][i];
        pixels[i * n + p] = (value < 0 ? minus : plus) | (Math.round(255 * Math.abs(value)) << 24);
      }
    }
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), n, d);
    canvas.getContext("2d").putImageData(image, 0, 0);
  };
}

/** A handle for a position: a line through all three pictures with a flag at one end. */
function positionHandle(stage, { name, label, letter, kind, y }) {
  const line = svg("path", { class: `xp-rule ${kind}` });
  const flag = svg("rect", { class: `xp-flag ${kind}`, x: -27, y: -11, width: 54, height: 22, rx: 11 });
  const words = svg("text", { class: "xp-flagged", "text-anchor": "middle", "aria-hidden": "true" });
  const grip = svg("g", {}, svg("rect", { class: "xp-hit", x: -30, y: -18, width: 60, height: 36 }), flag);
  let scale;
  const move = (p) => stage.set({ [name]: clamp(Math.round(p), 0, stage.highest(name)) });
  handle(grip, {
    label,
    drag: ({ x }) => move(scale.position(x)),
    step: (dx, dy) => move(stage.get(name) + dx + dy),
    end: (side) => move(side * Infinity),
  });
  const paint = (state, now) => {
    scale = now;
    const x = scale.x(state[name]);
    const through = [MAP, WAVE, ALIKE].map((part) => `M${x},${part.y - 6}v${part.height + 12}`).join("");
    set(line, { d: `${through}M${x},${y}V${y < HEIGHT / 2 ? MAP.y : ALIKE.y + ALIKE.height + 24}` });
    const middle = clamp(x, 28, scale.whole - 28);
    set(grip, { transform: `translate(${middle},${y})` });
    set(words, { transform: `translate(${middle},${y + 4.5})` });
    put(words, `${letter} = ${state[name]}`);
    tell(grip, state[name], 0, state.n_positions - 1, `position ${state[name]}`);
  };
  return { line, grip, words, paint };
}

/** The row of the map that is drawn as a wave: click, drag or use the arrow keys. */
function dimensionPicker(stage) {
  const band = svg("rect", { class: "xp-band" });
  const mark = svg("path", { class: "xp-pointer", d: "M-2,0L-11,-6V6Z" });
  const grip = svg("g", {}, svg("rect", { class: "xp-hit" }), band, mark);
  const choose = (i) => stage.set({ dimension: clamp(i, 0, stage.highest("dimension")) });
  const drag = ({ y }) => choose(Math.floor(((y - MAP.y) / MAP.height) * stage.get("d_model")));
  const step = (dx, dy) => choose(stage.get("dimension") + dx - dy);
  handle(grip, { label: "Dimension, a row of the map", drag, step, end: (side) => choose(side * Infinity) });
  const top = () => grip.ownerSVGElement.getBoundingClientRect().top;
  grip.addEventListener("pointerdown", (event) => drag({ y: event.clientY - top() }));
  const paint = ({ dimension, d_model }, scale) => {
    const row = MAP.height / d_model;
    const height = Math.max(row, 3);
    const middle = MAP.y + (dimension + 0.5) * row;
    set(grip.firstChild, { x: LEFT, y: MAP.y, width: scale.width, height: MAP.height });
    set(band, { x: LEFT, y: middle - height / 2, width: scale.width, height });
    set(mark, { transform: `translate(${LEFT},${middle})` });
    tell(grip, dimension, 0, d_model - 1, `dimension ${dimension}`);
  };
  return { grip, paint };
}

/** The chosen dimension as a curve, with its values at the two positions. */
function wavePicture() {
  const curve = svg("path", { class: "xp-curve xp-position" });
  const dots = ["xp-query", "xp-key"].map((kind) => svg("circle", { r: 5, class: `xp-dot ${kind}` }));
  const length = svg("path", { class: "xp-span" });
  const frame = svg("path", { class: "xp-line" });
  let drawn;
  const paint = (state, scale, P) => {
    const { dimension, d_model, base, n_positions } = state;
    const omega = frequencies(d_model, base)[Math.floor(dimension / 2)];
    const wave = dimension % 2 ? Math.cos : Math.sin;
    const y = (v) => WAVE.y + ((1 - v) / 2) * WAVE.height;
    const wavelength = (2 * Math.PI) / omega;
    const key = [dimension, d_model, base, n_positions, scale.width].join();
    if (key !== drawn) {
      drawn = key;
      const steps = Math.ceil(Math.max(scale.width / 2, (IN_A_WAVE * n_positions) / wavelength));
      const along = range(steps + 1).map((i) => (i / steps) * n_positions - 0.5);
      set(curve, { d: path(along.map((p) => [scale.x(p), y(wave(omega * p))])) });
      set(frame, { d: `M${LEFT},${y(0)}h${scale.width}` });
      const to = LEFT + Math.min(wavelength / n_positions, 1) * scale.width;
      const end = wavelength <= n_positions ? "m0,-4v8" : "m-5,-4l5,4l-5,4";
      set(length, { d: `M${LEFT},${y(-1.16) - 4}v8m0,-4H${to}${end}` });
    }
    const dot = (p, i) => set(dots[i], centredAt([scale.x(p), y(P[p][dimension])]));
    [state.position, state.other].forEach(dot);
    return { omega, wavelength };
  };
  return { nodes: [frame, length, curve, ...dots], paint };
}

/** p's dot product with every position, which is a function of the offset alone: moving p only shifts the curve. */
function similarityPicture() {
  const curve = svg("path", { class: "xp-curve xp-content" });
  const dots = ["xp-query", "xp-key"].map((kind) => svg("circle", { r: 5, class: `xp-dot ${kind}` }));
  const [frame, labels] = [svg("path", { class: "xp-line" }), axisLabels()];
  const paint = ({ position, other, n_positions, d_model }, scale, alike) => {
    const low = Math.min(0, ...alike);
    const y = (v) => ALIKE.y + ((d_model / 2 - v) / (d_model / 2 - low)) * ALIKE.height;
    const at = (p) => alike[Math.abs(p - position)];
    set(curve, { d: path(range(n_positions).map((p) => [scale.x(p), y(at(p))])) });
    set(frame, { d: `M${LEFT},${y(0)}h${scale.width}` });
    [position, other].forEach((p, i) => set(dots[i], centredAt([scale.x(p), y(at(p))])));
    const below = ALIKE.y + ALIKE.height + 18;
    const signed = (offset) => (offset > 0 ? `+${offset}` : integer(offset));
    labels.paint([
      [LEFT - 6, y(d_model / 2) + 4, integer(d_model / 2), "end"],
      [LEFT - 6, y(0) + 4, "0", "end"],
      ...offsetTicks(position, n_positions).map((offset) => [scale.x(position + offset), below, signed(offset)]),
    ]);
  };
  return { nodes: [frame, labels.group, curve, ...dots], paint };
}

/** About eight round numbers. */
const roundStep = (n) => [1, 2, 5, 10, 20].find((step) => n / step <= 8) ?? 50;

/** Round offsets whose positions exist. */
function offsetTicks(position, n) {
  const step = roundStep(n);
  const first = -Math.floor(position / step);
  return range(Math.floor((n - 1 - position) / step) - first + 1).map((i) => (first + i) * step);
}

/** What stands above each picture, the positions below the map, and the scale of the wave. */
function captions(lines) {
  const labels = axisLabels();
  const paint = (scale, n, texts) => {
    lines.forEach((line, i) => put(line, texts[i]));
    const marks = range(Math.ceil(n / roundStep(n))).map((i) => i * roundStep(n));
    labels.paint([
      ...marks.map((p) => [scale.x(p), MAP.y + MAP.height + 17, String(p)]),
      ...[1, 0, -1].map((v) => [LEFT - 6, WAVE.y + ((1 - v) / 2) * WAVE.height + 4, integer(v), "end"]),
    ]);
  };
  return { nodes: [...lines, labels.group], paint };
}

/** What was last chosen of these, also where a slider has left no room for it since. */
function choices(stage, ...names) {
  const chosen = {};
  return () => {
    for (const name of names) if (stage.get(name) !== Math.min(chosen[name], stage.highest(name))) chosen[name] = stage.get(name);
    return chosen;
  };
}

function controls(stage) {
  const [row, places] = [choices(stage, "dimension"), choices(stage, "position", "other")];
  return html("div", { class: "xp-turn xp-stacked" },
    slider(stage, { name: "d_model", label: ["Dimensions ", symbol("d", "model")], change: (d) => ({ d_model: d, ...row() }) }),
    slider(stage, { name: "n_positions", label: ["Positions"], change: (n) => ({ n_positions: n, ...places() }) }),
    slider(stage, { name: "dimension", label: ["Dimension drawn as a wave"] }),
    baseSlider(stage));
}

const TASKS = [
  ["draw a wave that is longer than all positions?", ({ wavelength, n_positions }) => wavelength > n_positions],
  ["find two positions with a negative product?", ({ product }) => product < -0.005],
  ["make two positions 99 % alike that are 10 or more apart?", ({ product, position, other, d_model }) => Math.abs(position - other) >= 10 && product >= 0.495 * d_model],
];

/** A small number with two digits: 1.2 · 10⁻⁵. */
function inPowers(x) {
  const [digits, power] = x.toExponential(1).split("e");
  return `${digits} · 10${raised(Number(power))}`;
}

const long = (wavelength) => `${wavelength < 1000 ? fixed(wavelength, 1) : grouped(Math.round(wavelength))} positions`;

/** The state in words. */
function sentence({ dimension, position, other, d_model, n_positions, base }, { omega, wavelength }, product) {
  const wave = dimension % 2 ? "cos" : "sin";
  return (
    `${n_positions} positions, ${d_model} dimensions, base ${grouped(base)}. ` +
    `Dimension ${dimension} is ${wave}(${omega < 0.001 ? inPowers(omega) : fixed(omega, 4)} · position), ` +
    `a wave ${long(wavelength)} long. ` +
    `Positions p = ${position} and q = ${other}, offset ${integer(other - position)}: ` +
    `P[p] · P[q] = ${fixed(product)} of at most ${d_model / 2}.`
  );
}

function build(stage) {
  const [encoding, alike] = [memo(encode), memo(similarities)];
  const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
  const heights = [MAP.y - 44, WAVE.y - 14, ALIKE.y - 14];
  const labels = captions(heights.map((y) => svg("text", { class: "xp-caption", x: 0, y })));
  const [picker, wave, similarity] = [dimensionPicker(stage), wavePicture(), similarityPicture()];
  const p = positionHandle(stage, { name: "position", label: "Position p", letter: "p", kind: "xp-query", y: 36 });
  const q = positionHandle(stage, { name: "other", label: "Position q", letter: "q", kind: "xp-key", y: HEIGHT - 16 });
  const label = "The encoding, one wave of it, and similarities";
  const picture = svg("svg", { height: HEIGHT, role: "group", "aria-label": label });
  picture.append(...labels.nodes, picker.grip, ...wave.nodes, ...similarity.nodes, p.line, q.line);
  picture.append(p.grip, p.words, q.grip, q.words);
  const tasks = goals(TASKS);
  stage.root.classList.add("xp-sided", "xp-upright");
  stage.root.append(html("div", { class: "xp-left xp-layers" }, canvas, picture), controls(stage), tasks.node);
  const draw = drawMap(canvas, inks(stage.root));
  return (state) => {
    const { n_positions: n, d_model, base, position, other, dimension } = state;
    const whole = stage.wide ? Math.floor((stage.width - 32) * SHARE) : stage.width;
    const width = whole - LEFT - RIGHT;
    const x = (at) => LEFT + ((at + 0.5) / n) * width;
    const scale = { whole, width, x, position: (px) => ((px - LEFT) / width) * n - 0.5 };
    const P = encoding(n, d_model, base);
    draw(P);
    canvas.style.cssText = `left:${LEFT}px;top:${MAP.y}px;width:${width}px;height:${MAP.height}px`;
    set(picture, { width: whole });
    for (const part of [picker, p, q]) part.paint(state, scale);
    const shape = wave.paint(state, scale, P);
    similarity.paint(state, scale, alike(n, d_model, base));
    labels.paint(scale, n, [
      `${n} positions across, ${d_model} dimensions down`,
      `dimension ${dimension}: wavelength ${long(shape.wavelength)}`,
      "P[p] · P[position], by offset from p",
    ]);
    const product = alike(n, d_model, base)[Math.abs(other - position)];
    return sentence(state, shape, product) + tasks.paint({ ...state, ...shape, product });
  };
}

export default explorable("Sinusoidal positional encoding", names, build);
