import { choice, clamp, explorable, fixed, html, indexed, ramp, set, slider, textbox, toggle } from "./kit.js";
import { attentionSteps, entropy, headVectors, range, tokenize, wordVector } from "./formulas.js";

const MOST = 16; // tokens
const HEADS = { similar: "similar words", previous: "previous token", both: "both" };
const names = ["sentence", "head", "scaled", "causal", "temperature", "row", "Q", "K", "vectors"];
const quoted = (token) => `“${token}”`;
const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** Look words up once: a word outside the vocabulary is compared with all of it. */
function dictionary() {
  const found = new Map();
  return (token, vectors) => {
    if (!found.has(token)) found.set(token, wordVector(token, vectors));
    return found.get(token);
  };
}

/** From the state to the tokens, Q and K, and every step to the weights. */
function compute(state, lookup) {
  const typed = tokenize(state.sentence);
  const tokens = typed.slice(0, MOST);
  if (tokens.length === 0) return { tokens, unused: [] };
  const derived = headVectors(state.head, tokens.map((token) => lookup(token, state.vectors)));
  const own = (matrix) => matrix.length === tokens.length;
  const given = { Q: own(state.Q) ? state.Q : derived.Q, K: own(state.K) ? state.K : derived.K };
  const { Q, K } = given.Q[0].length === given.K[0].length ? given : derived;
  const row = Math.min(state.row, tokens.length - 1);
  const edited = Q === state.Q || K === state.K;
  const divisor = state.temperature * (state.scaled ? Math.sqrt(Q[0].length) : 1);
  return { tokens, unused: typed.slice(MOST), Q, K, row, edited, divisor, ...attentionSteps(Q, K, state) };
}

/** Write only what changed: a browser lays out anew what is written, the same or not. */
const put = (node, text) => node.textContent !== text && (node.textContent = text);
const show = (nodes, count) => nodes.forEach((node, i) => node.hidden !== i >= count && (node.hidden = i >= count));

// ---- the heatmap: a row for each query, a column for each key ----

function heatmap(stage, colours) {
  const choose = (row) => row !== stage.get("row") && stage.set({ row });
  const chosen = (i) => ({ type: "button", onfocus: () => choose(i), onclick: () => choose(i) });
  const heads = range(MOST).map((i) => html("button", chosen(i)));
  const cells = range(MOST).map(() => range(MOST).map(() => html("td")));
  const pick = (i) => ({ onpointerenter: () => choose(i), onpointerdown: () => choose(i) });
  const rows = heads.map((head, i) => html("tr", pick(i), html("th", { scope: "row" }, head), ...cells[i]));
  const columns = range(MOST).map(() => html("th", { scope: "col" }, html("span")));
  const axes = [html("span", { class: "xp-query" }, "query ↓"), html("span", { class: "xp-key" }, "key →")];
  const corner = html("td", {}, ...axes);
  let [count, shownRow] = [0, 0];
  const onkeydown = (event) => {
    const steps = { ArrowUp: -1, ArrowDown: 1, Home: -MOST, End: MOST };
    if (!(event.key in steps)) return;
    event.preventDefault();
    heads[clamp(shownRow + steps[event.key], 0, count - 1)].focus();
  };
  const head = html("thead", {}, html("tr", { class: "xp-columns" }, corner, ...columns));
  const label = { class: "xp-heat", "aria-label": "Attention weights, a row for each query" };
  const table = html("table", label, head, html("tbody", { onkeydown }, ...rows));
  const paintCell = (cell, weight, masked) => {
    cell.className = masked ? "xp-masked" : "";
    cell.style.backgroundColor = masked ? "" : `rgb(${colours()[Math.round(255 * weight)]})`;
    cell.ariaLabel = masked ? "masked" : fixed(weight);
  };
  const paint = ({ tokens, row, weights, masked }) => {
    [count, shownRow] = [tokens.length, row];
    for (const line of [rows, columns, ...cells]) show(line, count);
    weights.forEach((line, i) => {
      put(heads[i], tokens[i]);
      put(columns[i].firstChild, tokens[i]);
      heads[i].tabIndex = i === row ? 0 : -1;
      set(heads[i], { "aria-pressed": i === row });
      rows[i].classList.toggle("xp-chosen", i === row);
      line.forEach((weight, j) => paintCell(cells[i][j], weight, masked[i][j] === -Infinity));
    });
  };
  return { table, paint };
}

