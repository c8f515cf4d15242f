import { goalsBeside } from "../goals.js";
import { explorable, fixed, html, put, toggle } from "../kit.js";
import { mean } from "../numbers.js";
import { lossCurves } from "./curves.js";

const LABELS = { mask: "causal mask", scale: "scale 1/√dₖ", residual: "residual connections", norm: "normalisation", warm_up: "warm-up", second_layer: "second layer" };
const PARTS = Object.keys(LABELS);
const names = [...PARTS, "ways", "every"];
const HEIGHT = 190; // of the curves
const MUCH = 0.01; // nats a letter: what is less counts as no difference

/** The recorded model with these switches, by its name, such as 110111. */
const recorded = (state) => state.ways[PARTS.map((part) => Number(state[part])).join("")];
const whole = (state) => state.ways["1".repeat(PARTS.length)];

/** What is missing, in words. */
function lacking(state) {
  const missing = PARTS.filter((part) => !state[part]).map((part) => LABELS[part]);
  const listed = missing.length > 1 ? `${missing.slice(0, -1).join(", ")} and ${missing.at(-1)}` : missing[0];
  return missing.length ? `Without ${listed}` : "The whole model";
}

/** What the switches cost at the last place of a window, and whether the model looks ahead at the others. */
function verdict(state) {
  const [mine, all] = [recorded(state), whole(state)];
  const [loss, best] = [mean(mine.last), mean(all.last)];
  const said = `${lacking(state)}: ${fixed(loss)} nats for the letter after a window (three seeds: ${fixed(Math.min(...mine.last))} to ${fixed(Math.max(...mine.last))})`;
  const apart = Math.abs(Math.round(100 * loss) - Math.round(100 * best)) / 100; // of what is shown
  const gap = apart === 0 ? "as much as" : `${fixed(apart)} ${loss > best ? "more" : "less"} than`;
  const compared = mine === all ? "" : `, ${gap} the whole model`;
  const places = `Over all places it is ${fixed(mine.held_out)}${state.mask ? "" : ", where it can see the next letter"}.`;
  return `${said}${compared}. ${places}`;
}

const kept = (state) => PARTS.filter((part) => state[part]).length;
const lossOf = (state) => mean(recorded(state).last);
/** The same model with only this part gone. */
const without = (state, part) => ({ ...state, ...Object.fromEntries(PARTS.map((one) => [one, one !== part])) });
const dearest = (state) => Math.max(...PARTS.filter((part) => part !== "mask").map((part) => lossOf(without(state, part))));

const TASKS = [
  ["get below 0.1 nats over all places?", (state) => recorded(state).held_out < 0.1],
  ["find the part missed most, mask kept?", (state) => state.mask && kept(state) === PARTS.length - 1 && lossOf(state) === dearest(state)],
  ["leave out three parts and lose less?", (state) => kept(state) <= PARTS.length - 3 && lossOf(state) < mean(whole(state).last) - MUCH],
];

/** A text in which several spaces in a row can be counted. */
const shown = (text) => text.replace(/ {2,}/g, (run) => "␣".repeat(run.length));

function build(stage) {
  const switches = PARTS.map((name) => toggle(stage, { name, label: [LABELS[name]] }));
  const curves = lossCurves(() => [stage.width, HEIGHT], "xp-key xp-below", "xp-query");
  const legend = html("p", { class: "xp-legend" }, html("span", { class: "xp-query" }, "this model"), html("span", { class: "xp-key" }, "the whole model"), "loss, by steps");
  const wrote = html("p", { class: "xp-card xp-written" });
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(html("div", { class: "xp-controls xp-switches" }, ...switches), curves.node, legend, wrote, tasks.node);
  return (state) => {
    const points = ({ curve }) => curve.map((loss, i) => [(i + 1) * state.every, loss]);
    const [mine, all] = [recorded(state), whole(state)];
    curves.paint([points(all), points(mine)], mine.curve.length * state.every);
    put(wrote, `call me ishmael. ${shown(mine.written)}`);
    return verdict(state) + tasks.paint(state);
  };
}

export default explorable("Take parts out of a small model of letters", names, build);
