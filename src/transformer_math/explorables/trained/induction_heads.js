import { explorable, fixed, html, inks, memo, put, set, textbox, unpackFlat, weights } from "../kit.js";
import { quotedShort, short } from "../attention/short.js";
import { lines } from "../embedding/lines.js";
import { goals } from "../goals.js";
import { readAllByAttention, readAttentionOnly } from "../model/formulas.js";
import { headGrid, headSwitch } from "../model/heads.js";
import { strip } from "../model/strip.js";
import { range } from "../numbers.js";
import { buttonRow, candidates, percent } from "../output/candidates.js";
import { probabilities, ranked } from "../output/formulas.js";
import { afterwards } from "../afterwards.js";
import { copies, prefixMatchingScore, previousTokenScore } from "./formulas.js";

const names = ["text", "row", "layer", "head", "off"];
const SHOWN = 3; // words that may come next, and a line for all that are not there
const [STRIDE, FIRST] = [7, 3]; // word k of the text is token 7 k + 3, round the vocabulary
const headName = (layer, head) => `self.${layer}.${head}`;
const score = (x) => (Number.isNaN(x) ? "none" : fixed(x));

/** The words of a text, as many as there is room for, and a token for each: equal words have one. */
function tokensOf(text, most, size) {
  const words = text.split(" ").filter(Boolean);
  const distinct = [...new Set(words.slice(0, most))];
  const token = new Map(distinct.map((word, k) => [word, (STRIDE * k + FIRST) % size]));
  const name = new Map([...token].map(([word, id]) => [id, word]));
  const labels = words.slice(0, most);
  return { labels, ids: labels.map((word) => token.get(word)), over: words.length - labels.length, name };
}

/** All that is shown of a text: what was expected, how well each word was foretold, where the heads look. */
function readingOf(model, ids, off) {
  const read = readAllByAttention(model, ids, off);
  const expected = read.map(({ logits }) => probabilities(logits));
  const foretold = ids.map((id, i) => (i ? expected[i - 1][id] : NaN));
  const known = copies(ids);
  const cost = known.reduce((sum, i) => sum - Math.log(foretold[i]), 0) / known.length;
  const weights = model.layers.map((_, l) => range(model.nHeads).map((h) => read.map(({ attention }) => attention[l][h])));
  const scores = weights.map((layer) => layer.map((A) => [previousTokenScore(A), prefixMatchingScore(A, ids)]));
  return { expected, foretold, known, cost, weights, scores };
}

/** The words as a text; a bar under each says how probable the model thought it before it came. */
function foretoldStrip(most, ink, choose) {
  const { node, paint } = strip(most, "Choose a word", ink, choose);
  node.classList.add("xp-foretold");
  const bars = [...node.children].map((word) => word.appendChild(html("b", { "aria-hidden": "true" })));
  const tell = (labels, foretold) =>
    labels.forEach((label, i) => {
      bars[i].style.transform = `scaleX(${(foretold[i] || 0).toFixed(3)})`;
      set(node.children[i], { title: i ? `${label}: foretold with ${percent(foretold[i])}` : `${label}: nothing foretells the first word` });
    });
  return { node, paint: (shown, foretold) => (paint(shown), tell(shown.labels, foretold)) };
}

/** The likeliest words of the text, and, under the number of no token, all others together. */
function candidatesOf(p, name) {
  const known = [...ranked(p)].filter((id) => name.has(id));
  const others = known.reduce((rest, id) => rest - p[id], 1);
  const [drawn, other] = [[...p, Math.max(0, others)], p.length];
  const order = [...known.slice(0, SHOWN), other];
  return { drawn, order, other, best: order.reduce((a, b) => (drawn[b] > drawn[a] ? b : a)) };
}

/** Whether the likeliest word after the one in sight is one that came after it before. */
const copiesHere = (p, { row, ids, name }) => range(row).some((j) => ids[j] === ids[row] && ids[j + 1] === candidatesOf(p, name).best);

/** With one head off, copying costs more than guessing, and after the word in sight, where the whole model copies, this one does not. */
function stopsCopying(now) {
  const { known, cost, off, expected, row, whole } = now;
  const worse = off.length === 1 && known.length >= 4 && cost > Math.log(expected[0].length);
  return worse && !copiesHere(expected[row], now) && copiesHere(whole()[row], now);
}

const looksBack = ({ scores, expected, layer, head }) => expected.length > 3 && scores[layer][head][0] > 0.5;
const TASKS = [
  ["find the head that looks one back?", (now) => looksBack(now)],
  ["make it 90 % sure of the next word?", ({ expected, off }) => off.length === 0 && Math.max(...expected.at(-1)) >= 0.9],
  ["with one head off, stop the copying in sight?", stopsCopying],
];

