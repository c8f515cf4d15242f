import {
  choice, explorable, fixed, html, inks, newId, plural, put, root, show, slider, textbox, toggle, weights,
} from "../kit.js";
import { goals } from "../goals.js";
import { placesOfLargest, range } from "../numbers.js";
import { arcs } from "./arcs.js";
import { editor } from "./editor.js";
import { attentionSteps, entropy, headVectors, lettersVector, tokenize, trigramIndex } from "./formulas.js";
import { heatmap } from "./heatmap.js";
import { quotedShort, short } from "./short.js";
import { afterwards } from "../afterwards.js";

const names = ["sentence", "head", "view", "scaled", "causal", "temperature", "row", "column", "Q", "K", "weighing"];
const OVER = 150; // the height of the arcs over the sentence

/** Vectors of tokens: of the known words, and from letters for any other, found once. */
function dictionary({ words, vectors }) {
  const known = new Map(words.split(" ").map((word, u) => [word, vectors[u]]));
  const index = trigramIndex([...known.keys()]);
  const made = new Map();
  const vectorOf = (token) => {
    const word = token.toLowerCase();
    if (known.has(word)) return known.get(word);
    if (!made.has(word)) made.set(word, lettersVector(word, index, vectors));
    return made.get(word);
  };
  return { vectorOf, knows: (token) => known.has(token.toLowerCase()) };
}

/** From the state to the tokens, Q and K, and every step to the weights. */
function compute(state, most, { vectorOf }) {
  const typed = tokenize(state.sentence);
  const tokens = typed.slice(0, most);
  if (tokens.length === 0) return { tokens, unused: [] };
  const derived = headVectors(state.head, tokens.map(vectorOf), state.weighing);
  const own = (matrix) => matrix.length === tokens.length;
  const given = { Q: own(state.Q) ? state.Q : derived.Q, K: own(state.K) ? state.K : derived.K };
  const { Q, K } = given.Q[0].length === given.K[0].length ? given : derived;
  const [row, column] = [state.row, state.column].map((at) => Math.min(at, tokens.length - 1));
  const edited = Q === state.Q || K === state.K;
  const divisor = state.temperature * (state.scaled ? Math.sqrt(Q[0].length) : 1);
  return { tokens, unused: typed.slice(most), Q, K, row, column, edited, divisor, ...attentionSteps(Q, K, state) };
}

/** A list of the tokens to choose one from. */
function picker(stage, { name, label }) {
  const id = newId();
  const select = html("select", { id, onchange: () => stage.set({ [name]: select.selectedIndex }) });
  let shown;
  const paint = ({ tokens }, at) => {
    const key = tokens.join("\n");
    if (key !== shown) select.replaceChildren(...tokens.map((token, i) => html("option", {}, `${i}: ${short(token)}`)));
    shown = key;
    if (select.selectedIndex !== at) select.selectedIndex = at;
  };
  return { node: html("div", { class: "xp-pick" }, html("label", { for: id }, label), select), paint };
}

// ---- one query in full: a line for each key, a column for each step ----

function keyLine() {
  const [token, bar, weight] = [html("th", { scope: "row" }), html("i"), html("b")];
  const numbers = range(3).map(() => html("td"));
  const last = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), weight));
  return { row: html("tr", {}, token, ...numbers, last), token, numbers, bar, weight };
}

function stepsTable(most) {
  const caption = html("caption");
  const steps = ["key", "q · k", "", "masked", "weight"].map((step) => html("th", { scope: "col" }, step));
  const lines = range(most).map(keyLine);
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const table = html("table", { class: "xp-steps" }, caption, html("thead", {}, html("tr", {}, ...steps)), body);
  const paint = (now) => {
    const i = now.row;
    put(caption, `The query ${quotedShort(now.tokens[i])}, row ${i}, step by step`);
    put(steps[2], `÷ ${fixed(now.divisor)}`);
    show(lines.map(({ row }) => row), now.tokens.length);
    table.style.setProperty("--rows", now.tokens.length);
    now.tokens.forEach((token, j) => {
      const { row, token: head, numbers, bar, weight } = lines[j];
      if (put(head, token)) head.title = token;
      row.classList.toggle("xp-chosen", j === now.column);
      [now.raw, now.divided, now.masked].forEach((S, step) => put(numbers[step], number(S[i][j])));
      bar.style.transform = `scaleX(${now.weights[i][j].toFixed(3)})`;
      put(weight, fixed(now.weights[i][j]));
    });
  };
  return { table, node: html("div", { class: "xp-across" }, table), paint };
}

