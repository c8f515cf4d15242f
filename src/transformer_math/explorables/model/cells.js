/** A matrix as ink: a row for each token, one cell in sight, which a pointer or the keys choose. */
import { clamp, html, keys, put, set, sharpen, show } from "../kit.js";
import { range } from "../numbers.js";

const [LINE, LEFT] = [15, 76];
const MASKED = [128, 128, 128, 64];

/** The largest finite size among rows of numbers. */
function largestOf(rows) {
  let largest = 1e-9;
  for (const row of rows) {
    for (let j = 0; j < row.length; j += 1) {
      const size = Math.abs(row[j]);
      if (size > largest && size < Infinity) largest = size;
    }
  }
  return largest;
}

/** Every number by the largest of its panel, a pixel each; what is masked is grey. */
function pixelsOf(values, ink) {
  const [n, m] = [values.length, values[0].length];
  const [largest, minus, plus] = [largestOf(values), ink(-1), ink(1)];
  const image = new ImageData(m, n);
  const { data } = image;
  for (let i = 0, at = 0; i < n; i += 1) {
    for (let j = 0; j < m; j += 1, at += 4) {
      const x = values[i][j];
      const colour = x === -Infinity ? MASKED : x < 0 ? minus : plus;
      for (let c = 0; c < 3; c += 1) data[at + c] = colour[c];
      data[at + 3] = x === -Infinity ? MASKED[3] : (255 * Math.abs(x)) / largest;
    }
  }
  return image;
}

/** A matrix in a field of that size; where its rows are high, a thin line between them. */
export function drawMatrix(context, values, width, height, ink) {
  const [n, m] = [values.length, values[0].length];
  const pixels = new OffscreenCanvas(m, n);
  pixels.getContext("2d").putImageData(pixelsOf(values, ink), 0, 0);
  context.imageSmoothingEnabled = m > width; // where several columns share a pixel, their mean
  context.drawImage(pixels, 0, 0, width, height);
  if (height / n > 6) for (let i = 1; i <= n; i += 1) context.clearRect(0, (i * height) / n - 1, width, 1);
}

/** `choose(i, j)` is called with the cell that is chosen. */
export function cells(stage, most, ink, choose) {
  const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
  const names = range(most).map((i) => html("span", { class: "xp-row-name", style: `--at:${i}`, "aria-hidden": "true" }));
  const [line, ring] = [html("i", { class: "xp-row-ring" }), html("i", { class: "xp-cell-ring" })];
  const field = html("div", { class: "xp-field", tabindex: 0, role: "application", "aria-label": "Numbers of the panel: the arrow keys go to another one" }, canvas, line, ring);
  const node = html("div", { class: "xp-heat xp-cells", style: `--cell:${LINE}px;--left:${LEFT}px;--top:0px;height:${most * LINE}px` }, ...names, field);
  let now = { n: 1, m: 1, width: 1 };
  let drawn;
  const to = (i, j) => choose(clamp(i, 0, now.n - 1), clamp(j, 0, now.m - 1));
  const follow = (event) => {
    const box = canvas.getBoundingClientRect();
    to(Math.floor((event.clientY - box.top) / LINE), Math.floor(((event.clientX - box.left) / now.width) * now.m));
  };
  set(field, {
    onpointerdown: (event) => {
      field.setPointerCapture(event.pointerId);
      field.focus({ preventScroll: true });
      follow(event);
    },
    onpointermove: (event) => field.hasPointerCapture(event.pointerId) && follow(event),
  });
  const at = () => [Math.min(stage.get("row"), now.n - 1), Math.min(stage.get("column"), now.m - 1)]; // a press may come before the last one is painted
  keys(field, { step: (dx, dy) => to(at()[0] - dy, at()[1] + dx), end: (side) => to(at()[0], side < 0 ? 0 : now.m - 1) });
  const paint = ({ labels, values, row, column, version }) => {
    const [n, m, width] = [values.length, values[0].length, stage.column - LEFT];
    const cell = width / m;
    now = { n, m, width };
    show(names, n);
    labels.forEach((label, i) => put(names[i], label));
    if (drawn !== (drawn = `${version}|${width}`)) drawMatrix(sharpen(canvas, width, n * LINE), values, width, n * LINE, ink);
    line.style.transform = `translateY(${row * LINE}px)`;
    ring.style.cssText = `transform:translate(${column * cell - 1}px, ${row * LINE}px);width:${Math.max(8, cell + 2)}px`;
  };
  return { node, paint, focus: () => field.focus() };
}
