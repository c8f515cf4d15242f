import { choice, explorable, fixed, html, inks, newId, put, textbox, unpackInSlices, weights } from "../kit.js";
import { quotedShort } from "../attention/short.js";
import { lines } from "../embedding/lines.js";
import { goalsBeside } from "../goals.js";
import { drawSmall, headSwitch } from "../model/heads.js";
import { bare, openLanguageModel, readings, tokenLabel } from "../model/reader.js";
import { strip } from "../model/strip.js";
import { range } from "../numbers.js";
import { candidates, percent } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";
import { decodeText } from "../tokenization/formulas.js";
import { ownTokenScore, previousTokenScore } from "./formulas.js";

const names = ["text", "order", "row", "layer", "head", "off", "measured"];
const MEASURES = { before: "the token before", itself: "the token itself", matching: "after its copy" };
const COLUMNS = { ...Object.fromEntries(Object.keys(MEASURES).map((name, k) => [name, k])), cost: 3 }; // of `measured`
const ERROR = 4;
const SHOWN = 3; // candidates
const headName = (layer, head) => `self.${layer}.${head}`;
const score = (x) => (Number.isNaN(x) ? "none" : fixed(x));

/** The numbers of the heads, 0 … n − 1, those first that were measured to do most of what the sheet is ordered by. */
function sorted(measured, order) {
  const column = COLUMNS[order];
  return column === undefined ? range(measured.length) : range(measured.length).sort((a, b) => measured[b][column] - measured[a][column] || a - b);
}

/** Which head comes first; nothing where they stand as in the model. */
function firstBy(order, said, measured, heads) {
  if (order === "layer") return "";
  const [first] = sorted(measured, order);
  return `First by “${said}” is layer ${Math.floor(first / heads) + 1}, head ${first % heads}. `;
}

/** A picture for each head, a radio button, with what the heads are ordered by below it. */
function sheet(layers, heads, ink, choose) {
  const group = newId();
  const cells = range(layers * heads).map((k) => {
    const [layer, head] = [Math.floor(k / heads), k % heads];
    const input = html("input", { type: "radio", name: group, onchange: () => choose(layer, head) });
    const [canvas, name, value] = [html("canvas", { class: "xp-map", "aria-hidden": "true" }), html("span", { class: "xp-hidden" }), html("span", { "aria-hidden": "true" })];
    const picture = html("label", { class: "xp-head" }, input, canvas, name);
    return { layer, head, input, canvas, name, value, picture, node: html("div", {}, picture, value) };
  });
  const room = html("div", {});
  const node = html("fieldset", { class: "xp-sheet" }, html("legend", {}, "Heads: layer, number"), room);
  let [drawn, laid] = [undefined, ""];
  const paint = ({ order, layer, head, off, measured, version, n, weight }) => {
    const places = sorted(measured, order);
    if (laid !== (laid = places.join())) room.replaceChildren(...places.map((k) => cells[k].node)); // the order of the keyboard, too
    cells.forEach(({ layer: l, head: h, input, canvas, name, value, picture }, k) => {
      const isOff = off.includes(headName(l, h));
      input.checked = l === layer && h === head;
      picture.classList.toggle("xp-off", isOff);
      const amount = order === "layer" ? "" : fixed(measured[k][COLUMNS[order]], order === "cost" ? 3 : 2);
      put(value, `${l + 1}, ${h}${amount && `: ${amount}`}`);
      put(name, `Layer ${l + 1}, head ${h}${isOff ? ", off" : ""}${amount && `: ${amount}`}`);
      if (version !== undefined && version !== drawn) drawSmall(canvas, n, n, (i, j) => weight(l, h, i, j), ink(1));
    });
    drawn = version ?? drawn;
  };
  return { node, paint };
}

const isLargest = (measured, k, column) => measured.every((one) => one[column] <= measured[k][column]);
const TASKS = [
  ["find the head that is missed most?", ({ measured, k }) => isLargest(measured, k, COLUMNS.cost)],
  ["find one that mostly looks one back here?", ({ A, before }) => A.length > 3 && before > 0.5],
  ["change the likeliest word, one head off?", ({ off, best, whole }) => off.length === 1 && whole !== undefined && best !== whole],
];

function noteOn(ids, over, left, off, most) {
  if (ids.length === 0) return "Type a word or two.";
  if (left > 0) return `Reading: ${left} to go …`;
  if (over > 0) return `Only the first ${most} tokens are read.`;
  return off.length ? `${off.length === 1 ? "One head is" : `${off.length} heads are`} off; “untouched” is the whole model.` : "Rows look, columns are looked at.";
}

