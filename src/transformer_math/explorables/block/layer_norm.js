import { arrow, vector } from "../arrows.js";
import { clamp, explorable, fixed, html, memo, path, put, set, slider, svg } from "../kit.js";
import { goals } from "../goals.js";
import { length, mean, range } from "../numbers.js";
import { fromPlane, layerNorm, rmsNorm, toPlane } from "./formulas.js";

const names = ["x", "gamma", "beta"];
const EPSILON = 1e-5;
const SIZE = 228; // pixels of a view's side
const REACH = 3.5; // what half of it shows at least
const ROOM = 0.7; // beyond the bent ring, for letters
const [SIN, COS] = [Math.sin(Math.PI / 9), Math.cos(Math.PI / 9)]; // of the tilt
const NEAR = 0.07; // so near to the axis a moved vector is put on it
const [ONES, ZEROS] = [[1, 1, 1], [0, 0, 0]];
const DIGITS = ["₀", "₁", "₂"];
const TURNS = range(61).map((k) => (k * Math.PI) / 30);
const CIRCLE = TURNS.map((t) => fromPlane([Math.sqrt(3) * Math.cos(t), Math.sqrt(3) * Math.sin(t), 0]));
const FLOOR = TURNS.map((t) => fromPlane([3.2 * Math.cos(t), 3.2 * Math.sin(t), 0]));

const minus = (x, y) => x.map((value, i) => value - y[i]);

/** The two views: what a vector's three parts are on the page, and which parts a place on the page has, given the others. */
const fromSide = { flat: ([a, b, h]) => [a, h * COS + b * SIN], solid: ([u, v], [, b]) => [u, b, (v - b * SIN) / COS] };
const fromFront = { flat: ([a, b]) => [a, b], solid: ([u, v], [, , h]) => (Math.hypot(u, v) < NEAR ? [0, 0, h] : [u, v, h]) };

function measure({ x, gamma, beta }) {
  const centred = x.map((value) => value - mean(x));
  const plain = layerNorm(x, ONES, ZEROS, EPSILON);
  return { x, centred, plain, normed: layerNorm(x, gamma, beta, EPSILON), plainRms: rmsNorm(x, ONES, EPSILON), rms: rmsNorm(x, gamma, EPSILON), gamma, beta };
}

/** The ring of all that LayerNorm gives. */
const bent = memo((gamma, beta) => CIRCLE.map((v) => v.map((value, i) => gamma[i] * value + beta[i])));

/** What half of a view shows, so that the whole ring is in it. */
const reachOf = (gamma, beta) => Math.max(REACH, ...bent(gamma, beta).map((v) => ROOM + length(v)));

/** Put a word beside the tip of an arrow: to its right, or, with a negative distance, to its left. */
function beside(text, [x, y], distance) {
  const long = Math.hypot(x, y) || 1;
  set(text, { x: x + (8 * x - distance * y) / long, y: y + (8 * y + distance * x) / long });
}

/** A vector with the same mean and direction within the plane, shortened until its entries are in the room. */
function inRoom(x, most) {
  const middle = clamp(mean(x), -most, most);
  const apart = x.map((value) => value - mean(x));
  const share = Math.min(1, ...apart.map((value) => (most - Math.sign(value) * middle) / Math.abs(value)));
  return apart.map((value) => middle + share * value);
}

