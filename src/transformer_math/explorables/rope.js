import {
  baseSlider, clamp, explorable, fixed, grouped, handle, html, integer, memo, path, set, slider, svg, tell,
} from "./kit.js";
import { dot, frequencies, range, rope, rotate } from "./formulas.js";

const LAST = 40; // the last position
const LONGEST = 1.2; // the longest vector that fits the picture
const TURN = 2 * Math.PI;
const degrees = (angle) => `${integer((angle * 180) / Math.PI)}°`;
const planeOf = (x, i) => x.slice(2 * i, 2 * i + 2);
const names = ["m", "n", "plane", "base", "d", "query", "key"];

/** The smaller angle from one direction to another. */
function between(from, to) {
  const angle = Math.atan2(to[1], to[0]) - Math.atan2(from[1], from[0]);
  return angle - TURN * Math.round(angle / TURN);
}

/** Everything the picture needs, from the state. */
function measure({ m, n, plane, base, d, query, key }) {
  const [q, k] = [query.slice(0, d), key.slice(0, d)];
  const omega = frequencies(d, base)[plane];
  const [q1, k1] = [rope(q, m, base), rope(k, n, base)];
  const pair = [planeOf(q1, plane), planeOf(k1, plane)];
  const [lengths, inPlane] = [pair.map((x) => Math.hypot(...x)), dot(...pair)];
  const apart = Math.abs(between(...pair));
  return { q, k, q1, k1, omega, inPlane, lengths, apart, whole: dot(q1, k1) };
}

/** An arrow from the centre of the circle. */
function arrow(kind) {
  const line = svg("line", { x1: 0, y1: 0 });
  const head = svg("path", { d: "M0,0L-11,-4.5L-11,4.5Z" });
  const node = svg("g", { class: `xp-arrow ${kind}` }, line, head);
  const point = (x, y) => {
    set(line, { x2: x * 0.97, y2: y * 0.97 });
    const angle = (Math.atan2(y, x) * 360) / TURN;
    set(head, { transform: `translate(${x.toFixed(2)},${y.toFixed(2)}) rotate(${angle.toFixed(2)})` });
  };
  return { node, point };
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
  /** Put the tip of the rotated vector at (x, y): the vector itself is that, turned back. */
  const put = (x, y) => {
    const shrink = Math.min(1, LONGEST / Math.hypot(x, y));
    const angle = -stage.get(place) * frequencies(stage.get("d"), stage.get("base"))[stage.get("plane")];
    const pair = rotate([x * shrink, y * shrink], [angle]).map((c) => Number(c.toFixed(3)));
    const whole = [...stage.get(trait)];
    whole.splice(2 * stage.get("plane"), 2, ...pair);
    stage.set({ [trait]: whole });
  };
  let tip = [0, 0];
  handle(grip, {
    label: `Vector ${letter} after its rotation: left and right turn it, up and down change its length`,
    drag: ({ x, y }) => put((x - centre) / unit, (centre - y) / unit),
    step: (dx, dy) => {
      const length = clamp(Math.hypot(...tip) + 0.05 * dy, 0.05, LONGEST);
      const angle = Math.atan2(tip[1], tip[0]) + (dx * TURN) / 72;
      put(length * Math.cos(angle), length * Math.sin(angle));
    },
  });
  const paint = (start, end, angle, size, scale) => {
    [centre, unit, tip] = [size / 2, scale, end];
    before.point(start[0] * unit, -start[1] * unit);
    after.point(end[0] * unit, -end[1] * unit);
    set(sweep, { d: arc(start, angle, ring * unit) });
    const length = Math.hypot(...end) || 1;
    set(label, { x: end[0] * unit + (end[0] / length) * 22, y: -end[1] * unit - (end[1] / length) * 22 });
    set(grip, { transform: `translate(${end[0] * unit},${-end[1] * unit})` });
    const direction = Math.atan2(end[1], end[0]);
    tell(grip, integer((direction * 360) / TURN), -180, 180, `angle ${degrees(direction)}, length ${fixed(length)}`);
  };
  return { back: [sweep, before.node], front: [after.node, label], grip, paint };
}

function circlePicture(stage) {
  const query = turning(stage, { trait: "query", place: "m", letter: "q", kind: "xp-query", ring: 0.3 });
  const key = turning(stage, { trait: "key", place: "n", letter: "k", kind: "xp-key", ring: 0.42 });
  const circle = svg("circle", { class: "xp-line" });
  const wedge = svg("path", { class: "xp-between" });
  const axes = svg("path", { class: "xp-line" });
  const vectors = [...query.back, ...key.back, ...query.front, ...key.front, key.grip, query.grip];
  const centred = svg("g", {}, circle, axes, wedge, ...vectors);
  const picture = svg("svg", { role: "group", "aria-label": "The plane, with both vectors" }, centred);
  const paint = (state, { q, k, q1, k1, omega }) => {
    const size = Math.min(stage.column, 320);
    const unit = size / 2 / 1.35;
    set(picture, { width: size, height: size });
    set(centred, { transform: `translate(${size / 2},${size / 2})` });
    set(circle, { r: unit });
    set(axes, { d: `M${-unit},0h${2 * unit}M0,${-unit}v${2 * unit}` });
    set(wedge, { d: sector(planeOf(k1, state.plane), planeOf(q1, state.plane), 0.22 * unit) });
    query.paint(planeOf(q, state.plane), planeOf(q1, state.plane), state.m * omega, size, unit);
    key.paint(planeOf(k, state.plane), planeOf(k1, state.plane), state.n * omega, size, unit);
  };
  return { picture, paint };
}

const HEIGHT = 170;
const LEFT = 34;

