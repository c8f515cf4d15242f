/** Arrows in a plane, and handles on their tips. */
import { clamp, fixed, handle, set, svg, tell } from "./kit.js";

const TURN = 2 * Math.PI;

/** An arrow to (x, y) from (x0, y0), in pixels: y grows downwards. */
export function arrow(kind) {
  const line = svg("line");
  const head = svg("path", { d: "M0,0L-11,-4.5L-11,4.5Z" });
  const node = svg("g", { class: `xp-arrow ${kind}` }, line, head);
  const point = (x, y, x0 = 0, y0 = 0) => {
    set(line, { x1: x0, y1: y0, x2: x0 + (x - x0) * 0.97, y2: y0 + (y - y0) * 0.97 });
    const angle = (Math.atan2(y - y0, x - x0) * 360) / TURN;
    const size = Math.min(1, Math.hypot(x - x0, y - y0) / 14);
    set(head, { transform: `translate(${x.toFixed(2)},${y.toFixed(2)}) rotate(${angle.toFixed(2)}) scale(${size.toFixed(2)})` });
  };
  return { node, point };
}

/** The angle from one vector to another, in degrees from 0 to 180; a vector of length 0 has no direction: NaN. */
export function degreesBetween(a, b) {
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths ? (Math.acos(clamp((a[0] * b[0] + a[1] * b[1]) / lengths, -1, 1)) * 360) / TURN : NaN;
}

/** A vector from the origin with a handle on its tip: `at()` says where that is, `move(x, y)` puts it elsewhere, each at most `longest`. */
export function vector({ kind, letter, name, longest, at, move }) {
  const [shaft, knob] = [arrow(kind), svg("circle", { r: 6, class: `xp-grip ${kind}` })];
  const grip = svg("g", {}, svg("circle", { r: 18, class: "xp-hit" }), knob);
  const label = svg("text", { class: `xp-letter ${kind}` }, letter);
  let [unit, centre] = [1, 0];
  const to = (x, y) => move(...[x, y].map((c) => Number(clamp(c, -longest, longest).toFixed(2))));
  handle(grip, {
    label: `${name}: the arrow keys move its tip`,
    drag: ({ x, y }) => to((x - centre) / unit, (centre - y) / unit),
    step: (dx, dy) => to(at()[0] + 0.1 * dx, at()[1] + 0.1 * dy),
    end: (side) => to(side * longest, at()[1]),
  });
  const paint = (end, size, scale) => {
    [unit, centre] = [scale, size / 2];
    const [x, y] = [end[0] * unit, -end[1] * unit];
    const length = Math.hypot(x, y);
    const ahead = length ? [(18 * x) / length, (18 * y) / length] : [0, -18];
    const isOut = Math.max(Math.abs(x + ahead[0]), Math.abs(y + ahead[1])) > centre - 8;
    const [dx, dy] = isOut ? [-ahead[1], ahead[0]] : ahead; // beside the tip, where there is no room beyond it
    shaft.point(x, y);
    set(label, { x: clamp(x + dx, 8 - centre, centre - 8), y: clamp(y + dy, 8 - centre, centre - 8) });
    set(grip, { transform: `translate(${x.toFixed(1)},${y.toFixed(1)})` });
    tell(grip, end[0], -longest, longest, `${fixed(end[0])}, ${fixed(end[1])}`);
  };
  return { back: [shaft.node, label], grip, paint };
}
