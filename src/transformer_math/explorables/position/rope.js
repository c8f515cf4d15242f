import {
  axisLabels, baseSlider, centredAt, choice, clamp, explorable, fixed, grouped, handle, html, inks, integer, memo, path,
  put, set, slider, svg, symbol, tell,
} from "../kit.js";
import { arrow } from "../arrows.js";
import { goals } from "../goals.js";
import { dot, range } from "../numbers.js";
import { frequencies, rope, rotate } from "./formulas.js";

const TURN = 2 * Math.PI;
const MOST = 300; // pixels of the plane’s side
const FAR = 20; // positions
const degrees = (angle) => `${integer((angle * 180) / Math.PI)}°`;
const planeOf = (x, p) => x.slice(2 * p, 2 * p + 2);
const names = ["i", "j", "plane", "base", "scale", "d", "query", "key", "chart"];

/** The smaller angle from one direction to another. */
function between(from, to) {
  const angle = Math.atan2(to[1], to[0]) - Math.atan2(from[1], from[0]);
  return angle - TURN * Math.round(angle / TURN);
}

/** How far the plane in sight turns from one position to the next. */
const speed = ({ plane, base, scale, d }) => frequencies(d, base)[plane] / scale;

/** Everything the picture needs, from the state. */
function measure(state) {
  const { i, j, plane, base, scale, d, query, key } = state;
  const [q, k] = [query.slice(0, d), key.slice(0, d)];
  const omega = speed(state);
  const [q1, k1] = [rope(q, i / scale, base), rope(k, j / scale, base)];
  const pair = [planeOf(q1, plane), planeOf(k1, plane)];
  const [lengths, inPlane] = [pair.map((x) => Math.hypot(...x)), dot(...pair)];
  const apart = Math.abs(between(...pair));
  return { q, k, q1, k1, omega, inPlane, lengths, apart, whole: dot(q1, k1) };
}

/** The arc over `angle` (its whole turns left out), from the direction of (x, y), counterclockwise. */
function arc([x, y], angle, radius) {
  const start = Math.atan2(y, x);
  const part = angle % TURN;
  const at = (a) => `${(radius * Math.cos(a)).toFixed(1)},${(-radius * Math.sin(a)).toFixed(1)}`;
  const [large, sweep] = [Math.abs(part) > Math.PI ? 1 : 0, part > 0 ? 0 : 1];
  return `M${at(start)}A${radius},${radius} 0 ${large} ${sweep} ${at(start + part)}`;
}

/** The sector between two directions: the angle that the dot product sees. */
const sector = (from, to, radius) => `${arc(from, between(from, to), radius)}L0,0Z`;

