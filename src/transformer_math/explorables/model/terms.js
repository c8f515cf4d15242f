/** All terms of a sum: a picture in which each stands on the sum of those before it, and the one in sight in numbers. */
import { clamp, fixed, html, keys, put, set, sharpen, tell } from "../kit.js";
import { sums, times } from "./sums.js";

/** The sum of none, of the first, of the first two, and so on. */
function runningSums(values) {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1) + value);
  return sums;
}

/** How high a sum stands in a picture, all of which are in it, and 0 too. */
function heightsOf(reached, height) {
  const [low, high] = reached.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [0, 0]);
  return (x) => 1 + ((high - x) / (high - low || 1)) * (height - 3);
}

/** A bar for each term, from the sum before it to the sum with it, in the ink of its sign. */
function drawSteps(context, values, width, height, ink) {
  const reached = runningSums(values);
  const y = heightsOf(reached, height);
  const step = width / values.length;
  context.fillStyle = "#8888";
  context.fillRect(0, y(0), width, 1);
  values.forEach((value, k) => {
    const [from, to] = [y(reached[k]), y(reached[k + 1])];
    context.fillStyle = `rgb(${ink(value)})`;
    context.fillRect(k * step, Math.min(from, to), Math.max(1, step - (step > 4)), Math.max(1, Math.abs(to - from)));
  });
}

const [HEIGHT, RING] = [76, 9];

/** The picture, and a slider over it: `choose(k)` is called with the term that a pointer or the keys come to. */
function steps(stage, ink, choose) {
  const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
  const ring = html("i", { class: "xp-step-ring" });
  const node = html("div", { class: "xp-steps-field", tabindex: 0, role: "slider", "aria-label": "Terms of the sum" }, canvas, ring);
  let now = { k: 0, count: 1, width: 1 };
  const to = (k) => choose((now.k = clamp(k, 0, now.count - 1))); // the next press may come before this one is painted
  const follow = (event) => to(Math.floor(((event.clientX - canvas.getBoundingClientRect().left) / now.width) * now.count));
  set(node, {
    onpointerdown: (event) => {
      node.setPointerCapture(event.pointerId);
      node.focus({ preventScroll: true });
      follow(event);
    },
    onpointermove: (event) => (event.pointerType === "mouse" || node.hasPointerCapture(event.pointerId)) && follow(event),
  });
  keys(node, { step: (dx, dy) => to(now.k + dx + dy), end: (side) => to(side < 0 ? 0 : now.count - 1) });
  const draw = (values) => drawSteps(sharpen(canvas, stage.column, HEIGHT), values, stage.column, HEIGHT, ink);
  const mark = (k, count, words) => {
    now = { k, count, width: stage.column };
    const step = now.width / count;
    const wide = Math.max(RING, step + 2);
    ring.style.cssText = `width:${wide}px;transform:translateX(${(k + 0.5) * step - wide / 2}px)`;
    tell(node, k, 0, count - 1, words);
  };
  return { node, draw, mark };
}

const EDGE = 1e-9; // what is nearer than this is equal

/** Where the term in sight begins: the largest. */
const largestOf = (values) => values.reduce((best, value, k) => (Math.abs(value) > Math.abs(values[best]) ? k : best), 0);

/** The term in sight, the sum so far and, where it is neither the number itself nor `of` another name, the sum of all, as lines of a table. */
function linesOf({ values, name, factors, of }, k, value) {
  const reached = runningSums(values);
  const all = reached.at(-1);
  const lines = [
    [name(k), factors(k) ? times(...factors(k)) : "", values[k]],
    ["so far", `${k + 1} of ${values.length}`, reached[k + 1]],
  ];
  return of || Math.abs(all - value) < EDGE ? lines : [...lines, ["sum of all", "", all]];
}

/** `sums`, and a button that puts all terms of a sum in place of the largest of them. */
export function sumsInFull(stage, ink, most) {
  const sum = sums(most);
  let [open, k, drawn] = [false, undefined, undefined];
  const [count, what] = [html("span"), html("span")];
  const button = html("button", { type: "button", class: "xp-unfold", onclick: () => ((open = !open), stage.repaint()) }, count, what);
  const picture = steps(stage, ink, (to) => ((k = to), stage.repaint()));
  sum.table.before(button);
  const paint = ({ terms, after, ...given }) => {
    const isOpen = open && terms !== undefined;
    button.hidden = terms === undefined;
    if (!isOpen) picture.node.remove();
    else if (!picture.node.isConnected) sum.table.before(picture.node);
    sum.node.classList.toggle("xp-in-full", isOpen);
    set(button, { "aria-expanded": isOpen });
    if (terms) {
      put(count, `all ${terms.values.length}`);
      put(what, ` terms${terms.of ? ` of ${terms.of}` : ""}`);
    }
    if (!isOpen) return sum.paint(given);
    const { values, name } = terms;
    k = Math.min(k ?? largestOf(values), values.length - 1);
    if (drawn !== (drawn = `${stage.column}|${values}`)) picture.draw(values);
    const lines = linesOf(terms, k, given.value);
    picture.mark(k, values.length, `${[name(k), lines[0][1]].filter(Boolean).join(": ")} = ${fixed(values[k], 3)}, so far ${fixed(lines[1][2], 3)}`);
    sum.paint({ ...given, lines: [...lines, ...after] });
  };
  return { node: sum.node, paint };
}