/** Two decimals, none where a number is large. */
const number = (x) => fixed(x, Number.isFinite(x) && Math.abs(x) >= 1000 ? 0 : 2);

/** The entropy of the chosen row, and what part it is of the most that its keys allow. */
function spreadOf({ weights: all, masked, row }) {
  const bits = entropy(all[row]);
  const allowed = masked[row].filter((s) => s !== -Infinity).length;
  const most = Math.log2(allowed);
  const part = most ? ` (${fixed((100 * bits) / most, 0)}\u00a0%)` : "";
  return `Entropy ${fixed(bits)} of at most log₂ ${allowed} = ${fixed(most)} bits${part}`;
}

const NAMED = 12; // tokens that a note lists

/** What to know of the sentence: tokens left out, words without a vector of their own, edited numbers. */
function notesOn(now, { head }, most, { knows, vectorOf }) {
  const notes = [];
  const list = (tokens) => {
    const own = [...new Set(tokens)];
    return own.slice(0, NAMED).map(quotedShort).join(" ") + (own.length > NAMED ? ` and ${own.length - NAMED} more` : "");
  };
  if (now.tokens.length === 0) notes.push("Type a word or two.");
  if (now.unused.length) {
    const were = new Set(now.unused).size === 1 ? "was" : "were";
    notes.push(`Only the first ${most} tokens are used; ${list(now.unused)} ${were} left out.`);
  }
  const strangers = now.tokens.filter((token) => !knows(token));
  const isNowhere = (token) => vectorOf(token).every((x) => x === 0);
  const [placed, nowhere] = [strangers.filter((token) => !isNowhere(token)), strangers.filter(isNowhere)];
  if (head !== "previous" && !now.edited) {
    if (placed.length) notes.push(`Hardly or never in the novel, so placed by letters shared with its words: ${list(placed)}.`);
    if (nowhere.length) notes.push(`No three letters in a row stand in a word of the novel, so the vector is 0: ${list(nowhere)}.`);
  }
  if (now.edited) notes.push("Q or K was edited, so the head is set aside.");
  return notes.join(" ");
}

/** Which keys get the query's largest weight, beside the weight of the key in sight. */
function largestOf({ tokens, weights, row, column }) {
  const line = weights[row];
  const best = placesOfLargest(line);
  const others = best.filter((j) => j !== column);
  const [first, more] = [others[0], plural(others.length - 1, "more key")];
  const names = others.length ? `${quotedShort(tokens[first])} (column ${first})${others.length > 1 ? ` and ${more}` : ""}` : "";
  if (others.length < best.length) return names ? `, as much as ${names}; no key gets more` : ", the most of all keys";
  return `, and most to ${names}: ${fixed(line[best[0]])}${others.length > 1 ? " each" : ""}`;
}

function sentenceOn(now, state, labels) {
  const line = now.weights[now.row];
  const head = now.edited ? "edited Q and K" : labels[state.head];
  const [query, key] = [now.row, now.column].map((at) => quotedShort(now.tokens[at]));
  const masked = now.masked[now.row][now.column] === -Infinity;
  return (
    `${query} (row ${now.row}) gives ${key} (column ${now.column}) the weight ${fixed(line[now.column])}` +
    `${masked ? ", since it is masked" : ""}${largestOf(now)}. ${plural(now.tokens.length, "token")}, ${head}, ${now.Q[0].length} dimensions, scores ` +
    `divided by ${fixed(now.divisor)}, ${state.causal ? "causal mask" : "no mask"}. ${spreadOf(now)}.`
  );
}

/** The query's weights of the keys that it may see. */
const allowed = ({ weights, masked, row }) => weights[row].filter((_, j) => masked[row][j] !== -Infinity);

