import { goalsBeside } from "../goals.js";
import { axisLabels, choice, explorable, fixed, html, path, plural, set, slider, svg } from "../kit.js";
import { placesOfLargest, range } from "../numbers.js";

const names = ["kind", "head", "task", "runs", "distances", "sizes"];
const [HEIGHT, LEFT, TOP, BOTTOM, RIGHT] = [216, 34, 10, 26, 10];
const MARKS = [0, 1, 3, 7, 15, 31, 63, 127, 255]; // distances and places with a number, evenly spaced on the axis
const LONGEST = 255;
const STEPS = [1, 2, 5, 10, 20, 50, 100]; // between two numbers of the other axis
const octaves = (d) => Math.log2(d + 1) / Math.log2(LONGEST + 1);

/** A drawing over distance or place, on a logarithmic axis, with what training knew in grey; `paint` draws curves in it. */
function longChart(stage, classes, trained) {
  const curves = classes.map((name) => svg("path", { class: `xp-curve ${name}` }));
  const [known, frame, labels] = [svg("rect", { class: "xp-known" }), svg("path", { class: "xp-line" }), axisLabels()];
  const node = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, known, frame, ...curves, labels.group);
  /** `lines`: for each curve its points, [distance, value]. */
  const paint = (lines) => {
    const values = lines.flatMap((points) => points.map(([, value]) => value));
    const [low, high] = [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values))];
    const width = stage.column - LEFT - RIGHT;
    const x = (d) => LEFT + octaves(d) * width;
    const y = (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    set(node, { width: stage.column });
    set(known, { x: LEFT, y: TOP, width: x(trained - 1) - LEFT, height: HEIGHT - TOP - BOTTOM });
    set(frame, { d: path([[LEFT, TOP], [LEFT, HEIGHT - BOTTOM], [LEFT + width, HEIGHT - BOTTOM]]) });
    curves.forEach((curve, i) => set(curve, { d: path(lines[i].map(([d, value]) => [x(d), y(value)])) }));
    const step = STEPS.find((size) => (high - low) / size <= 5);
    const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
    const levels = range(last - first + 1).map((i) => (first + i) * step);
    labels.paint([
      ...levels.map((v) => [LEFT - 6, y(v) + 4, fixed(v, 0), "end"]),
      ...MARKS.map((d) => [x(d), HEIGHT - 8, String(d), d === LONGEST ? "end" : "middle"]),
    ]);
  };
  return { node, paint };
}

const TASKS = [
  ["lose less than 0.05 nats on a longer text?", ({ known, last }) => last !== undefined && last - known < 0.05],
  ["let a head score highest beyond training?", ({ inside, beyond }) => beyond.length > 0 && Math.max(...beyond) > Math.max(...inside)],
  ["let it copy in training, and be lost beyond?", ({ task, known, last }) => task === "copying" && known < 0.05 && last - known > 4],
];

function build(stage) {
  const { scores, losses } = stage.get("runs");
  const [trained, step, heads] = stage.get("sizes");
  const distances = stage.get("distances");
  const all = scores.none.length;
  const faint = (count) => range(count).map(() => "xp-muted");
  const [byDistance, byPlace] = [faint(all), faint(Object.keys(scores).length)].map((muted) =>
    longChart(stage, [...muted, "xp-query"], trained),
  );
  const named = (head) => `layer ${Math.floor(head / heads) + 1}, head ${head % heads}`;
  const kind = choice(stage, { name: "kind", label: "Positions" });
  const head = slider(stage, { name: "head", label: ["Head"], show: named });
  const task = choice(stage, { name: "task", label: "To predict" });
  const caption = (text) => html("p", { class: "xp-caption" }, text);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    html("div", { class: "xp-fours" }, kind),
    html(
      "div",
      { class: "xp-grid" },
      html("div", { class: "xp-stack" }, head, byDistance.node, caption("Mean score by distance: this head, and all others")),
      html("div", { class: "xp-stack" }, task, byPlace.node, caption("Loss by place, in nats: this kind, and all others")),
    ),
    tasks.node,
  );
  const points = (values) => values.map((value, i) => [distances[i], value]);
  const places = (values) => values.map((value, i) => [(i + 0.5) * step, value]);
  return (state) => {
    const mine = scores[state.kind];
    const lost = losses[state.task];
    byDistance.paint([...mine, mine[state.head]].map(points));
    byPlace.paint([...Object.values(lost), lost[state.kind]].map(places));
    const chosen = mine[state.head];
    const inside = chosen.slice(0, trained);
    const best = placesOfLargest(inside);
    const within = `Of the distances in training, ${named(state.head)} scores highest at ${best.join(" and ")}, ${fixed(inside[best[0]], best[0] < trained / 2 ? 2 : 1)} above the mean`;
    const beyond = chosen.slice(trained);
    const [far, ...alike] = beyond.length ? placesOfLargest(beyond) : [];
    const also = alike.length ? `, as ${alike.length > 1 ? "do" : "does"} ${plural(alike.length, "other")}` : ""; // of rounded scores
    const outside = beyond.length
      ? `. Of longer ones, ${distances[trained + far]} scores highest${also}: ${fixed(Math.abs(beyond[far]), 1)} ${beyond[far] < 0 ? "below" : "above"} that mean.`
      : "; the table has no row for a place beyond.";
    const [known, last] = [lost[state.kind][1], lost[state.kind].at(-1)];
    const longer = beyond.length ? `, and ${fixed(last)} at places ${LONGEST + 1 - step} to ${LONGEST}.` : ".";
    const done = tasks.paint({ task: state.task, inside, beyond, known, last: beyond.length ? last : undefined });
    return `${within}${outside} The loss is ${fixed(known)} nats at places ${step} to ${trained - 1}${longer}${done}`;
  };
}

export default explorable("Positions side by side", names, build);