// ---- one query in full: a line for each key, a column for each step ----

function keyLine() {
  const [token, bar, weight] = [html("th", { scope: "row" }), html("i"), html("b")];
  const numbers = range(3).map(() => html("td"));
  const last = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), weight));
  return { row: html("tr", {}, token, ...numbers, last), token, numbers, bar, weight };
}

function details() {
  const query = html("strong", { class: "xp-query" });
  const title = html("p", { class: "xp-title" }, "Query ", query);
  const steps = ["key", "q · k", "", "masked", "weight"].map((step) => html("th", { scope: "col" }, step));
  const lines = range(MOST).map(keyLine);
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const table = html("table", { class: "xp-steps" }, html("thead", {}, html("tr", {}, ...steps)), body);
  const spread = html("p", { class: "xp-spread" });
  const paint = (now) => {
    const i = now.row;
    put(query, `${quoted(now.tokens[i])}, row ${i}`);
    put(steps[2], `÷ ${fixed(now.divisor)}`);
    show(lines.map(({ row }) => row), now.tokens.length);
    now.tokens.forEach((token, j) => {
      put(lines[j].token, token);
      [now.raw, now.divided, now.masked].forEach((S, step) => put(lines[j].numbers[step], fixed(S[i][j])));
      lines[j].bar.style.width = `${(100 * now.weights[i][j]).toFixed(1)}%`;
      put(lines[j].weight, fixed(now.weights[i][j]));
    });
    put(spread, spreadOf(now));
  };
  return { nodes: [title, table, spread], paint };
}

/** The entropy of the chosen row, and what part it is of the most that its keys allow. */
function spreadOf({ weights, masked, row }) {
  const bits = entropy(weights[row]);
  const allowed = masked[row].filter((s) => s !== -Infinity).length;
  const most = Math.log2(allowed);
  const part = most ? ` (${fixed((100 * bits) / most, 0)} %)` : "";
  return `Entropy ${fixed(bits)} of at most log₂ ${allowed} = ${fixed(most)} bits${part}`;
}

// ---- Q and K as numbers to edit ----

/** One matrix as a table of inputs, which grows as far as it must and hides what it does not need. */
function matrixTable(name, kind, edit) {
  const body = html("tbody");
  const rows = [];
  const addRow = () => {
    const row = { head: html("th", { scope: "row" }), cells: [], inputs: [], values: [] };
    row.node = body.appendChild(html("tr", {}, row.head));
    rows.push(row);
  };
  const addCell = (row, i) => {
    const j = row.cells.length;
    const oninput = () => Number.isFinite(row.inputs[j].valueAsNumber) && edit(name, i, j, row.inputs[j].valueAsNumber);
    const label = `${name}, row ${i}, dimension ${j}`;
    row.inputs.push(html("input", { type: "number", step: 0.1, "aria-label": label, oninput }));
    row.cells.push(row.node.appendChild(html("td", {}, row.inputs[j])));
  };
  const paint = (tokens, matrix) => {
    while (rows.length < matrix.length) addRow();
    show(rows.map(({ node }) => node), matrix.length);
    matrix.forEach((numbers, i) => {
      put(rows[i].head, tokens[i]);
      while (rows[i].cells.length < numbers.length) addCell(rows[i], i);
      show(rows[i].cells, numbers.length);
      numbers.forEach((x, j) => {
        if (rows[i].values[j] === x) return;
        rows[i].values[j] = x;
        if (rows[i].inputs[j].valueAsNumber !== x) rows[i].inputs[j].value = Number(x.toFixed(2));
      });
    });
  };
  const table = html("table", {}, html("caption", { class: kind }, name), body);
  return { node: html("div", { class: "xp-scroll" }, table), paint };
}

