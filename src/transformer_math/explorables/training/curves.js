import { axisLabels, grouped, path, set, svg } from "../kit.js";
import { range } from "../numbers.js";

const [HEIGHT, LEFT, TOP, BOTTOM] = [190, 34, 10, 26];

/** Losses over the steps of a training, a curve for each class, and a rule at one step where one is in sight. */
export function lossCurves(stage, ...classes) {
  const curves = classes.map((name) => svg("path", { class: `xp-curve ${name}` }));
  const rule = svg("line", { class: "xp-marker", y1: TOP, y2: HEIGHT - BOTTOM });
  const [ticks, frame] = [axisLabels(), svg("path", { class: "xp-line" })];
  const drawing = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, ...curves, rule, ticks.group);
  /** `lines`: for each curve its points, [step, loss]; `last`: the training's last step; `step`: that of the rule, if there is one. */
  const paint = (lines, last, step) => {
    const losses = lines.flatMap((points) => points.map(([, loss]) => loss));
    const [low, high] = [Math.floor(Math.min(...losses)), Math.ceil(Math.max(...losses))];
    const x = (at) => LEFT + (at / last) * (stage.width - LEFT - 12);
    const y = (loss) => TOP + ((high - loss) / (high - low)) * (HEIGHT - TOP - BOTTOM);
    set(drawing, { width: stage.width });
    set(frame, { d: path([[LEFT, TOP], [LEFT, HEIGHT - BOTTOM], [x(last), HEIGHT - BOTTOM]]) });
    curves.forEach((curve, i) => set(curve, { d: path(lines[i].map(([at, loss]) => [x(at), y(loss)])) }));
    set(rule, { visibility: step === undefined ? "hidden" : "visible", x1: x(step ?? 0), x2: x(step ?? 0) });
    const levels = range(high - low + 1).map((i) => [LEFT - 6, y(low + i) + 4, String(low + i), "end"]);
    ticks.paint([...levels, ...[0, 0.5, 1].map((part) => [x(part * last), HEIGHT - 8, grouped(Math.round(part * last)), part === 1 ? "end" : "middle"])]);
  };
  return { node: drawing, paint };
}
