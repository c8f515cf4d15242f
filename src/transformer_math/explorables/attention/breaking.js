import { goalsLast } from "../goals.js";
import { explorable, html, inks, choice } from "../kit.js";
import { map } from "../editing/pictures.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const math = (tag, ...children) => {
  const node = document.createElementNS(MATHML, tag);
  node.append(...children);
  return node;
};
const [letter, sign] = [(text) => math("mi", text), (text) => math("mo", text)];
const upright = (text) => {
  const node = letter(text);
  node.setAttribute("mathvariant", "normal");
  return node;
};

const product = () => math("mrow", letter("Q"), math("msup", letter("K"), sign("⊤")));
const scaled = () => math("mfrac", product(), math("msqrt", math("msub", letter("d"), letter("k"))));
const softmax = (...inner) => [upright("softmax"), sign("("), ...inner, sign(")")];
const masked = (scores) => softmax(scores, sign("+"), upright("ln"), letter("M"));
const FORMULAS = {
  whole: () => [...masked(scaled()), letter("V")],
  scale: () => [...masked(product()), letter("V")],
  mask: () => [...softmax(scaled()), letter("V")],
  late: () => [sign("("), letter("M"), sign("⊙"), ...softmax(scaled()), sign(")"), letter("V")],
};

const CELL = 15;

const sum = (row) => row.reduce((total, x) => total + x, 0);
/** How much of its weight each row gives to later words. */
const ahead = (A) => A.map((row, i) => sum(row.slice(i + 1)));
/** How sharp the rows are: the mean of their largest weights. */
const sharpness = (A) => sum(A.map((row) => Math.max(...row))) / A.length;
const MUCH = 0.01; // the weights came in thousandths

const TASKS = [
  ["let words look at what comes after them?", ({ now }) => sum(ahead(now)) > 1],
  ["make weights that do not sum to 1?", ({ now }) => now.some((row) => Math.abs(sum(row) - 1) > MUCH)],
  ["make rows put more weight on one word?", ({ now, whole }) => sharpness(now) > sharpness(whole) + MUCH],
];

async function build(stage) {
  const tokens = stage.get("tokens");
  const all = stage.get("outcomes");
  const numbers = Object.fromEntries(Object.entries(all).map(([name, { weights }]) => [name, weights.map((thousandths) => thousandths / 1000)]));
  const rowsOf = (version) => tokens.map((_, i) => numbers[version].slice(i * tokens.length, (i + 1) * tokens.length));
  const printed = html("p", { class: "xp-printed xp-broken" });
  const picture = map({ rows: tokens, columns: tokens, limit: 1 });
  const axes = html("span", { class: "xp-axes", "aria-hidden": "true" });
  axes.append(html("span", { class: "xp-query" }, "who looks ↓"), html("span", { class: "xp-key" }, "at what →"));
  picture.node.prepend(axes);
  const ink = inks(stage.root);
  const tasks = goalsLast(stage, TASKS);
  stage.root.append(printed, choice(stage, { name: "version", label: "Break it" }), picture.node, tasks.node);
  let shown;
  return ({ version }) => {
    if (shown !== (shown = version)) printed.replaceChildren(math("math", math("mrow", ...FORMULAS[version]())));
    picture.resize(stage.width, CELL);
    picture.node.style.width = `calc(var(--left) + ${tokens.length} * var(--cell))`;
    picture.paint(numbers[version], undefined, ink);
    return all[version].says + tasks.paint({ now: rowsOf(version), whole: rowsOf("whole") });
  };
}

export default explorable("Break attention", ["version"], build);
