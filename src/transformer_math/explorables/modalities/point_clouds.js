import { goalsBeside } from "../goals.js";
import { choice, clamp, explorable, fixed, grouped, handle, html, memo, set, sharpen, slider, svg, tell, unpack, weights, wordInk } from "../kit.js";
import { range } from "../numbers.js";
import { piecewise } from "../work.js";
import { facts } from "./facts.js";
import { apart, farthestPoints, localGroups, nearestCode, nearestNeighbours, pointNet, turned } from "./formulas.js";

const names = ["surface", "chosen_by", "colour", "points", "groups", "group", "yaw", "tilt"];
const NEIGHBOURS = 24;
const SCALE = 4; // a group is so much smaller than its cloud: the network was trained on groups of this size
const HUES = ["#2f7fd0", "#d4601c", "#178a58", "#9262c8", "#c8468f"];
const UNKNOWN = "#80868b"; // of a code that is still being found
const [LARGEST, LARGEST_BELOW] = [340, 280]; // beside the rest, and above it
const LENS = 150;

const around = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** A disc on a canvas. */
function disc(context, x, y, radius, colour, alpha) {
  context.globalAlpha = alpha;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** A ring in the colour of the page's text. */
function ring(context, x, y, radius, width, colour) {
  context.globalAlpha = 1;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** The cloud, which turns under the pointer, a finger or the arrow keys. */
function globe(stage) {
  const canvas = html("canvas", { class: "xp-photo", "aria-hidden": "true" });
  const inkOf = wordInk(stage.root);
  const [area, frame] = [svg("rect", { class: "xp-hit" }), svg("rect", { class: "xp-picked", "stroke-opacity": 0.25 })];
  const grip = svg("g", {}, area, frame);
  const node = html("div", { class: "xp-layers xp-mosaic" }, canvas, svg("svg", {}, grip));
  let [size, from] = [0, undefined];
  const turn = (yaw, tilt) => stage.set({ yaw: Math.round(around(yaw)), tilt: Math.round(clamp(tilt, -90, 90)) });
  handle(grip, {
    label: "The cloud: turn it",
    drag: ({ x, y }) => {
      from ??= { x, y, yaw: stage.get("yaw"), tilt: stage.get("tilt") };
      turn(from.yaw + (180 * (x - from.x)) / size, from.tilt + (180 * (y - from.y)) / size);
    },
    step: (dx, dy) => turn(stage.get("yaw") + 5 * dx, stage.get("tilt") - 5 * dy),
    end: (end) => stage.set({ yaw: 180 * end, tilt: 0 }),
  });
  for (const event of ["pointerdown", "pointerup", "pointercancel"]) grip.addEventListener(event, () => (from = undefined));
  const paint = (state, cloud, made, colours, words) => {
    size = Math.min(stage.wide ? LARGEST : LARGEST_BELOW, stage.column);
    const context = sharpen(canvas, size, size);
    const ink = inkOf();
    const seen = turned(cloud, state.yaw, state.tilt);
    const place = ([right, up]) => [size / 2 + 0.49 * size * right, size / 2 - 0.49 * size * up];
    const members = new Set(made.neighbours[state.group]);
    const order = range(cloud.length).sort((i, j) => seen[i][2] - seen[j][2]);
    for (const i of order) {
      const near = (seen[i][2] + 1) / 2;
      disc(context, ...place(seen[i]), (1.6 + 1.2 * near) * (members.has(i) ? 1.5 : 1), colours[i], 0.35 + 0.65 * near);
      if (members.has(i)) ring(context, ...place(seen[i]), 4.2, 1, ink);
    }
    made.chosen.forEach((i, q) => ring(context, ...place(seen[i]), q === state.group ? 8 : 5, q === state.group ? 3 : 1.5, ink));
    for (const one of [node.lastChild, area, frame]) set(one, { width: size, height: size });
    tell(grip, state.yaw, -180, 180, words);
  };
  return { node, paint };
}

/** The picked group from near: its points as discs, and as rings those that come back of its code. */
function lens(stage) {
  const canvas = html("canvas", { class: "xp-photo", "aria-hidden": "true" });
  const inkOf = wordInk(stage.root);
  const paint = (state, group, shape, colour) => {
    const context = sharpen(canvas, LENS, LENS);
    const ink = inkOf();
    const reach = Math.max(...[...group, ...shape].map((x) => Math.hypot(...x)));
    const place = ([right, up]) => [LENS / 2 + (0.46 * LENS * right) / reach, LENS / 2 - (0.46 * LENS * up) / reach];
    for (const x of turned(group, state.yaw, state.tilt)) disc(context, ...place(x), 3.2, colour, 0.9);
    for (const x of turned(shape, state.yaw, state.tilt)) ring(context, ...place(x), 3.2, 1.2, ink);
  };
  return { canvas, paint };
}

/** Each answer is found once. */
function remembered(find) {
  const found = new Map();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key);
  };
}

const WAYS = { farthest: "by farthest points", random: "at random" };