/** One vector, before and after its rotation, with a handle on its tip. */
function turning(stage, { trait, place, letter, kind, ring }) {
  const [before, after, sweep] = [arrow(`${kind} xp-faint`), arrow(kind), svg("path", { class: `xp-sweep ${kind}` })];
  const knob = svg("circle", { r: 7, class: `xp-grip ${kind}` });
  const grip = svg("g", {}, svg("circle", { r: 20, class: "xp-hit" }), knob);
  const label = svg("text", { class: `xp-letter ${kind}` }, `${letter}′`);
  let [centre, unit] = [0, 1];
  const longest = stage.bounds[trait].high;
  const now = () => speed(Object.fromEntries(names.map((name) => [name, stage.get(name)])));
  /** Put the tip of the rotated vector at (x, y): the vector itself is that, turned back. */
  const move = (x, y) => {
    const pair = rotate([x, y], [-stage.get(place) * now()]).map((c) => clamp(Number(c.toFixed(3)), -longest, longest));
    const whole = [...stage.get(trait)];
    whole.splice(2 * stage.get("plane"), 2, ...pair);
    stage.set({ [trait]: whole });
  };
  /** Where the tip is now: a key may be pressed before the last press is painted. */
  const tip = () => rotate(planeOf(stage.get(trait), stage.get("plane")), [stage.get(place) * now()]);
  const direction = () => Math.atan2(tip()[1], tip()[0]);
  const turnTo = (angle, wanted) => {
    const length = clamp(wanted, 0.05, longest);
    move(length * Math.cos(angle), length * Math.sin(angle));
  };
  handle(grip, {
    label: `Vector ${letter} after its rotation: left and right turn it, up and down change its length`,
    drag: ({ x, y }) => turnTo(Math.atan2(centre - y, x - centre), Math.hypot(x - centre, y - centre) / unit),
    step: (dx, dy) => turnTo(direction() + (dx * TURN) / 72, Math.hypot(...tip()) + 0.05 * dy),
    end: (side) => turnTo(side < 0 ? 0 : Math.PI, Math.hypot(...tip())),
  });
  const paint = (start, end, angle, size, scale) => {
    [centre, unit] = [size / 2, scale];
    before.point(start[0] * unit, -start[1] * unit);
    after.point(end[0] * unit, -end[1] * unit);
    set(sweep, { d: arc(start, angle, ring * unit) });
    const length = Math.hypot(...end) || 1;
    set(label, { x: end[0] * unit + (end[0] / length) * 22, y: -end[1] * unit - (end[1] / length) * 22 });
    set(grip, { transform: `translate(${end[0] * unit},${-end[1] * unit})` });
    tell(grip, Math.round((direction() * 360) / TURN), -180, 180, `angle ${degrees(direction())}, length ${fixed(length)}`);
  };
  return { back: [sweep, before.node], front: [after.node, label], grip, paint };
}

function circlePicture(stage) {
  const query = turning(stage, { trait: "query", place: "i", letter: "q", kind: "xp-query", ring: 0.3 });
  const key = turning(stage, { trait: "key", place: "j", letter: "k", kind: "xp-key", ring: 0.42 });
  const circle = svg("circle", { class: "xp-line" });
  const wedge = svg("path", { class: "xp-between" });
  const axes = svg("path", { class: "xp-line" });
  const vectors = [...query.back, ...key.back, ...query.front, ...key.front, key.grip, query.grip];
  const centred = svg("g", {}, circle, axes, wedge, ...vectors);
  const picture = svg("svg", { role: "group", "aria-label": "The plane, with both vectors" }, centred);
  const paint = (state, { q, k, q1, k1, omega }) => {
    const size = Math.min(stage.column, MOST);
    const unit = size / 2 / 1.35;
    set(picture, { width: size, height: size });
    set(centred, { transform: `translate(${size / 2},${size / 2})` });
    set(circle, { r: unit });
    set(axes, { d: `M${-unit},0h${2 * unit}M0,${-unit}v${2 * unit}` });
    set(wedge, { d: sector(planeOf(k1, state.plane), planeOf(q1, state.plane), 0.22 * unit) });
    query.paint(planeOf(q, state.plane), planeOf(q1, state.plane), state.i * omega, size, unit);
    key.paint(planeOf(k, state.plane), planeOf(k1, state.plane), state.j * omega, size, unit);
  };
  return { picture, paint };
}

const HEIGHT = 220;
const LEFT = 34;

/** q′ · k′ for every offset, four to a position: over all planes, and in one. */
function traces(q, k, plane, base, scale, last) {
  const offsets = range(8 * last + 1).map((t) => t / 4 - last);
  const omegas = frequencies(q.length, base).map((omega) => omega / scale);
  const turned = offsets.map((offset) => rotate(k, omegas.map((omega) => offset * omega)));
  const values = [turned.map((x) => dot(q, x)), turned.map((x) => dot(planeOf(q, plane), planeOf(x, plane)))];
  const top = Math.max(1, Math.ceil(Math.max(...values.flat().map(Math.abs))));
  return { offsets, values, top };
}