/** One view: the plane and its axis, the circle, the vector with a handle, what becomes of it. */
function view(stage, title, camera, handled) {
  const most = stage.bounds.x.high;
  const flat = (v) => camera.flat(toPlane(v));
  const set3 = (x) => stage.set({ x: x.map((value) => Number(clamp(value, -most, most).toFixed(3))) });
  const put3 = (parts) => set3(inRoom(fromPlane(parts), most));
  const place = () => (handled === "x" ? stage.get("x") : stage.get("x").map((value) => value - mean(stage.get("x"))));
  const tip = vector({
    kind: handled === "x" ? "xp-query" : "xp-muted",
    letter: handled === "x" ? "x" : "",
    name: handled === "x" ? "x, up and down its mean" : "x within the plane",
    longest: 3.5,
    at: () => flat(place()),
    move: (u, v) => put3(camera.solid([u, v], toPlane(stage.get("x")))),
  });
  const [other, normed, rms] = [handled === "x" ? "xp-muted" : "xp-query", "xp-value-arrow", "xp-key"].map(arrow);
  const floor = svg("path", { class: "xp-known" });
  const [axis, drop] = [svg("path", { class: "xp-line" }), svg("path", { class: "xp-marker" })];
  const ring = svg("path", { class: "xp-curve xp-value-arrow" });
  const sphere = svg("circle", { class: "xp-line" });
  const letters = [["LN", "xp-value-arrow"], ["RMS", "xp-key"]].map(([text, kind]) => svg("text", { class: `xp-letter xp-small ${kind}` }, text));
  const axes = DIGITS.map((digit) => svg("text", { class: "xp-letter xp-small xp-muted" }, `x${digit}`));
  const centred = svg("g", { transform: `translate(${SIZE / 2},${SIZE / 2})` }, floor, sphere, axis, drop, ring, other.node, ...tip.back, rms.node, normed.node, ...axes, ...(handled === "x" ? letters : [letters[0]]), tip.grip);
  const drawing = svg("svg", { role: "group", "aria-label": title, width: SIZE, height: SIZE, style: "overflow: hidden" }, centred);
  let unit;
  const pixels = (v) => [flat(v)[0] * unit, -flat(v)[1] * unit];
  const closed = (points) => `${path(points.map(pixels))}Z`;
  const units = [[3, 0, 0], [0, 3, 0], [0, 0, 3]];
  const scale = (reach) => {
    if (unit === (unit = SIZE / 2 / reach)) return;
    set(sphere, { r: Math.sqrt(3) * unit });
    set(floor, { d: closed(FLOOR) });
    set(axis, { d: [...units, [2, 2, 2]].map((v) => `M0,0L${pixels(v).map((c) => c.toFixed(1))}`).join("") });
    axes.forEach((text, i) => set(text, { x: 1.13 * pixels(units[i])[0], y: 1.13 * pixels(units[i])[1] }));
  };
  const paint = (now) => {
    scale(reachOf(now.gamma, now.beta));
    tip.paint(flat(now[handled]), SIZE, unit);
    other.point(...pixels(handled === "x" ? now.centred : now.x));
    normed.point(...pixels(now.normed));
    rms.point(...pixels(now.rms));
    set(ring, { d: closed(bent(now.gamma, now.beta)) });
    set(drop, { d: path([now.x, now.centred].map(pixels)) });
    beside(letters[0], pixels(now.normed), 16);
    beside(letters[1], pixels(now.rms), -24);
  };
  return { node: html("div", {}, html("p", { class: "xp-caption" }, title), drawing), paint };
}

/** γ and β: a slider for each entry. */
const parameterSliders = (stage) =>
  [["gamma", "γ"], ["beta", "β"]].flatMap(([name, letter]) =>
    DIGITS.map((digit, k) => {
      const { low, high } = stage.bounds[name];
      const change = (value) => ({ [name]: stage.get(name).map((old, i) => (i === k ? value : old)) });
      return slider(stage, { name, label: [letter + digit], min: low, max: () => high, step: 0.1, show: (values) => fixed(values[k], 1), read: (state) => state[name][k], change });
    }),
  );