function sentenceOn(now, { name, labels }, state) {
  const { drawn, best, other } = candidatesOf(now.expected[now.row], name);
  const line = now.weights[state.layer][state.head][now.row];
  const to = line.indexOf(Math.max(...line));
  const next = best === other ? "a word that is not there yet" : quotedShort(name.get(best));
  const cost = now.known.length ? ` Words that could be copied cost ${fixed(now.cost)} nats on average; blind guessing costs ${fixed(Math.log(other))}.` : "";
  return (
    `After ${quotedShort(labels[now.row])} (position ${now.row}) the model expects ${next}, ${percent(drawn[best])}. ` +
    `Layer ${state.layer + 1}, head ${state.head}${state.off.includes(headName(state.layer, state.head)) ? " (off)" : ""} looks most at ${to === now.row ? "the word itself" : `${quotedShort(labels[to])} (position ${to})`}, ${fixed(line[to])}.${cost}`
  );
}

function noteOn({ labels, over }, most) {
  if (labels.length === 0) return "Type a word or two, with spaces between.";
  if (over > 0) return `Only the first ${most} words are read.`;
  return "Colour: how much the word in sight looks at it. Bar: how well it was foretold.";
}

async function build(stage) {
  const tensors = await weights(stage.model, "induction_heads", unpackFlat);
  const model = readAttentionOnly(tensors, JSON.parse(tensors.config).n_heads);
  const [most, size] = [stage.bounds.row.high + 1, model.E.shape[0]];
  const ink = inks(stage.root);
  const reading = memo((ids, off) => readingOf(model, ids, off));
  const whole = memo((ids) => readingOf(model, ids, []).expected);
  const say = (text) => stage.set({ text, row: most - 1 });
  let block = stage.get("text");
  const text = textbox(stage, { name: "text", label: "Words, each a name for a token", change: (typed) => ({ text: (block = typed), row: most - 1 }) });
  const buttons = buttonRow(["Say it again", () => say(`${stage.get("text").trim()} ${block.trim()}`.trim())], ["Say it once", () => say(block)]);
  const note = html("p", { class: "xp-note" });
  const words = foretoldStrip(most, ink, (row) => row !== stage.get("row") && stage.set({ row }));
  const [layers, heads] = [stage.bounds.layer.high + 1, stage.bounds.head.high + 1];
  const all = range(layers).flatMap((l) => range(heads).map((h) => [l, h]));
  const grid = headGrid(layers, heads, ink, (layer, head) => stage.set({ layer, head }));
  const offSwitch = headSwitch(stage, () => headName(stage.get("layer"), stage.get("head")));
  const table = lines("What each head looks for", all.map(([l, h]) => `layer ${l + 1}, head ${h}`), ["the word before", "after its copy"]);
  let now = tokensOf("", most, size);
  const fresh = () => range(most + 1).map((k) => `new-${now.name.size + 1 + k}`).find((word) => !now.labels.includes(word));
  const next = candidates(SHOWN + 1, (id) => say([...now.labels.slice(0, stage.get("row") + 1), now.name.get(id) ?? fresh()].join(" ")));
  const [paintTable, paintNext] = [table, next].map(({ node, paint }) => afterwards(node, paint));
  const tasks = goals(TASKS);
  const left = html("div", { class: "xp-stack" }, html("div", { class: "xp-copiers" }, grid.node, offSwitch.node), table.node);
  const below = html("div", { class: "xp-grid" }, left, html("div", { class: "xp-stack" }, next.node, tasks.node));
  stage.root.append(html("div", { class: "xp-typed" }, text, buttons), note, words.node, below);

  return (state) => {
    now = tokensOf(state.text, most, size);
    const n = now.labels.length;
    put(note, noteOn(now, most));
    for (const part of [words.node, below]) part.hidden = n === 0;
    if (n === 0) return "No words yet.";
    const read = { ...now, ...reading(now.ids, state.off), ...state, whole: () => whole(now.ids), row: Math.min(state.row, n - 1) };
    const line = read.weights[state.layer][state.head][read.row];
    words.paint({ labels: now.labels.map((label) => short(label)), row: read.row, weight: (i) => line[i] }, read.foretold);
    offSwitch.paint(state);
    grid.paint({ ...state, off: (l, h) => state.off.includes(headName(l, h)), version: `${now.ids}|${state.off}`, rows: n, columns: n, weight: (l, h, i, j) => read.weights[l][h][i][j] });
    paintTable(all.map(([l, h]) => read.scores[l][h].map(score)));
    const { drawn, order } = candidatesOf(read.expected[read.row], now.name);
    const label = (id) => short(now.name.get(id) ?? "another word");
    paintNext({ title: `What comes after ${quotedShort(now.labels[read.row])}?`, tokens: order, drawn, label });
    return sentenceOn(read, now, state) + tasks.paint(read);
  };
}

export default explorable("Two layers that copy, on your words", names, build);
