/** A heatmap of weights: a row for each query, a column for each key, square cells, one of them in sight. */
import { clamp, html, keys, put, set, sharpen, show } from "../kit.js";
import { range } from "../numbers.js";

const TOP = 88; // the room for the keys' names

/** Cells as ink on the page, a thin line between them; a masked cell is hatched. */
function drawCells(canvas, weights, masked, cell, ink) {
  const context = sharpen(canvas, weights[0].length * cell, weights.length * cell);
  context.strokeStyle = `rgba(128, 128, 128, 0.45)`;
  context.beginPath();
  weights.forEach((row, i) =>
    row.forEach((weight, j) => {
      const [x, y] = [j * cell, i * cell];
      if (masked[i][j] === -Infinity) {
        for (let at = 4; at < cell; at += 6) context.moveTo(x + at, y + 1), context.lineTo(x + 1, y + at);
        for (let at = cell % 6; at < cell - 2; at += 6) context.moveTo(x + cell - 1, y + at), context.lineTo(x + at, y + cell - 1);
      } else {
        context.fillStyle = `rgba(${ink(weight)}, ${Math.abs(weight)})`;
        context.fillRect(x, y, cell - 1, cell - 1);
      }
    }),
  );
  context.stroke();
}

/** Let a pointer paint in a field, from where it goes down to where it is lifted; a finger, too, does not scroll there. */
function paintWith(field, { dip, stroke }, at, chosen) {
  field.classList.add("xp-canvas");
  set(field, {
    onpointerdown: (event) => {
      field.setPointerCapture(event.pointerId);
      field.focus({ preventScroll: true });
      dip(...at(event));
      event.preventDefault();
    },
    onpointermove: (event) => field.hasPointerCapture(event.pointerId) && stroke(...at(event)),
    onkeydown: (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      dip(...chosen());
    },
  });
}

const SIDES = ["query ↓", "key →"];
const WEIGHTS = "Attention weights: the arrow keys go to another query or key";

/**
 * `choose(i, j)` is called with the cell that a pointer or the keys come to. With a `brush` the pointer paints:
 * `brush.dip(i, j)` where it goes down, `brush.stroke(i, j)` where it is drawn to; Space and Enter dip, too. Where
 * there are two columns it is at most `high` pixels high, in one column `alone`, unless its cells were less than `least`; where
 * there are two, the queries' names have `names` pixels; `top` is the room for the keys' names, `sides` says what rows and columns are.
 */
export function heatmap(stage, most, ink, choose, { name = WEIGHTS, brush, high = Infinity, alone = Infinity, least = 11, names: room = 88, top = TOP, sides = SIDES } = {}) {
  const canvas = html("canvas", { class: "xp-map", "aria-hidden": "true" });
  const label = (kind) => range(most).map((i) => html("span", { class: kind, style: `--at:${i}`, "aria-hidden": "true" }));
  const [queries, columns] = [label("xp-row-name"), label("xp-column-name")];
  const [line, ring] = [html("i", { class: "xp-row-ring" }), html("i", { class: "xp-cell-ring" })];
  const field = html("div", { class: "xp-field", tabindex: 0, role: "application", "aria-label": name }, canvas, line, ring);
  const axes = html("span", { class: "xp-axes", "aria-hidden": "true" });
  axes.append(html("span", { class: "xp-query" }, sides[0]), html("span", { class: "xp-key" }, sides[1]));
  const node = html("div", { class: "xp-heat" }, axes, ...columns, ...queries, field);
  let now = { n: 1, m: 1, i: 0, j: 0, cell: 24 };
  const to = (i, j) => {
    [now.i, now.j] = [clamp(i, 0, now.n - 1), clamp(j, 0, now.m - 1)]; // the next press may come before this one is painted
    choose(now.i, now.j);
  };
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    const place = (x, count) => clamp(Math.floor(x / now.cell), 0, count - 1);
    return [place(event.clientY - box.top, now.n), place(event.clientX - box.left, now.m)];
  };
  const follow = (event) => to(...at(event));
  if (brush) paintWith(field, brush, at, () => [now.i, now.j]);
  else set(field, { onpointermove: (event) => event.target === canvas && follow(event), onpointerdown: follow });
  keys(field, {
    step: (dx, dy) => to(now.i - dy, now.j + dx),
    end: (side) => to(now.i, side < 0 ? 0 : now.m - 1),
  });
  const paint = ({ tokens, sources = tokens, row, column, weights, masked }) => {
    const [n, m] = [tokens.length, sources.length];
    const left = stage.wide ? room : 72;
    const cell = clamp(Math.floor(Math.min((stage.column - left) / m, ((stage.wide ? high : alone) - top) / n)), stage.wide ? least : 11, 36);
    const upright = sources.every((source) => source.length === 1);
    if (cell !== now.cell || n !== now.n || m !== now.m || left !== now.left) {
      node.style.cssText = `--cell:${cell}px;--left:${left}px;--top:${top}px;height:${top + n * cell}px`;
    }
    now = { n, m, i: row, j: column, cell, left };
    for (const [names, texts] of [[queries, tokens], [columns, sources]]) {
      show(names, texts.length);
      texts.forEach((token, i) => {
        if (!put(names[i], token)) return;
        names[i].title = token;
      });
    }
    for (const name of columns) name.classList.toggle("xp-level", upright);
    drawCells(canvas, weights, masked, cell, ink);
    line.style.transform = `translateY(${row * cell}px)`;
    ring.style.transform = `translate(${column * cell}px, ${row * cell}px)`;
  };
  return { node, paint };
}