async function build(stage) {
  const language = openLanguageModel(await weights(stage.model, "language_model", unpackInSlices));
  const count = (name) => stage.bounds[name].high + 1;
  const [most, heads] = [count("row"), count("head")];
  const ink = inks(stage.root);
  const reading = readings(language.model, () => stage.repaint());
  const text = textbox(stage, { name: "text", label: "Text", read: bare, change: (typed) => ({ text: typed, row: most - 1 }) });
  const sorts = document.createDocumentFragment();
  sorts.append("Sort the heads by ", html("small", {}, "(all but “layer”: on held-out text)"));
  const order = choice(stage, { name: "order", label: sorts });
  const all = sheet(count("layer"), heads, ink, (layer, head) => stage.set({ layer, head }));
  const note = html("p", { class: "xp-note" });
  const words = strip(most, "Choose a token", ink, (row) => row !== stage.get("row") && stage.set({ row }));
  const table = lines("What was measured of the head", Object.values(MEASURES), ["here", "held-out text"]);
  const offSwitch = headSwitch(stage, () => headName(stage.get("layer"), stage.get("head")));
  const next = candidates(SHOWN, (id) => stage.set({ text: decodeText([...now.ids.slice(0, stage.get("row") + 1), id], language.bpe), row: most - 1 }));
  const tasks = goalsBeside(stage, TASKS);
  const right = html("div", { class: "xp-stack" }, note, table.node, offSwitch.node, next.node);
  const below = html("div", { class: "xp-grid xp-sheeted" }, all.node, right);
  stage.root.append(html("div", { class: "xp-controls xp-over-strip" }, text, order), words.node, below, tasks.node);
  const tokensOf = (typed) => {
    const ids = language.encode(typed);
    return { ids: ids.slice(0, most), over: ids.length - most };
  };
  let now = tokensOf(stage.get("text"));
  reading.aim(now.ids, stage.get("off"));
  reading.finish();

  return (state) => {
    now = tokensOf(state.text);
    const { ids, over } = now;
    reading.aim(ids, state.off);
    const [read, n, row] = [reading.now, ids.length, Math.min(state.row, ids.length - 1)];
    put(note, noteOn(ids, over, reading.left(), state.off, most));
    below.hidden = words.node.hidden = n === 0;
    if (n === 0) return "No tokens yet.";
    const [labels, k] = [ids.map((id) => tokenLabel(id, language.bpe)), state.layer * heads + state.head];
    offSwitch.paint(state);
    const done = read.length >= n;
    all.paint({ ...state, version: done ? `${ids}|${state.off}` : undefined, n, weight: (l, h, i, j) => read[i].attention[l][h][j] });
    const line = row < read.length ? read[row].attention[state.layer][state.head] : [];
    words.paint({ labels, row, weight: (i) => line[i], dim: (i) => i >= read.length });
    if (!done) return `Reading: ${read.length} of ${n} tokens.`;
    const A = read.map(({ attention }) => attention[state.layer][state.head]);
    const here = [previousTokenScore(A), ownTokenScore(A)];
    const own = state.measured[k];
    table.paint(Object.values(MEASURES).map((_, i) => [i < here.length ? score(here[i]) : "", fixed(own[i])]));
    const drawn = probabilities(read[row].logits);
    const whole = reading.whole(state.off)[row];
    const plain = probabilities((whole ?? read[row]).logits);
    const tokens = highest(drawn, SHOWN);
    next.paint({ title: `What comes after ${quotedShort(labels[row])}?`, tokens, drawn, plain, label: (id) => tokenLabel(id, language.bpe) });
    const to = line.indexOf(Math.max(...line));
    return (
      firstBy(state.order, stage.bounds.order.labels[state.order], state.measured, heads) +
      `Layer ${state.layer + 1}, head ${state.head}${state.off.includes(headName(state.layer, state.head)) ? " (off)" : ""}: ${quotedShort(labels[row])} looks most at ${to === row ? "itself" : `${quotedShort(labels[to])} (position ${to})`}, ${fixed(line[to])}. ` +
      `Without it the loss on held-out text rises by ${fixed(own[COLUMNS.cost], 3)} ± ${fixed(own[ERROR], 3)} nats a token. ` +
      `The model expects ${quotedShort(tokenLabel(tokens[0], language.bpe))}, ${percent(drawn[tokens[0]])}.` +
      tasks.paint({ ...state, k, A, before: here[0], best: tokens[0], whole: whole && highest(plain)[0] })
    );
  };
}

export default explorable("All heads on one sheet", names, build);
