import { goalsBeside } from "../goals.js";
import { explorable, fixed, html, memo, plural, put, quoted, slider } from "../kit.js";
import { range } from "../numbers.js";
import { onlineSoftmax, softmax } from "./formulas.js";

const names = ["row", "tile", "read", "tokens", "scores"];

/** The states of the online softmax, from none to all tiles read; values are one-hot, so o holds the exponentials. */
function statesOf(s, tile) {
  const oneHot = (j) => s.map((_, c) => (c === j ? 1 : 0));
  const states = [{ m: -Infinity, l: 0, o: s.map(() => 0) }];
  for (let first = 0; first < s.length; first += tile) {
    const keys = range(Math.min(tile, s.length - first)).map((j) => first + j);
    states.push(onlineSoftmax(states.at(-1), keys.map((j) => s[j]), keys.map(oneHot)));
  }
  return states;
}

function keyLine() {
  const [token, bar, weight] = [html("th", { scope: "row" }), html("i"), html("b")];
  const numbers = range(3).map(() => html("td"));
  const last = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), weight));
  return { row: html("tr", {}, token, ...numbers, last), token, numbers, bar, weight };
}

/** A line for each key: its score, the softmax of the whole row, and what the tiles read so far make of it. */
function keysTable(n) {
  const caption = html("caption");
  const power = ["e", html("sup", {}, "s − m")];
  const heads = [["key"], ["score"], ["softmax"], power, ["so far, ÷ ℓ"]].map((name) => html("th", { scope: "col" }, ...name));
  const lines = range(n).map(keyLine);
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const table = html("table", { class: "xp-steps xp-tiles" }, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const paint = ({ tokens, tile }, { s, whole, m, l, o, seen, now }) => {
    put(caption, now);
    lines.forEach(({ row, token, numbers, bar, weight }, j) => {
      if (put(token, tokens[j])) token.title = tokens[j];
      row.classList.toggle("xp-edge", j % tile === 0);
      row.classList.toggle("xp-unread", j >= seen);
      row.classList.toggle("xp-newest", j < seen && j >= seen - (seen % tile || tile));
      const share = l ? o[j] / l : 0;
      put(numbers[0], fixed(s[j]));
      put(numbers[1], fixed(whole[j]));
      put(numbers[2], j < seen ? fixed(o[j]) : "–");
      bar.style.transform = `scaleX(${share.toFixed(3)})`;
      put(weight, j < seen ? fixed(share) : "–");
    });
  };
  return { table, paint };
}

const grew = ({ m, before }) => m > before.m && before.m !== -Infinity;

const TASKS = [
  ["let the maximum rise in the last tile?", (now) => now.read > 1 && now.read === now.count && grew(now)],
  ["read all tiles, two at least, without a rise?", ({ states, read, count }) => count > 1 && read === count && states[1].m === states.at(-1).m],
  ["shrink the old sum to below a tenth?", (now) => grew(now) && Math.exp(now.before.m - now.m) < 0.1],
];

function build(stage) {
  const tokens = stage.get("tokens");
  const statesFor = memo(statesOf);
  const tiles = () => Math.ceil(tokens.length / stage.get("tile"));
  const table = keysTable(tokens.length);
  const facts = ["running maximum m", "running sum ℓ", "old sum and output times"].map((name) => ({ name, number: html("b") }));
  const now = html("p", { class: "xp-legend" }, ...facts.map(({ name, number }) => html("span", {}, `${name}: `, number)));
  const controls = html(
    "div",
    { class: "xp-thirds" },
    slider(stage, { name: "read", label: ["Tiles read"], max: tiles, read: ({ read }) => Math.min(read, tiles()),
      show: (read) => `${Math.min(read, tiles())} of ${tiles()}` }),
    slider(stage, { name: "tile", label: ["Keys in a tile"] }),
    slider(stage, { name: "row", label: ["Query"], show: (row) => `${row}: ${quoted(tokens[row])}` }),
  );
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(controls, now, table.table, tasks.node);
  return (state) => {
    const s = state.scores[state.row];
    const states = statesFor(s, state.tile);
    const read = Math.min(state.read, states.length - 1);
    const [before, { m, l, o }] = [states[Math.max(read - 1, 0)], states[read]];
    const seen = Math.min(read * state.tile, s.length);
    const factor = before.m === -Infinity ? "–" : fixed(Math.exp(before.m - m), 3);
    [fixed(m), fixed(l), factor].forEach((text, i) => put(facts[i].number, text));
    const whole = softmax(s);
    const query = quoted(tokens[state.row]);
    table.paint(state, { s, whole, m, l, o, seen, now: `The query ${query}, ${read} of ${plural(states.length - 1, "tile")} read` });
    const done = tasks.paint({ states, read, count: states.length - 1, before, m });
    if (read === 0) return `Nothing has been read yet: the maximum is −∞, the sum and the output are 0.${done}`;
    const shrunk = before.m === -Infinity ? "It is the first tile, so there is nothing to shrink." :
      m > before.m ? `A larger score came: the old sum and output were multiplied by e^(${fixed(before.m)} − ${fixed(m)}) = ${factor}.` :
      "No larger score came: the old sum and output stay as they were.";
    const apart = Math.max(...whole.map((a, j) => Math.abs(a - o[j] / l)));
    const end = read < states.length - 1 ? "" :
      ` All tiles are read: the weights are those of softmax over the whole row, within ${apart < 1e-15 ? "10⁻¹⁵" : apart.toExponential(0)}.`;
    return `${query}, tile ${read} of ${states.length - 1}: the maximum so far is ${fixed(m)}, the sum ${fixed(l)}. ${shrunk}${end}${done}`;
  };
}

export default explorable("The online softmax, tile by tile", names, build);