/** The dot product against the offset: for the plane in the picture, and for all planes together. */
function tracePicture(stage) {
  const computed = memo(traces);
  const last = stage.bounds.i.high;
  const curves = [svg("path", { class: "xp-curve xp-muted" }), svg("path", { class: "xp-curve xp-position" })];
  const point = (r, kind) => svg("circle", { r, class: `xp-dot ${kind}` });
  const points = [point(4, "xp-muted"), point(5.5, "xp-position")];
  const [frame, labels] = [svg("path", { class: "xp-line" }), axisLabels()];
  const marker = svg("path", { class: "xp-marker", d: `M0,8V${HEIGHT - 24}` });
  const picture = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, labels.group, marker, ...curves, ...points);
  let [drawn, drawnWidth] = [undefined, 0];
  const paint = (state, { q, k, inPlane, whole }) => {
    const width = stage.column - LEFT - 10;
    const trace = computed(q, k, state.plane, state.base, state.scale, last);
    const { offsets, values, top } = trace;
    const x = (offset) => LEFT + ((offset + last) / (2 * last)) * width;
    const y = (value) => 8 + ((top - value) / (2 * top)) * (HEIGHT - 32);
    if (trace !== drawn || width !== drawnWidth) {
      [drawn, drawnWidth] = [trace, width];
      set(picture, { width: stage.column });
      set(frame, { d: `M${LEFT},${y(0)}h${width}M${x(0)},8V${HEIGHT - 24}` });
      const across = [-last, -last / 2, 0, last / 2, last].map((t) => [x(t), HEIGHT - 8, integer(t)]);
      labels.paint([...across, ...[-top, 0, top].map((t) => [LEFT - 8, y(t) + 4, integer(t), "end"])]);
      values.forEach((line, c) => set(curves[c], { d: path(line.map((v, t) => [x(offsets[t]), y(v)])) }));
    }
    const at = x(state.j - state.i);
    [whole, inPlane].forEach((v, c) => set(points[c], centredAt([at, y(v)])));
    set(marker, { transform: `translate(${at},0)` });
  };
  return { picture, paint };
}

/** q′ · k′ for every two positions: a row for each of the query, a column for each of the key. */
function products(q, k, base, scale, last) {
  const places = range(last + 1);
  const [queries, turned] = [q, k].map((x) => places.map((place) => rope(x, place / scale, base)));
  return queries.map((a) => turned.map((b) => dot(a, b)));
}

/** All pairs as ink, and the pair in sight; a pointer chooses another one. */
function pairsPicture(stage) {
  const computed = memo(products);
  const last = stage.bounds.i.high;
  const ink = inks(stage.root);
  const canvas = html("canvas", { width: last + 1, height: last + 1 });
  const mark = html("i", {});
  const choose = (event) => {
    const box = canvas.getBoundingClientRect();
    const at = (x, size) => clamp(Math.floor((x / size) * (last + 1)), 0, last);
    stage.set({ i: at(event.clientY - box.top, box.height), j: at(event.clientX - box.left, box.width) });
  };
  const node = html("div", { class: "xp-pairs", "aria-hidden": "true", onpointerdown: choose }, canvas, mark);
  node.addEventListener("pointermove", (event) => event.buttons && choose(event));
  let drawn;
  const paint = ({ i, j, base, scale }, { q, k }) => {
    const values = computed(q, k, base, scale, last);
    mark.style.cssText = `left:${(100 * j) / (last + 1)}%;top:${(100 * i) / (last + 1)}%`;
    if (values === drawn) return;
    drawn = values;
    const most = Math.max(...values.flat().map(Math.abs)) || 1;
    const pixels = values.flat().flatMap((v) => [...ink(v), Math.round((255 * Math.abs(v)) / most)]);
    canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels), last + 1, last + 1), 0, 0);
  };
  return { node, paint };
}

