import { choice, clamp, explorable, fixed, grouped, handle, html, memo, put, set, sharpen, svg, tell, toggle, unpack, weights } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { range } from "../numbers.js";
import { facts } from "./facts.js";
import { patchify, shuffledOrder } from "./formulas.js";

const names = ["patch_size", "x", "y", "shuffled"];
const CHANNELS = 3;
const COLOURS = ["#d1495b", "#2f8f5b", "#3f78c4"]; // red, green and blue, each legible on light and dark
const [LARGEST, LARGEST_BELOW] = [384, 300]; // beside the rest, and above it
const GAP = 2;
const [LENS, STRIP] = [120, 84];

/** The photograph as an image that a canvas can copy from. */
function imageOf(rows) {
  const side = rows.length;
  const canvas = html("canvas", { width: side, height: side });
  const data = new ImageData(side, side);
  rows.forEach((row, y) => {
    for (let x = 0; x < side; x += 1) {
      for (let c = 0; c < CHANNELS; c += 1) data.data[4 * (y * side + x) + c] = Math.round(255 * row[CHANNELS * x + c]);
      data.data[4 * (y * side + x) + 3] = 255;
    }
  });
  canvas.getContext("2d").putImageData(data, 0, 0);
  return canvas;
}

/** All patches, a gap between them, and a frame around the one that is picked. */
function mosaic(stage, image, side) {
  const canvas = html("canvas", { class: "xp-photo", "aria-hidden": "true" });
  const [area, frame] = [svg("rect", { class: "xp-hit" }), svg("rect", { class: "xp-picked" })];
  const grip = svg("g", {}, area, frame);
  const node = html("div", { class: "xp-layers xp-mosaic" }, canvas, svg("svg", {}, grip));
  let [size, p, drawn] = [0, 0, ""];
  const at = (pixels) => clamp(Math.floor((pixels / size) * side), 0, side - 1);
  const drag = ({ x, y }) => stage.set({ x: at(x), y: at(y) });
  const moved = (value, by) => clamp(value + by * p, 0, side - 1);
  handle(grip, {
    label: "The patch that is picked",
    drag,
    step: (dx, dy) => stage.set({ x: moved(stage.get("x"), dx), y: moved(stage.get("y"), -dy) }),
    end: (end) => stage.set(end < 0 ? { x: 0, y: 0 } : { x: side - 1, y: side - 1 }),
  });
  grip.addEventListener("pointerdown", (event) => {
    const box = node.lastChild.getBoundingClientRect();
    drag({ x: event.clientX - box.left, y: event.clientY - box.top });
  });
  const drawPatches = (order, columns, corner, cell) => {
    const context = sharpen(canvas, size, size);
    context.imageSmoothingEnabled = false;
    order.forEach((from, i) => {
      const source = [(from % columns) * p, Math.floor(from / columns) * p, p, p];
      context.drawImage(image, ...source, ...corner(i).map((x) => x + GAP / 2), cell - GAP, cell - GAP);
    });
  };
  const paint = (state, order, chosen, words) => {
    const columns = side / (p = Number(state.patch_size));
    size = Math.min(stage.wide ? LARGEST : LARGEST_BELOW, stage.column);
    const cell = size / columns;
    const corner = (i) => [(i % columns) * cell, Math.floor(i / columns) * cell];
    // moving the frame leaves the patches as they are
    if (drawn !== (drawn = [size, devicePixelRatio, ...order].join(" "))) drawPatches(order, columns, corner, cell);
    for (const one of [node.lastChild, area]) set(one, { width: size, height: size });
    const [x, y] = corner(chosen);
    set(frame, { x, y, width: cell, height: cell });
    tell(grip, chosen, 0, order.length - 1, words);
  };
  return { node, paint };
}

/** The picked patch enlarged, and its vector: a curve for each channel. */
function lens(stage, image, side) {
  const [patch, bars] = ["xp-photo", "xp-vector"].map((kind) => html("canvas", { class: kind, "aria-hidden": "true" }));
  const paint = (p, from, vector) => {
    const columns = side / p;
    const context = sharpen(patch, LENS, LENS);
    context.imageSmoothingEnabled = false;
    context.drawImage(image, (from % columns) * p, Math.floor(from / columns) * p, p, p, 0, 0, LENS, LENS);
    const width = stage.column;
    const strip = sharpen(bars, width, STRIP);
    const apart = width / (vector.length / CHANNELS - 1);
    COLOURS.forEach((colour, c) => {
      strip.strokeStyle = colour;
      strip.beginPath();
      for (let k = c; k < vector.length; k += CHANNELS) strip.lineTo(((k - c) / CHANNELS) * apart, 2 + (STRIP - 4) * (1 - vector[k]));
      strip.stroke();
    });
  };
  return { patch, bars, paint };
}

const spread = (xs) => Math.max(...xs) - Math.min(...xs);
const TASKS = [
  ["give each token more numbers than there are pairs?", ({ n, vector }) => vector.length > n * n],
  ["find the photograph’s last patch, shuffled?", ({ shuffled, from, n }) => shuffled && from === n - 1],
  ["find a patch that is nearly of one colour?", ({ vector }) => range(CHANNELS).every((c) => spread(vector.filter((_, k) => k % CHANNELS === c)) < 0.1)],
];

async function build(stage) {
  const { portrait } = await weights(stage.model, "photograph", unpack);
  const rows = portrait.map((row) => row.map((v) => (v + 1) / 2));
  const side = rows.length;
  const image = imageOf(rows);
  const cut = memo((p) => patchify(rows, p, CHANNELS));
  const size = choice(stage, { name: "patch_size", label: "Side of a patch, in pixels" });
  const shuffle = toggle(stage, { name: "shuffled", label: ["shuffle the patches"] });
  const picture = mosaic(stage, image, side);
  const close = lens(stage, image, side);
  const counted = facts(["tokens", "numbers in each", "pairs in attention"]);
  const first = html("p", { class: "xp-note" });
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    html("div", { class: "xp-controls" }, size, shuffle),
    html("div", { class: "xp-grid" },
      picture.node,
      html("div", { class: "xp-stack" },
        html("div", { class: "xp-beside" }, close.patch, counted.node),
        html("p", { class: "xp-caption" }, "Its vector, pixel after pixel: red, green and blue"),
        close.bars,
        first)),
    tasks.node,
  );
  return (state) => {
    const p = Number(state.patch_size);
    const T = cut(p);
    const [n, columns] = [T.length, side / p];
    const order = state.shuffled ? shuffledOrder(n) : range(n);
    const chosen = Math.floor(state.y / p) * columns + Math.floor(state.x / p);
    const from = order[chosen];
    const where = `row ${Math.floor(from / columns)}, column ${from % columns}`;
    const place = `Token ${chosen} is the patch from ${where} of the photograph`;
    picture.paint(state, order, chosen, place);
    close.paint(p, from, T[from]);
    counted.paint([n, T[0].length, n * n].map(grouped));
    put(first, `(${T[from].slice(0, 6).map((v) => fixed(v)).join(", ")}, …), from 0 to 1`);
    const told = state.shuffled ? " Without positions, a class token that attends to them all cannot tell this picture from the one in order." : "";
    return `${place}. ${n} tokens of ${grouped(T[0].length)} numbers: attention compares ${grouped(n * n)} pairs.${told}${tasks.paint({ n, from, vector: T[from], shuffled: state.shuffled })}`;
  };
}

export default explorable("Patches of a photograph", names, build);
