/** The edited formula's numbers beside the right ones: two heatmaps, two tables, or two curves in one picture. */
import { axisLabels, centredAt, fixed, html, path, put, set, svg } from "../kit.js";

const [SMALL, LARGE] = [15, 36]; // cells of a heatmap beside another one, and below it
const longest = (names) => Math.max(...names.map((name) => String(name).length));

/** A heatmap: names above and beside a field of square cells, and a ring around one of them. */
export function map(view) {
  const canvas = html("canvas", { class: "xp-map", width: view.columns.length, height: view.rows.length, "aria-hidden": "true" });
  const label = (kind) => (name, at) => html("span", { class: kind, style: `--at:${at}`, "aria-hidden": "true" }, name);
  const ring = html("i", { class: "xp-cell-ring" });
  const field = html("div", { class: "xp-field xp-quiet" }, canvas, ring);
  const columns = view.columns.map(label(longest(view.columns) > 2 ? "xp-column-name" : "xp-column-name xp-level"));
  const node = html("div", { class: "xp-heat" }, ...columns, ...view.rows.map(label("xp-row-name")), field);
  let room;
  const resize = (width, largest) => {
    if (room === (room = `${width} ${largest}`)) return;
    const [left, top] = [longest(view.rows) > 2 ? 84 : 24, longest(view.columns) > 2 ? 88 : 24];
    const cell = Math.min(largest, (width - left) / view.columns.length);
    node.classList.toggle("xp-sparse", longest(view.columns) === 2 && cell < 20);
    node.style.cssText = `--cell:${cell}px;--left:${left}px;--top:${top}px;height:${top + cell * view.rows.length}px`;
    canvas.style.cssText = `width:${cell * view.columns.length}px;height:${cell * view.rows.length}px`;
  };
  const draw = (values, ink) => {
    const context = canvas.getContext("2d");
    const image = context.createImageData(view.columns.length, view.rows.length);
    values.forEach((value, i) => {
      const [r, g, b] = ink(value);
      const share = Number.isNaN(value) ? 0 : Math.min(1, Math.abs(value) / view.limit);
      image.data.set([r, g, b, Math.round(255 * share)], 4 * i);
    });
    context.putImageData(image, 0, 0);
  };
  let [drawn, inked] = [undefined, ""];
  const paint = (values, at, ink) => {
    const colours = `${ink(-1)} ${ink(1)}`;
    if (values !== drawn || colours !== inked) draw(values, ink);
    [drawn, inked] = [values, colours];
    ring.hidden = at === undefined;
    const [row, column] = [Math.floor(at / view.columns.length), at % view.columns.length];
    if (at !== undefined) ring.style.transform = `translate(calc(var(--cell) * ${column}), calc(var(--cell) * ${row}))`;
  };
  return { node, resize, paint };
}

/** A table of the numbers, one of them marked. */
function table(view) {
  const cells = view.rows.map(() => view.columns.map(() => html("td")));
  const head = html("tr", {}, html("th", { scope: "col" }, view.place[0]), ...view.columns.map((name) => html("th", { scope: "col" }, name)));
  const lines = view.rows.map((name, i) => html("tr", {}, html("th", { scope: "row" }, name), ...cells[i]));
  const node = html("table", { class: "xp-numbers", "aria-label": "Numbers" }, html("thead", {}, head), html("tbody", {}, ...lines));
  const paint = (values, at) =>
    cells.flat().forEach((cell, i) => {
      put(cell, Number.isFinite(values[i]) ? fixed(values[i], 3) : "–");
      cell.classList.toggle("xp-chosen", i === at);
    });
  return { node, resize: () => {}, paint };
}

/** Two things of one kind with a caption each. */
function beside(make) {
  return (view) => {
    const pair = [make(view), make(view)];
    const captions = ["Yours", `The book’s: ${view.caption}`].map((text) => html("p", { class: "xp-caption" }, text));
    const node = html("div", { class: "xp-grid xp-both" }, ...pair.map((one, i) => html("div", {}, captions[i], one.node)));
    const paint = (stage, own, right, at, ink) => {
      for (const one of pair) one.resize(stage.column, stage.wide ? SMALL : LARGE);
      pair[0].paint(own, at, ink);
      pair[1].paint(right, at, ink);
    };
    return { node, paint };
  };
}

const HEIGHT = 232;

/** Both curves over one axis; the right one is a broad line below. */
function curves(view) {
  const [x0, x1] = [view.columns[0], view.columns.at(-1)];
  const [right, own, axes] = ["xp-curve xp-broad", "xp-curve xp-key", "xp-line"].map((kind) => svg("path", { class: kind }));
  const [dot, labels] = [svg("circle", { r: 5, class: "xp-dot xp-key" }), axisLabels()];
  const plot = svg("svg", { height: HEIGHT - 24, style: "overflow: hidden" }, right, own, dot);
  const picture = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, axes, labels.group, plot);
  const words = html("p", { class: "xp-caption xp-legend" }, html("span", { class: "xp-key" }, "yours"), "on the broad line of the book’s: ", view.caption);
  const node = html("div", { class: "xp-both" }, words, picture);
  const paint = (stage, values, wanted, at) => {
    const width = stage.width - 44;
    const [low, high] = [Math.min(...wanted) - 0.6, Math.max(...wanted)];
    const x = (value) => 34 + ((value - x0) / (x1 - x0)) * width;
    const y = (value) => 8 + ((high - value) / (high - low)) * (HEIGHT - 36);
    const inside = (value) => Math.max(low - 3, Math.min(high + 3, value));
    const line = (some) => {
      const known = some.map((value, i) => [x(view.columns[i]), y(inside(value))]).filter(([, height]) => !Number.isNaN(height));
      return known.length ? path(known) : "";
    };
    for (const one of [picture, plot]) set(one, { width: stage.width });
    set(right, { d: line(wanted) });
    set(own, { d: line(values) });
    set(axes, { d: `M34,${y(0)}h${width}M${x(0)},8V${HEIGHT - 28}` });
    labels.paint([...[x0, 0, x1].map((value) => [x(value), HEIGHT - 10, fixed(value, 0)]), [28, y(0) + 4, "0", "end"], [28, y(high) + 8, fixed(high, 0), "end"]]);
    const isSeen = at !== undefined && values[at] >= low && values[at] <= high;
    dot.style.display = isSeen ? "" : "none";
    if (isSeen) set(dot, centredAt([x(view.columns[at]), y(values[at])]));
  };
  return { node, paint };
}

export const PICTURES = { heatmap: beside(map), table: beside(table), curve: curves };
