import { choice, clamp, explorable, grouped, handle, html, put, set, sharpen, svg, tell, toggle, unpack, weights } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { range } from "../numbers.js";
import { pairsOf, reachedFrom, spaceMask, timeMask } from "./formulas.js";

const names = ["scheme", "steps", "class_token", "frame", "place"];
const [FRAMES, ROWS, COLUMNS] = [6, 3, 5];
const PLACES = ROWS * COLUMNS;
const SEEN = "#3f78c4"; // a line around what is looked at, legible on every grey
const [GAP, BESIDE, BELOW] = [10, 3, 2]; // pixels between frames; frames in a row, with room and without

/** The frames as images that a canvas can copy from. */
function imagesOf(rows) {
  const [high, wide] = [rows.length / FRAMES, rows[0].length];
  return range(FRAMES).map((t) => {
    const canvas = html("canvas", { width: wide, height: high });
    const data = new ImageData(wide, high);
    rows.slice(t * high, (t + 1) * high).flat().forEach((v, k) => {
      const grey = Math.round(127.5 * (v + 1));
      data.data.set([grey, grey, grey, 255], 4 * k);
    });
    canvas.getContext("2d").putImageData(data, 0, 0);
    return canvas;
  });
}

/** All frames; patches out of reach are dimmed, those of the last look have a line around them, and the one that looks a frame. */
function screen(stage, images) {
  const canvas = html("canvas", { class: "xp-photo", "aria-hidden": "true" });
  const [area, frame] = [svg("rect", { class: "xp-hit" }), svg("rect", { class: "xp-picked" })];
  const grip = svg("g", {}, area, frame);
  const node = html("div", { class: "xp-layers xp-mosaic" }, canvas, svg("svg", {}, grip));

  let [across, wide, high, side] = [BESIDE, 0, 0, 0];
  const corner = (t) => [(t % across) * (wide + GAP), Math.floor(t / across) * (high + GAP)];
  const pick = ({ x, y }) => {
    const [column, row] = [clamp(Math.floor(x / (wide + GAP)), 0, across - 1), clamp(Math.floor(y / (high + GAP)), 0, FRAMES / across - 1)];
    const t = row * across + column;
    const [left, top] = corner(t);
    const [c, r] = [clamp(Math.floor((x - left) / side), 0, COLUMNS - 1), clamp(Math.floor((y - top) / side), 0, ROWS - 1)];
    stage.set({ frame: t, place: r * COLUMNS + c });
  };
  const moved = (dx, dy) => {
    if (Math.abs(dy) > 1) return { frame: clamp(stage.get("frame") - Math.sign(dy), 0, FRAMES - 1) };
    const [r, c] = [Math.floor(stage.get("place") / COLUMNS) - dy, (stage.get("place") % COLUMNS) + dx];
    const t = stage.get("frame") + (c < 0 ? -1 : c >= COLUMNS ? 1 : 0); // over the edge: into the next frame
    if (t < 0 || t >= FRAMES) return {};
    return { frame: t, place: clamp(r, 0, ROWS - 1) * COLUMNS + ((c + COLUMNS) % COLUMNS) };
  };
  handle(grip, {
    label: "The patch that looks; page keys change the frame",
    drag: pick,
    step: (dx, dy) => stage.set(moved(dx, dy)),
    end: (end) => stage.set(end < 0 ? { frame: 0, place: 0 } : { frame: FRAMES - 1, place: PLACES - 1 }),
  });
  grip.addEventListener("pointerdown", (event) => {
    const box = node.lastChild.getBoundingClientRect();
    pick({ x: event.clientX - box.left, y: event.clientY - box.top });
  });
  const paint = (state, reached, seen, words) => {
    across = stage.wide ? BESIDE : BELOW;
    const room = Math.min(stage.wide ? 620 : 420, stage.width);
    side = (room - (across - 1) * GAP) / across / COLUMNS;
    [wide, high] = [side * COLUMNS, side * ROWS];
    const [width, height] = [across * (wide + GAP) - GAP, (FRAMES / across) * (high + GAP) - GAP];
    const context = sharpen(canvas, width, height);
    images.forEach((image, t) => {
      const [left, top] = corner(t);
      context.drawImage(image, left, top, wide, high);
      range(PLACES).forEach((i) => {
        const [x, y] = [left + (i % COLUMNS) * side, top + Math.floor(i / COLUMNS) * side];
        context.fillStyle = "rgb(128 128 128 / 0.8)";
        if (!reached[t * PLACES + i]) context.fillRect(x, y, side, side);
        context.strokeStyle = seen[t * PLACES + i] ? SEEN : "rgb(255 255 255 / 0.5)";
        context.lineWidth = seen[t * PLACES + i] ? 3 : 0.5;
        context.strokeRect(x + 1.5, y + 1.5, side - 3, side - 3);
      });
    });
    for (const one of [node.lastChild, area]) set(one, { width, height });
    const [left, top] = corner(state.frame);
    const at = { x: left + (state.place % COLUMNS) * side, y: top + Math.floor(state.place / COLUMNS) * side };
    set(frame, { ...at, width: side, height: side });
    tell(grip, state.frame * PLACES + state.place, 0, FRAMES * PLACES - 1, words);
  };
  return { node, paint };
}