/** Each step with its entries, their mean and their length. */
function stepsOf() {
  const heads = ["x", "x − μ", "÷ σ", "LayerNorm", "RMSNorm"];
  const rows = heads.map(() => range(5).map(() => html("td")));
  const kinds = ["xp-query", "xp-muted", "xp-muted", "xp-value-arrow", "xp-key"];
  const lines = heads.map((head, r) => html("tr", {}, html("th", { scope: "row" }, html("span", { class: kinds[r] }, head)), ...rows[r]));
  const top = ["0", "1", "2", "mean", "length"].map((text) => html("th", { scope: "col" }, text));
  const node = html("table", { class: "xp-normed", "aria-label": "The vector after each step" }, html("thead", {}, html("tr", {}, html("td"), ...top)), html("tbody", {}, ...lines));
  const paint = ({ x, centred, plain, normed, rms }) =>
    [x, centred, plain, normed, rms].forEach((v, r) => [...v, mean(v), length(v)].forEach((value, c) => put(rows[r][c], fixed(value))));
  return { node, paint };
}

/** Buttons that move all entries alike; one that would leave the room is off. */
function movers(stage) {
  const { low, high } = stage.bounds.x;
  const moves = [["All + ½", (x) => x + 0.5], ["All − ½", (x) => x - 0.5], ["All × 2", (x) => 2 * x], ["All ÷ 2", (x) => x / 2]];
  const buttons = moves.map(([text, move]) => html("button", { type: "button", onclick: () => stage.set({ x: stage.get("x").map(move) }) }, text));
  const paint = ({ x }) => buttons.forEach((button, k) => (button.disabled = x.map(moves[k][1]).some((value) => value < low || value > high)));
  return { node: html("div", { class: "xp-buttons" }, ...buttons), paint };
}

const tasks = (start) => [
  ["move x and keep its LayerNorm?", ({ x, plain }) => length(minus(x, start.x)) > 0.3 && length(minus(plain, start.plain)) < 0.02],
  ["let RMSNorm do the same as LayerNorm?", ({ plain, plainRms }) => length(plain) > 0.1 && length(minus(plain, plainRms)) < 0.05],
  ["find an x of which nothing is left?", ({ plain }) => length(plain) < 0.05],
];

const written = (v) => `(${v.map((value) => fixed(value)).join(", ")})`;

/** What the parameters make of both results; nothing while they leave LayerNorm's as it is. */
function scaled({ gamma, beta, normed, rms }) {
  if (gamma.every((value) => value === 1) && beta.every((value) => value === 0)) return "";
  return ` LayerNorm with γ, β: ${written(normed)}; RMSNorm with γ: ${written(rms)}.`;
}

function sentenceOn({ x, centred, plain, plainRms }) {
  const deviation = length(centred) / Math.sqrt(3);
  if (deviation < 1e-6) return `All entries are ${fixed(x[0])}: x lies on the axis, its projection is 0, and of LayerNorm nothing is left but β.`;
  const long = fixed(length(plain));
  const normed = long === fixed(Math.sqrt(3))
    ? `divided by σ it is ${long} long, whatever x was`
    : `divided by √(σ² + ε) it is ${long} long, and not ${fixed(Math.sqrt(3))}: beside so small a σ² the ε of 10⁻⁵ counts`;
  return (
    `x has mean ${fixed(mean(x))} and standard deviation ${fixed(deviation)}. Its projection into the plane is ${fixed(length(centred))} long; ` +
    `${normed}. RMSNorm does not project: its mean before γ is ${fixed(mean(plainRms))}.`
  );
}

function build(stage) {
  const side = view(stage, "From the side, up is the mean: drag x", fromSide, "x");
  const front = view(stage, "The plane from above: drag x − μ", fromFront, "centred");
  const [table, buttons, done] = [stepsOf(), movers(stage), goals(tasks(measure(Object.fromEntries(names.map((name) => [name, stage.get(name)])))))];
  stage.root.append(
    html("div", { class: "xp-grid xp-norms" },
      html("div", {}, side.node, html("div", { class: "xp-six" }, ...parameterSliders(stage)), done.node),
      html("div", {}, front.node, buttons.node, table.node)),
  );
  return (state) => {
    const now = measure(state);
    for (const part of [side, front, table, buttons]) part.paint(now);
    return sentenceOn(now) + scaled(now) + done.paint(now);
  };
}

export default explorable("The geometry of LayerNorm", names, build);
