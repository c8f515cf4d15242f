import { axisLabels, grouped, path, set, svg } from "../kit.js";
import { range } from "../numbers.js";

const [LEFT, TOP, BOTTOM, RIGHT] = [34, 10, 26, 12];

/** Losses over the steps of a training, a curve for each class, and a rule at one step where one is in sight; `size()` is [width, height]. */
export function lossCurves(size, ...classes) {
  const curves = classes.map((name) => svg("path", { class: `xp-curve ${name}` }));
  const rule = svg("line", { class: "xp-marker", y1: TOP });
  const [ticks, frame] = [axisLabels(), svg("path", { class: "xp-line" })];
  const drawing = svg("svg", { "aria-hidden": "true" }, frame, ...curves, rule, ticks.group);
  /** `lines`: for each curve its points, [step, loss]; `last`: the training's last step; `step`: that of the rule, if there is one. */
  const paint = (lines, last, step) => {
    const losses = lines.flatMap((points) => points.map(([, loss]) => loss));
    const [low, high] = [Math.floor(Math.min(...losses)), Math.ceil(Math.max(...losses))];
    const [width, height] = size();
    const bottom = height - BOTTOM;
    const x = (at) => LEFT + (at / last) * (width - LEFT - RIGHT);
    const y = (loss) => TOP + ((high - loss) / (high - low)) * (bottom - TOP);
    set(drawing, { width, height });
    set(frame, { d: path([[LEFT, TOP], [LEFT, bottom], [x(last), bottom]]) });
    curves.forEach((curve, i) => set(curve, { d: path(lines[i].map(([at, loss]) => [x(at), y(loss)])) }));
    set(rule, { visibility: step === undefined ? "hidden" : "visible", x1: x(step ?? 0), x2: x(step ?? 0), y2: bottom });
    const levels = range(high - low + 1).map((i) => [LEFT - 6, y(low + i) + 4, String(low + i), "end"]);
    ticks.paint([...levels, ...[0, 0.5, 1].map((part) => [x(part * last), height - 8, grouped(Math.round(part * last)), part === 1 ? "end" : "middle"])]);
  };
  return { node: drawing, paint };
}