const OFFSETS = range(8 * LAST + 1).map((i) => i / 4 - LAST);

/** q′ · k′ for every offset: over all planes, and in one. */
function traces(q, k, plane, base) {
  const omegas = frequencies(q.length, base);
  const turned = OFFSETS.map((offset) => rotate(q, omegas.map((omega) => offset * omega)));
  return [turned.map((x) => dot(x, k)), turned.map((x) => dot(planeOf(x, plane), planeOf(k, plane)))];
}

/** The dot product against the offset: for the plane in the picture, and for all planes together. */
function tracePicture(stage) {
  const computed = memo(traces);
  const curves = [svg("path", { class: "xp-curve xp-muted" }), svg("path", { class: "xp-curve xp-position" })];
  const point = (r, kind) => svg("circle", { r, class: `xp-dot ${kind}` });
  const points = [point(4, "xp-muted"), point(5.5, "xp-position")];
  const [frame, ticks] = [svg("path", { class: "xp-line" }), svg("g", { class: "xp-ticks" })];
  const marker = svg("line", { class: "xp-marker", y1: 8, y2: HEIGHT - 24 });
  const picture = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, ticks, marker, ...curves, ...points);
  const paint = (state, { q, k, inPlane, whole }) => {
    const width = stage.column - LEFT - 10;
    const [inAll, inOne] = computed(q, k, state.plane, state.base);
    const top = Math.max(1, Math.ceil(Math.max(...inAll.concat(inOne).map(Math.abs))));
    const x = (offset) => LEFT + ((offset + LAST) / (2 * LAST)) * width;
    const y = (value) => 8 + ((top - value) / (2 * top)) * (HEIGHT - 32);
    set(picture, { width: stage.column });
    set(frame, { d: `M${LEFT},${y(0)}h${width}M${x(0)},8V${HEIGHT - 24}` });
    const across = [-LAST, -LAST / 2, 0, LAST / 2, LAST].map((t) => tick(x(t), HEIGHT - 8, "middle", integer(t)));
    ticks.replaceChildren(...across, ...[-top, 0, top].map((t) => tick(LEFT - 8, y(t) + 4, "end", integer(t))));
    [inAll, inOne].forEach((values, i) => set(curves[i], { d: path(values.map((v, j) => [x(OFFSETS[j]), y(v)])) }));
    [whole, inPlane].forEach((v, i) => set(points[i], { cx: x(state.m - state.n), cy: y(v) }));
    set(marker, { x1: x(state.m - state.n), x2: x(state.m - state.n) });
  };
  return { picture, paint };
}

const tick = (x, y, anchor, text) => svg("text", { x, y, "text-anchor": anchor }, text);

function controls(stage) {
  const place = (name, label) => slider(stage, { name, label: [label], min: 0, max: LAST });
  const both = slider(stage, {
    label: ["Move both together"],
    min: 0,
    max: ({ m, n }) => LAST - Math.abs(m - n),
    read: ({ m, n }) => Math.min(m, n),
    show: (least, { m, n }) => `offset stays ${integer(m - n)}`,
    change: (least) => {
      const by = least - Math.min(stage.get("m"), stage.get("n"));
      return { m: stage.get("m") + by, n: stage.get("n") + by };
    },
  });
  const plane = slider(stage, {
    name: "plane",
    label: ["Plane"],
    min: 0,
    max: ({ d }) => d / 2 - 1,
    show: (i) => `${i}: dimensions ${2 * i}, ${2 * i + 1}`,
  });
  const narrow = (d) => ({ d, plane: Math.min(stage.get("plane"), d / 2 - 1) });
  const label = ["Dimensions ", html("i", {}, "d")];
  const size = slider(stage, { name: "d", label, min: 2, max: 16, step: 2, change: narrow });
  const positions = [place("m", "Position m of the query"), place("n", "Position n of the key"), both];
  return { positions, plane, others: [size, baseSlider(stage)] };
}

function build(stage) {
  const [circle, trace, { positions, plane, others }] = [circlePicture(stage), tracePicture(stage), controls(stage)];
  const legend = html("p", { class: "xp-legend" });
  const caption = html("p", { class: "xp-caption" }, "q′ · k′ against the offset m − n");
  const chart = html("div", {}, caption, trace.picture, legend);
  stage.root.append(
    html(
      "div",
      { class: "xp-grid" },
      html("div", { class: "xp-stack" }, circle.picture, plane),
      html("div", { class: "xp-stack" }, ...positions, chart),
    ),
    html("div", { class: "xp-controls" }, ...others),
  );
  const shown = ["xp-position", "xp-muted"].map((kind) => html("span", { class: kind }));
  legend.append(...shown);
  return (state) => {
    const now = measure(state);
    circle.paint(state, now);
    trace.paint(state, now);
    shown[0].textContent = `plane ${state.plane}: ${fixed(now.inPlane)}`;
    shown[1].textContent = `all ${state.d / 2} planes: ${fixed(now.whole)}`;
    const turned = (letter, place) => `${letter} at position ${place} is turned by ${degrees(place * now.omega)}`;
    return (
      `With d = ${state.d} and base ${grouped(state.base)}, plane ${state.plane} turns ${fixed(now.omega, 4)} rad ` +
      `a position: ${turned("q", state.m)}, ${turned("k", state.n)}. ` +
      `Offset ${integer(state.m - state.n)}: q′ · k′ is ${fixed(now.inPlane)} in this plane ` +
      `(lengths ${now.lengths.map((x) => fixed(x)).join(" and ")}, ${degrees(now.apart)} apart), ` +
      `${fixed(now.whole)} in all ${state.d / 2}.`
    );
  };
}

export default explorable("Rotary position embedding", names, build);