/** The masks of the first step and of the second. */
function masksOf(scheme, withClass) {
  const [space, time] = [spaceMask(FRAMES, PLACES), timeMask(FRAMES, PLACES)];
  const all = space.map((row) => row.map(() => true));
  const both = { divided: [time, space], joint: [all, all], space: [space, space], time: [time, time] }[scheme];
  return withClass ? both : both.map((mask) => mask.slice(1).map((row) => row.slice(1)));
}

const count = (flags) => flags.filter(Boolean).length;

const ALL = FRAMES * PLACES;
const TASKS = [
  ["reach all patches with a quarter of the pairs that joint attention compares?", ({ reached, pairs, joint }) => reached === ALL && pairs < joint / 4],
  ["reach all, though frames never meet?", ({ scheme, reached }) => scheme === "space" && reached === ALL],
  ["see one frame whole, and nothing else?", ({ scheme, reached }) => scheme === "space" && reached === PLACES],
];

async function build(stage) {
  const { frames } = await weights(stage.model, "film", unpack);
  const scheme = choice(stage, { name: "scheme", label: "Attention" });
  const steps = choice(stage, { name: "steps", label: "Steps" });
  const class_token = toggle(stage, { name: "class_token", label: ["with a class token"] });
  const picture = screen(stage, imagesOf(frames));
  const told = html("p", { class: "xp-note" });
  const legend = html("p", { class: "xp-caption xp-lines" }, "Thick frame: the patch. Blue: what it looks at in the last step. Grey: out of reach.");
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-controls" }, scheme, steps, class_token), picture.node, told, legend, tasks.node);
  return (state) => {
    const two = state.steps === "2";
    const [first, then] = masksOf(state.scheme, state.class_token);
    const offset = state.class_token ? 1 : 0;
    const token = offset + state.frame * PLACES + state.place;
    const last = two ? then : first;
    const reached = (two ? reachedFrom(first, then, token) : first[token]).slice(offset);
    const seen = last[token].slice(offset);
    const pairs = pairsOf(first) + (two ? pairsOf(then) : 0);
    const all = state.scheme === "joint" ? pairs : first.length ** 2 * (two ? 2 : 1);
    const where = `frame ${state.frame}, row ${Math.floor(state.place / COLUMNS)}, column ${state.place % COLUMNS}`;
    picture.paint(state, reached, seen, `The patch in ${where}`);
    const looks = two ? `In the first step it meets ${count(first[token])} keys, in the second ${count(then[token])}` : `It meets ${count(first[token])} keys`;
    put(told, `${looks}. All tokens together compare ${grouped(pairs)} pairs${state.scheme === "joint" ? "" : `; joint attention would compare ${grouped(all)}`}.`);
    const through = two && state.class_token && state.scheme !== "joint" && state.scheme !== "divided"
      ? " All that is not its own group came through the class token." : "";
    return `Something from ${count(reached)} of the ${ALL} patches can have reached the patch in ${where}.${through}${tasks.paint({ scheme: state.scheme, reached: count(reached), pairs, joint: all })}`;
  };
}

export default explorable("Who sees whom in a film", names, build);
