import { explorable, fixed, html, slider } from "../kit.js";

/** TODO: in training/formulas.js, and in tests/explorables/test_training_formulas.py, which compares it with Python. */
const experiment = (x) => x;

function build(stage) {
  const control = slider(stage, { name: "x", step: 0.1, label: ["x"], show: (x) => fixed(x) });
  stage.root.append(html("div", { class: "xp-controls" }, control)); // TODO: the picture
  return ({ x }) => `At ${fixed(x)} the result is ${fixed(experiment(x))}.`;
}

export default explorable("Experiment", ["x"], build);
