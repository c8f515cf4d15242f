import { arrow, degreesBetween, vector } from "../arrows.js";
import { explorable, fixed, html, integer, put, set, svg } from "../kit.js";
import { dot, placesOfLargest, range } from "../numbers.js";
import { goals } from "../goals.js";
import { whereItRests } from "../rest.js";
import { scores, softmax, weigh } from "./formulas.js";

const names = ["query", "key", "value"];
const REACH = 1.12; // half the plane's side, over the longest coordinate
const MOST = 270; // pixels of a plane's side
const LETTERS = ["₀", "₁", "₂", "₃"];

const pairs = (flat) => range(flat.length / 2).map((j) => flat.slice(2 * j, 2 * j + 2));

/** Everything the picture needs, from the state: one query, so every matrix has one row. */
function measure({ query, key, value }) {
  const [K, V] = [pairs(key), pairs(value)];
  const S = scores([query], K);
  const a = softmax(S[0]);
  const angles = K.map((k) => degreesBetween(query, k));
  return { q: query, K, V, s: S[0], a, o: weigh([a], V)[0], angles, products: K.map((k) => dot(query, k)) };
}

/** A square plane around its origin; `layers` are drawn in their order. */
function plane(stage, title, longest, ...layers) {
  const axes = svg("path", { class: "xp-line" });
  const centred = svg("g", {}, axes, ...layers);
  const drawing = svg("svg", { role: "group", "aria-label": title }, centred);
  const node = html("div", {}, html("p", { class: "xp-caption" }, title), drawing);
  const paint = () => {
    const size = Math.min(stage.column, MOST);
    const half = size / 2;
    set(drawing, { width: size, height: size });
    set(centred, { transform: `translate(${half},${half})` });
    set(axes, { d: `M${-half},0h${size}M0,${-half}v${size}` });
    return { size, unit: half / REACH / longest };
  };
  return { node, paint };
}

/** The two numbers of pair `j` in a flat list, moved. */
const replaced = (flat, j, pair) => flat.map((x, c) => (c >> 1 === j ? pair[c % 2] : x));

function vectors(stage, trait, kind, letter, word) {
  return LETTERS.map((index, j) =>
    vector({
      kind, letter: letter + index, name: `${word} ${letter}${index}`, longest: stage.bounds[trait].high,
      at: () => pairs(stage.get(trait))[j],
      move: (...pair) => stage.set({ [trait]: replaced([...stage.get(trait)], j, pair) }),
    }),
  );
}

/** The query among the keys. */
function meeting(stage) {
  const longest = stage.bounds.query.high;
  const query = vector({ kind: "xp-query", letter: "q", name: "Query q", longest, at: () => stage.get("query"), move: (...pair) => stage.set({ query: pair }) });
  const keys = vectors(stage, "key", "xp-key", "k", "Key");
  const all = [...keys, query];
  const { node, paint } = plane(stage, "The query q and the keys k", longest, ...all.flatMap(({ back }) => back), ...all.map(({ grip }) => grip));
  return {
    node,
    paint: ({ q, K }) => {
      const { size, unit } = paint();
      query.paint(q, size, unit);
      keys.forEach((key, j) => key.paint(K[j], size, unit));
    },
  };
}

/** The values, and the chain of their weighted arrows, which ends at the output. */
function mixing(stage) {
  const longest = stage.bounds.value.high;
  const values = vectors(stage, "value", "xp-value-arrow", "v", "Value");
  const [links, output] = [LETTERS.map(() => arrow("xp-value-arrow xp-link")), arrow("xp-position")];
  const letter = svg("text", { class: "xp-letter xp-position" }, "o");
  const grips = values.map(({ grip }) => grip);
  const faint = svg("g", { class: "xp-dim" }, ...values.flatMap(({ back }) => back));
  const { node, paint } = plane(stage, "The values v; each times its weight, end to end: o", longest, faint, ...links.map((link) => link.node), output.node, letter, ...grips);
  return {
    node,
    paint: ({ a, V, o }) => {
      const { size, unit } = paint();
      values.forEach((value, j) => value.paint(V[j], size, unit));
      let [x, y] = [0, 0];
      links.forEach((link, j) => {
        const [toX, toY] = [x + a[j] * V[j][0] * unit, y - a[j] * V[j][1] * unit];
        link.point(toX, toY, x, y);
        [x, y] = [toX, toY];
      });
      output.point(o[0] * unit, -o[1] * unit);
      set(letter, { x: o[0] * unit + 14, y: -o[1] * unit - 12 });
    },
  };
}

/** A line for each key: from the angle to the weight. */
function steps() {
  const head = ["key", "angle", "q · k", "÷ √2", "weight"].map((word) => html("th", { scope: "col" }, word));
  const lines = LETTERS.map((index) => {
    const [bar, weight, cells] = [html("i"), html("b"), range(3).map(() => html("td"))];
    const last = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), weight));
    return { bar, weight, cells, row: html("tr", {}, html("th", { scope: "row" }, `k${index}`), ...cells, last) };
  });
  const node = html("table", { class: "xp-steps", "aria-label": "From angles to weights" }, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...lines.map(({ row }) => row)));
  const paint = ({ angles, products, s, a }) =>
    lines.forEach(({ bar, weight, cells }, j) => {
      const angle = Number.isNaN(angles[j]) ? "none" : `${integer(angles[j])}°`;
      [angle, fixed(products[j]), fixed(s[j])].forEach((text, c) => put(cells[c], text));
      bar.style.transform = `scaleX(${a[j].toFixed(3)})`;
      put(weight, fixed(a[j]));
    });
  return { node, paint };
}

/** The keys that get the largest weight, and how far they point from the query. */
function mostOf({ a, angles }) {
  const best = placesOfLargest(a);
  const apart = Number.isNaN(angles[best[0]]) || best.length > 1 ? "" : `, ${integer(angles[best[0]])}° from q`;
  return `The largest weight, ${fixed(a[best[0]])}${best.length > 1 ? " each" : ""}, goes to ${best.map((j) => `k${LETTERS[j]}`).join(" and ")}${apart}.`;
}

const largest = (x) => x.indexOf(Math.max(...x));
const nearest = (angles) => angles.indexOf(Math.min(...angles));

const TASKS = [
  ["give all four keys the same weight?", ({ a }) => Math.max(...a) - Math.min(...a) < 0.005],
  ["give one key 90 % of the weight?", ({ a }) => Math.max(...a) >= 0.9],
  ["let a key win that points less towards the query than another?", ({ a, angles }) => a[largest(a)] > Math.max(0, a[nearest(angles)] ?? 1) + 0.005],
];

function build(stage) {
  const [left, right, table, tasks] = [meeting(stage), mixing(stage), steps(), whereItRests(stage, goals(TASKS))];
  stage.root.append(html("div", { class: "xp-grid xp-planes" }, left.node, right.node, table.node, tasks.node));
  return (state) => {
    const now = measure(state);
    for (const part of [left, right, table]) part.paint(now);
    const met = tasks.paint(now);
    const alike = Math.max(...now.a) - Math.min(...now.a) < 0.005;
    return (
      `The query (${now.q.map((x) => fixed(x)).join(", ")}) is ${fixed(Math.hypot(...now.q))} long. ` +
      `${alike ? "All keys get the same weight." : mostOf(now)} ` +
      `The output o is (${now.o.map((x) => fixed(x)).join(", ")}).${met}`
    );
  };
}

export default explorable("Attention as geometry", names, build);
