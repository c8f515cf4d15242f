import { goalsBeside } from "../goals.js";
import { explorable, fixed, html, slider } from "../kit.js";

/** TODO: in the_group/formulas.js, and in tests/explorables/test_the_group_formulas.py, which compares it with Python. */
const theIdea = (x) => x;

const TASKS = [
  ["TODO: get 0?", ({ result }) => Math.abs(result) < 0.05],
  ["TODO: get more than 3?", ({ result }) => result > 3],
  ["TODO: get less than −3?", ({ result }) => result < -3],
];

function build(stage) {
  const control = slider(stage, { name: "x", step: 0.1, label: ["x"], show: (x) => fixed(x) });
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-controls" }, control), tasks.node); // TODO: the picture
  return ({ x }) => {
    const result = theIdea(x);
    return `At ${fixed(x)} the result is ${fixed(result)}.${tasks.paint({ result })}`;
  };
}

export default explorable("The idea", ["x"], build);