/** The weights that are as large as the largest, in the two digits that are shown. */
const sharers = (row) => row.filter((weight) => Math.max(...row) - weight < 0.005);

const TASKS = [
  ["make the entropy 0, with a choice of keys?", (now) => allowed(now).length > 1 && entropy(now.weights[now.row]) < 0.005],
  ["let a query look one back, with 90 % of its weight?", ({ weights, row }) => row > 0 && weights[row][row - 1] >= 0.9],
  ["share the weight equally among three keys or more?", (now) => sharers(allowed(now)).length > 2 && sharers(allowed(now)).reduce((a, b) => a + b) > 0.98],
];

async function build(stage) {
  const words = dictionary(await weights(stage.model, "word_vectors"));
  const most = stage.bounds.row.high + 1;
  let now = { tokens: [], unused: [] };
  const anew = (changes) => ({ ...changes, Q: [], K: [] });
  const sentence = textbox(stage, { name: "sentence", label: "Sentence", change: (text) => anew({ sentence: text }) });
  const note = html("p", { class: "xp-note xp-strangers" });
  const [query, key] = [picker(stage, { name: "row", label: "Query" }), picker(stage, { name: "column", label: "Key" })];
  const controls = html(
    "div",
    { class: "xp-controls xp-inline" },
    choice(stage, { name: "head", label: "Head", change: (head) => anew({ head }) }),
    choice(stage, { name: "view", label: "Weights as" }),
    slider(stage, { name: "temperature", label: ["Temperature"], step: 0.05, show: (t) => fixed(t) }),
    html("div", { class: "xp-pair" },
      toggle(stage, { name: "scaled", label: ["divide by ", root("d", "k")] }),
      toggle(stage, { name: "causal", label: ["causal mask"] })),
  );
  const ink = inks(stage.root);
  const choose = (row, column) => {
    if (row !== stage.get("row") || column !== stage.get("column")) stage.set({ row, column });
  };
  const views = {
    heatmap: heatmap(stage, most, ink, choose, { high: 322, alone: 556 }),
    arcs: arcs(stage, most, ink, (row) => row !== stage.get("row") && stage.set({ row }), OVER),
  };
  const readout = html("p", { class: "xp-legend" });
  const [steps, numbers] = [stepsTable(most), editor(stage, () => now)];
  const [paintSteps, paintNumbers] = [afterwards(steps.table, steps.paint), afterwards(numbers.box, numbers.paint)];
  const [paintQuery, paintKey] = [query, key].map(({ node, paint }) => afterwards(node, paint));
  const picks = html("div", { class: "xp-pair xp-picks" }, query.node, key.node);
  const map = html("div", { class: "xp-left" }, ...Object.values(views).map(({ node }) => node), readout);
  const details = html("div", { class: "xp-right xp-stack xp-one-query" }, picks, steps.node, numbers.box);
  numbers.box.addEventListener("toggle", () => details.classList.toggle("xp-unfolded", numbers.box.open));
  const tasks = goals(TASKS);
  stage.root.classList.add("xp-sided", "xp-topped", "xp-tasks-left");
  stage.root.append(html("div", { class: "xp-above xp-inline" }, sentence, note, controls), map, details, tasks.node);
  return (state) => {
    now = compute(state, most, words);
    put(note, notesOn(now, state, most, words));
    for (const part of [map, details]) part.hidden = now.tokens.length === 0;
    if (now.tokens.length === 0) return "No tokens yet.";
    for (const [name, { node }] of Object.entries(views)) node.hidden = name !== state.view;
    stage.root.classList.toggle("xp-arched", state.view === "arcs");
    views[state.view].paint(now);
    paintSteps(now);
    paintNumbers(now);
    paintQuery(now, now.row);
    paintKey(now, now.column);
    const pair = `${quotedShort(now.tokens[now.row])} → ${quotedShort(now.tokens[now.column])}`;
    put(readout, `${pair}: ${fixed(now.weights[now.row][now.column], 3)}`);
    return sentenceOn(now, state, stage.bounds.head.labels) + tasks.paint(now);
  };
}

export default explorable("Scaled dot-product attention", names, build);