const TASKS = [
  ["with 20 groups at most, leave none out?", ({ left, chosen }) => left === 0 && chosen.length <= 20],
  ["leave none out with random centres?", ({ left, way }) => left === 0 && way === "random"],
  ["let the groups take 24 codes or more?", ({ codes, isCoded }) => isCoded && new Set(codes).size >= 24],
];

async function build(stage) {
  const known = await weights(stage.model, "clouds", unpack);
  const { W_1, b_1, W_2, b_2, codebook, shapes } = known;
  const network = [W_1, b_1[0], W_2, b_2[0]];
  const triples = (row) => range(row.length / 3).map((i) => row.slice(3 * i, 3 * i + 3));
  const codeOf = (group) => nearestCode(pointNet(group.map((x) => x.map((v) => SCALE * v)), ...network), codebook);
  const cloudOf = memo((surface, points) => {
    const cloud = known[surface].slice(0, points).map((row) => [...row]);
    const groupAt = remembered((i) => {
      const members = nearestNeighbours([cloud[i]], cloud, NEIGHBOURS);
      const [group] = localGroups(cloud, [cloud[i]], members);
      return { members: members[0], group };
    });
    const codeAt = remembered((i) => codeOf(groupAt(i).group));
    return { cloud, groupAt, codeAt, order: farthestPoints(cloud, stage.bounds.groups.high) };
  });
  // the codes of all groups come in the frames after the answer
  const surfaces = stage.bounds.surface.labels;
  const coding = piecewise(() => coding.isBusy() || stage.repaint());
  function* coded(chosen, codeAt, codes) {
    for (const i of chosen) yield codes.push(codeAt(i));
  }
  const grouping = memo((surface, way, points, groups) => {
    const { cloud, groupAt, codeAt, order } = cloudOf(surface, points);
    const chosen = (way === "random" ? range(points) : order).slice(0, groups);
    const found = chosen.map(groupAt);
    const [neighbours, local] = ["members", "group"].map((name) => found.map((of) => of[name]));
    const centres = chosen.map((i) => cloud[i]);
    const owner = nearestNeighbours(cloud, centres, 1).map(([q]) => q);
    const farthest = Math.sqrt(Math.max(...cloud.map((x, i) => apart(x, centres[owner[i]]))));
    const left = points - new Set(neighbours.flat()).size;
    const codes = [];
    coding.begin(coded(chosen, codeAt, codes), () => {});
    return { cloud, chosen, neighbours, local, codeAt, codes, owner, farthest, left };
  });
  const picture = globe(stage);
  const close = lens(stage);
  const counted = facts(["in no group", "farthest point", "codes used", "its code"]);
  const fewer = (groups) => ({ groups, group: Math.min(stage.get("group"), groups - 1) });
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    html("div", { class: "xp-thirds xp-tight" },
      choice(stage, { name: "surface", label: "Surface" }),
      choice(stage, { name: "chosen_by", label: "Centres" }),
      choice(stage, { name: "colour", label: "Colour" })),
    html("div", { class: "xp-grid" },
      picture.node,
      html("div", { class: "xp-stack" },
        slider(stage, { name: "points", label: ["Points"] }),
        slider(stage, { name: "groups", label: ["Groups"], change: fewer }),
        slider(stage, { name: "group", label: ["Picked group"] }),
        html("div", { class: "xp-beside" }, close.canvas, counted.node),
        html("p", { class: "xp-caption" }, "Its points, and in rings those of its code"))),
    tasks.node,
  );
  return (state) => {
    const made = grouping(state.surface, state.chosen_by, state.points, state.groups);
    const isCoded = !coding.isBusy();
    const hueOf = (number) => (number === undefined ? UNKNOWN : HUES[number % HUES.length]);
    const hue = (q) => hueOf(state.colour === "code" ? made.codes[q] : q);
    const colours = made.owner.map(hue);
    const place = `turned by ${fixed(state.yaw, 0)}°, tilted by ${fixed(state.tilt, 0)}°`;
    picture.paint(state, made.cloud, made, colours, place);
    const code = made.codeAt(made.chosen[state.group]);
    close.paint(state, made.local[state.group], triples([...shapes[code]]), hue(state.group));
    counted.paint([grouped(made.left), fixed(made.farthest), isCoded ? String(new Set(made.codes).size) : "…", String(code)]);
    set(picture.node, { "aria-busy": !isCoded });
    return `${grouped(state.points)} points of the ${surfaces[state.surface]}, ${state.groups} centres chosen ${WAYS[state.chosen_by]}. The farthest point is ${fixed(made.farthest)} from its nearest centre, and ${made.left ? `${made.left} ${made.left > 1 ? "are in no" : "is in no"}` : "each is in a"} group of ${NEIGHBOURS} points. Group ${state.group}: code ${code}; turned by ${fixed(state.yaw, 0)}°, tilt ${fixed(state.tilt, 0)}°.${tasks.paint({ ...made, isCoded, way: state.chosen_by })}`;
  };
}

export default explorable("A cloud of points in groups", names, build);
