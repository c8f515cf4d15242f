import { goalsLast } from "../goals.js";
import { choice, explorable, html, inks, set, svg } from "../kit.js";
import { map } from "../editing/pictures.js";

const letter = (text) => html("i", {}, text);
const product = () => html("span", {}, letter("Q"), letter("K"), html("sup", {}, "⊤"));
const root = () => html("span", { class: "xp-root" }, svg("svg", { viewBox: "0 0 10 20", preserveAspectRatio: "none" }, svg("path", { d: "M0,12L3,10.5L6,19L10,0.5" })), html("span", {}, letter("d"), html("sub", {}, letter("k"))));
const scaled = () => html("span", { class: "xp-fraction" }, product(), root());
/** Brackets as high as what stands between them: systems differ in whether MathML's grow. */
const bracketed = (tall, ...inner) => {
  const bracket = (text) => html("span", { class: tall ? "xp-tall" : "" }, text);
  return [bracket("("), ...inner, bracket(")")];
};
const masked = (scores, tall) => ["softmax", ...bracketed(tall, scores, " + ln\u2009", letter("M")), letter("V")];
const FORMULAS = {
  whole: () => masked(scaled(), true),
  scale: () => masked(product(), false),
  mask: () => ["softmax", ...bracketed(true, scaled()), letter("V")],
  late: () => [...bracketed(true, letter("M"), " ⊙ softmax", ...bracketed(true, scaled())), letter("V")],
};
const [SCORES, LOG] = ["Q K transposed over the root of d k", "plus the logarithm of M"];
const READ = {
  whole: `softmax of, ${SCORES}, ${LOG}, times V`,
  scale: `softmax of, Q K transposed, ${LOG}, times V`,
  mask: `softmax of, ${SCORES}, times V`,
  late: `M times, entry by entry, the softmax of, ${SCORES}, times V`,
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
  const printed = html("p", { class: "xp-broken", role: "math" });
  const picture = map({ rows: tokens, columns: tokens, limit: 1 });
  const axes = html("span", { class: "xp-axes", "aria-hidden": "true" });
  axes.append(html("span", { class: "xp-query" }, "who looks ↓"), html("span", { class: "xp-key" }, "at what →"));
  picture.node.prepend(axes);
  const ink = inks(stage.root);
  const tasks = goalsLast(stage, TASKS);
  stage.root.classList.add("xp-at-home");
  stage.root.append(printed, choice(stage, { name: "version", label: "Break it" }), picture.node, tasks.node);
  let shown;
  return ({ version }) => {
    if (shown !== (shown = version)) {
      printed.replaceChildren(html("span", {}, ...FORMULAS[version]()));
      set(printed, { "aria-label": READ[version] });
    }
    picture.resize(stage.width, CELL);
    picture.node.style.width = `calc(var(--left) + ${tokens.length} * var(--cell))`;
    picture.paint(numbers[version], undefined, ink);
    return all[version].says + tasks.paint({ now: rowsOf(version), whole: rowsOf("whole") });
  };
}

export default explorable("Break attention", ["version"], build);