function matrices(stage, current) {
  const edit = (name, i, j, x) => {
    const matrix = current()[name].map((row) => [...row]);
    matrix[i][j] = x;
    stage.set({ [name]: matrix });
  };
  const tables = { Q: matrixTable("Q", "xp-query", edit), K: matrixTable("K", "xp-key", edit) };
  const holder = html("div", { class: "xp-matrices" }, tables.Q.node, tables.K.node);
  const onclick = () => stage.set({ Q: [], K: [] });
  const reset = html("button", { type: "button", onclick }, "Back to the head’s own vectors");
  const box = html("details", {}, html("summary", {}, "Edit Q and K"), holder, reset);
  const fill = () => {
    const now = current();
    if (box.open && now.tokens.length > 0) for (const name of ["Q", "K"]) tables[name].paint(now.tokens, now[name]);
  };
  box.addEventListener("toggle", fill);
  let timer;
  const paint = (now) => {
    reset.disabled = !now.edited;
    clearTimeout(timer);
    timer = setTimeout(fill, 100); // hundreds of inputs: they wait for a pause in typing
  };
  return { box, paint };
}

/** What to know of the sentence: tokens left out, words without a vector of their own, edited numbers. */
function notesOn(now, { vectors, head }) {
  const notes = [];
  if (now.tokens.length === 0) notes.push("Type a word or two.");
  if (now.unused.length) {
    const were = now.unused.length === 1 ? "was" : "were";
    notes.push(`Only the first ${MOST} tokens are used; ${now.unused.map(quoted).join(" ")} ${were} left out.`);
  }
  const strangers = now.tokens.filter((token) => !Object.hasOwn(vectors, token.toLowerCase()));
  if (strangers.length && head !== "previous" && !now.edited) {
    const words = [...new Set(strangers)].map(quoted).join(" ");
    notes.push(`Not in the vocabulary, so placed by letters shared with known words: ${words}.`);
  }
  if (now.edited) notes.push("Q or K was edited, so the head is set aside.");
  return notes.join(" ");
}

function build(stage) {
  const lookup = dictionary();
  let now = { tokens: [], unused: [] };
  const anew = (changes) => ({ ...changes, Q: [], K: [] });
  const sentence = textbox(stage, { name: "sentence", label: "Sentence", change: (text) => anew({ sentence: text }) });
  const controls = html(
    "div",
    { class: "xp-controls" },
    choice(stage, { name: "head", label: "Head", options: HEADS, change: (head) => anew({ head }) }),
    slider(stage, { name: "temperature", label: ["Temperature"], min: 0.1, max: 4, step: 0.05, show: (t) => fixed(t) }),
    toggle(stage, { name: "scaled", label: ["divide by √", ...indexed("d", "k")] }),
    toggle(stage, { name: "causal", label: ["causal mask"] }),
  );
  const note = html("p", { class: "xp-note" });
  const [map, steps] = [heatmap(stage, ramp(stage.root, "sequential")), details()];
  const numbers = matrices(stage, () => now);
  const legend = html("p", { class: "xp-legend" }, "weight 0", html("span", { class: "xp-ramp" }), "1");
  const grid = html("div", { class: "xp-grid" }, html("div", {}, map.table, legend), html("div", {}, ...steps.nodes));
  stage.root.append(sentence, note, controls, grid, numbers.box);
  return (state) => {
    now = compute(state, lookup);
    note.textContent = notesOn(now, state);
    grid.hidden = numbers.box.hidden = now.tokens.length === 0;
    if (now.tokens.length === 0) return "No tokens yet.";
    for (const part of [map, steps, numbers]) part.paint(now);
    const weights = now.weights[now.row];
    const best = weights.indexOf(Math.max(...weights));
    const d = now.Q[0].length;
    const head = now.edited ? "edited Q and K" : `head: ${HEADS[state.head]}`;
    return (
      `${plural(now.tokens.length, "token")}, ${head}, d_k = ${d}, scores divided by ${fixed(now.divisor)}, ` +
      `${state.causal ? "causal mask" : "no mask"}. ${quoted(now.tokens[now.row])} attends most to ` +
      `${quoted(now.tokens[best])} (position ${best}), with weight ${fixed(weights[best])}. ${spreadOf(now)}.`
    );
  };
}

export default explorable("Scaled dot-product attention", names, build);