function controls(stage) {
  const place = (name, whose) => slider(stage, { name, label: [`${whose}’s position `, symbol(name)] });
  const last = stage.bounds.i.high;
  const both = slider(stage, {
    label: ["Move both together"],
    min: 0,
    max: ({ i, j }) => last - Math.abs(j - i),
    read: ({ i, j }) => Math.min(i, j),
    show: (least, { i, j }) => `offset stays ${integer(j - i)}`,
    change: (least) => {
      const by = least - Math.min(stage.get("i"), stage.get("j"));
      return { i: stage.get("i") + by, j: stage.get("j") + by };
    },
  });
  const plane = slider(stage, {
    name: "plane",
    label: ["Plane"],
    show: (p) => `${p}: dimensions ${2 * p}, ${2 * p + 1}`,
  });
  const size = slider(stage, { name: "d", label: ["Dimensions ", symbol("d")] });
  const scale = slider(stage, { name: "scale", label: ["Positions divided by ", symbol("s")] });
  const whole = [both, plane];
  for (const node of [...whole, scale]) node.classList.add("xp-all");
  return html("div", { class: "xp-turn" }, place("i", "Query"), place("j", "Key"), ...whole, size, baseSlider(stage), scale);
}

const start = (stage) => {
  const state = Object.fromEntries(names.map((name) => [name, stage.get(name)]));
  return { ...state, ...measure(state) };
};

const CLOSE = (2.5 * Math.PI) / 180; // half of what an arrow key turns

/** Tasks from where the figure starts: how far the query comes, and what the dot product was. */
const tasksFrom = (first, last) => [
  [`take the query ${FAR} positions away, and change no dot product?`, ({ i, whole }) => Math.abs(i - first.i) >= FAR && Math.abs(whole - first.whole) < 0.005],
  ["set q′ and k′ at a right angle in this plane?", ({ apart, lengths }) => Math.min(...lengths) > 0.1 && Math.abs(apart - Math.PI / 2) <= CLOSE],
  [`find a plane that turns less than 5° in ${last} positions?`, ({ omega }) => omega * last < (5 * Math.PI) / 180],
];

function build(stage) {
  const [circle, trace, tasks] = [circlePicture(stage), tracePicture(stage), goals(tasksFrom(start(stage), stage.bounds.i.high))];
  const shown = ["xp-position", "xp-muted"].map((kind) => html("span", { class: kind }));
  const legend = html("p", { class: "xp-legend" }, ...shown);
  const pairs = pairsPicture(stage);
  const map = html("div", { class: "xp-beside" }, pairs.node, html("p", { class: "xp-caption" }, "rows: position of the query; columns: position of the key"));
  const which = choice(stage, { name: "chart", label: "q′ · k′" });
  const chart = html("div", { class: "xp-stack xp-right xp-inline" }, which, trace.picture, map, legend);
  stage.root.classList.add("xp-sided");
  stage.root.append(html("div", { class: "xp-left" }, circle.picture), controls(stage), chart, tasks.node);
  return (state) => {
    const [now, all] = [measure(state), state.d / 2];
    circle.paint(state, now);
    trace.paint(state, now);
    const everywhere = state.chart === "pairs";
    if (everywhere) pairs.paint(state, now);
    [trace.picture, map].forEach((node, c) => (node.style.display = everywhere === (c === 1) ? "" : "none"));
    put(shown[0], `plane ${state.plane}: ${fixed(now.inPlane)}`);
    put(shown[1], `${all === 1 ? "the only plane" : `all ${all} planes`}: ${fixed(now.whole)}`);
    const turned = (letter, place) => `${letter} at position ${place} is turned by ${degrees(place * now.omega)}`;
    return (
      `With d = ${state.d}${state.scale > 1 ? `, positions divided by ${state.scale}` : ""} and base ${grouped(state.base)}, plane ${state.plane} turns ${fixed(now.omega, 4)} rad ` +
      `a position: ${turned("q", state.i)}, ${turned("k", state.j)}. ` +
      `Offset ${integer(state.j - state.i)}: q′ · k′ is ${fixed(now.inPlane)} in this plane ` +
      `(lengths ${now.lengths.map((x) => fixed(x)).join(" and ")}, ${degrees(now.apart)} apart), ` +
      `${all === 1 ? "the only one" : `${fixed(now.whole)} in all ${all}`}.${tasks.paint({ ...state, ...now })}`
    );
  };
}

export default explorable("Rotary position embedding", names, build);
