import { choice, explorable, fixed, html, ramp, set, slider, textbox, toggle } from "./kit.js";
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
  const Q = own(state.Q) ? state.Q : derived.Q;
  const K = own(state.K) ? state.K : derived.K;
  const row = Math.min(state.row, tokens.length - 1);
  const edited = own(state.Q) || own(state.K);
  return { tokens, unused: typed.slice(MOST), Q, K, row, edited, ...attentionSteps(Q, K, state) };
}

/** Rebuild a node's children only when what they depend on has changed. */
function rebuilt(node, make) {
  let made;
  return (key) => {
    if (key === made) return;
    made = key;
    node.replaceChildren(...make());
  };
}

// ---- the heatmap: a row for each query, a column for each key ----

function heatmap(stage, colours) {
  const table = html("table", { class: "xp-heat", "aria-label": "Attention weights, a row for each query" });
  let [tokens, cells, heads, shownRow] = [[], [], [], 0];
  const choose = (row) => row !== stage.get("row") && stage.set({ row });
  const keys = (event) => {
    const steps = { ArrowUp: -1, ArrowDown: 1, Home: -MOST, End: MOST };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const row = Math.min(Math.max(shownRow + steps[event.key], 0), tokens.length - 1);
    choose(row);
    heads[row].focus();
  };
  const rowOf = (token, i) => {
    heads[i] = html("button", { type: "button", onfocus: () => choose(i), onclick: () => choose(i) }, token);
    cells[i] = tokens.map(() => html("td"));
    const pick = { onpointerenter: () => choose(i), onpointerdown: () => choose(i) };
    return html("tr", pick, html("th", { scope: "row" }, heads[i]), ...cells[i]);
  };
  const rebuild = rebuilt(table, () => {
    [cells, heads] = [[], []];
    const columns = tokens.map((token) => html("th", { scope: "col" }, html("span", {}, token)));
    const corner = html("td", {}, html("span", { class: "xp-query" }, "query ↓"), html("span", { class: "xp-key" }, "key →"));
    const body = html("tbody", { onkeydown: keys }, ...tokens.map(rowOf));
    return [html("thead", {}, html("tr", { class: "xp-columns" }, corner, ...columns)), body];
  });
  return {
    table,
    paint: (now) => {
      tokens = now.tokens;
      rebuild(tokens.join(" "));
      shownRow = now.row;
      now.weights.forEach((weights, i) => {
        heads[i].tabIndex = i === now.row ? 0 : -1;
        set(heads[i], { "aria-pressed": i === now.row });
        heads[i].closest("tr").classList.toggle("xp-chosen", i === now.row);
        weights.forEach((weight, j) => {
          const masked = now.masked[i][j] === -Infinity;
          cells[i][j].className = masked ? "xp-masked" : "";
          cells[i][j].style.backgroundColor = masked ? "" : `rgb(${colours[Math.round(255 * weight)]})`;
          cells[i][j].textContent = masked ? "masked" : fixed(weight);
        });
      });
    },
  };
}

// ---- one query in full: a line for each key, a column for each step ----

function details() {
  const body = html("tbody");
  const title = html("p", { class: "xp-title" });
  const steps = ["key", "q · k", "scaled", "masked", "weight"].map((step) => html("th", { scope: "col" }, step));
  const table = html("table", { class: "xp-steps" }, html("thead", {}, html("tr", {}, ...steps)), body);
  const spread = html("p", { class: "xp-spread" });
  let [lines, tokens] = [[], []];
  const rebuild = rebuilt(body, () => {
    lines = tokens.map((token) => {
      const numbers = range(3).map(() => html("td"));
      const [bar, weight] = [html("i"), html("b")];
      const last = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), weight));
      const row = html("tr", {}, html("th", { scope: "row" }, token), ...numbers, last);
      return { row, numbers, bar, weight };
    });
    return lines.map(({ row }) => row);
  });
  return {
    nodes: [title, table, spread],
    paint: (now) => {
      tokens = now.tokens;
      rebuild(tokens.join(" "));
      const i = now.row;
      title.replaceChildren("Query ", html("strong", { class: "xp-query" }, quoted(tokens[i])), `, row ${i}`);
      lines.forEach(({ numbers, bar, weight }, j) => {
        [now.raw, now.divided, now.masked].forEach((S, step) => (numbers[step].textContent = fixed(S[i][j])));
        bar.style.width = `${(100 * now.weights[i][j]).toFixed(1)}%`;
        weight.textContent = fixed(now.weights[i][j]);
      });
      spread.textContent = spreadOf(now);
    },
  };
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

function matrices(stage, current) {
  const inputs = { Q: [], K: [] };
  const holder = html("div", { class: "xp-matrices" });
  const change = (name, i, j, input) => {
    if (!Number.isFinite(input.valueAsNumber)) return;
    const matrix = current()[name].map((row) => [...row]);
    matrix[i][j] = input.valueAsNumber;
    stage.set({ [name]: matrix });
  };
  const cell = (name, token, i, j) => {
    const input = html("input", { type: "number", step: 0.1, "aria-label": `${name}, ${token}, dimension ${j}` });
    input.addEventListener("input", () => change(name, i, j, input));
    inputs[name][i][j] = input;
    return html("td", {}, input);
  };
  const table = (name) => {
    const rows = current().tokens.map((token, i) => {
      inputs[name][i] = [];
      return html("tr", {}, html("th", { scope: "row" }, token), ...current()[name][i].map((_, j) => cell(name, token, i, j)));
    });
    const caption = html("caption", { class: name === "Q" ? "xp-query" : "xp-key" }, name);
    return html("div", { class: "xp-scroll" }, html("table", {}, caption, html("tbody", {}, ...rows)));
  };
  const rebuild = rebuilt(holder, () => [table("Q"), table("K")]);
  const reset = html("button", { type: "button", onclick: () => stage.set({ Q: [], K: [] }) }, "Back to the head’s own vectors");
  const box = html("details", {}, html("summary", {}, "Edit Q and K"), holder, reset);
  const paint = (now) => {
    reset.disabled = !now.edited;
    if (!box.open || now.tokens.length === 0) return;
    rebuild(`${now.tokens.join(" ")}|${now.Q[0].length}`);
    for (const name of ["Q", "K"]) {
      now[name].forEach((row, i) =>
        row.forEach((x, j) => {
          const input = inputs[name][i][j];
          if (input.ownerDocument.activeElement !== input || input.valueAsNumber !== x) input.value = Number(x.toFixed(3));
        }),
      );
    }
  };
  box.addEventListener("toggle", () => paint(current()));
  return { box, paint };
}

/** What the reader should know of the sentence: tokens left out, words without a vector of their own, edited numbers. */
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
    slider(stage, { name: "temperature", label: "Temperature", min: 0.1, max: 4, step: 0.05, show: (t) => fixed(t) }),
    toggle(stage, { name: "scaled", label: "divide by √d_k" }),
    toggle(stage, { name: "causal", label: "causal mask" }),
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
    return (
      `${plural(now.tokens.length, "token")}, d_k = ${d}. ${quoted(now.tokens[now.row])} attends most to ` +
      `${quoted(now.tokens[best])} (position ${best}), with weight ${fixed(weights[best])}. ${spreadOf(now)}.`
    );
  };
}

export default explorable("Scaled dot-product attention", names, build);
