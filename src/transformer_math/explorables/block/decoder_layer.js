import { choice, explorable, fixed, html, inks, memo, put, quoted, show, textbox, toggle, unpackFlat, weights } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { logitsOf, traceTarget } from "../model/formulas.js";
import { drawSmall } from "../model/heads.js";
import { strip } from "../model/strip.js";
import { openTranslator, unread, visible, writer } from "../model/translation.js";
import { slices } from "../work.js";
import { length, range } from "../numbers.js";
import { percent } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";

const names = ["date", "layer", "row", "mask", "self_attention", "cross_attention"];
const [MOST, LONGEST, UNITS, SHOWN] = [32, 12, 32, 2]; // characters read and written, hidden units in a line, candidates

/** A column for each symbol that can be attended to, a cell for each head; those that are shut are hatched. */
function looks(most, label, ink) {
  const columns = range(most).map(() => {
    const [name, cells] = [html("span"), html("i", { class: "xp-map" })];
    return { name, cells, node: html("div", {}, name, cells) };
  });
  const nodes = columns.map(({ node }) => node);
  const node = html("div", { class: "xp-looks", role: "img", "aria-label": label }, ...nodes);
  /** `heads[h][j]` is head h’s weight on symbol j; where there is none, symbol j is shut. */
  const paint = ({ labels, heads, row = -1, off }) => {
    show(nodes, labels.length);
    node.classList.toggle("xp-silent", off);
    const [r, g, b] = ink(1);
    labels.forEach((text, j) => {
      const { name, cells, node: column } = columns[j];
      put(name, text);
      column.classList.toggle("xp-here", j === row);
      column.classList.toggle("xp-shut", heads[0][j] === undefined);
      const colour = (w) => `rgba(${r}, ${g}, ${b}, ${(w ?? 0).toFixed(3)})`;
      const stripes = heads.map((line, h) => `${colour(line[j])} ${(100 * h) / heads.length}% ${(100 * (h + 1)) / heads.length}%`).join(", ");
      if (cells.dataset.ink !== stripes) cells.style.backgroundImage = `linear-gradient(${(cells.dataset.ink = stripes)})`;
    });
  };
  return { node, paint };
}

/** The hidden units of the network, as dark as they are active. */
function units(label, ink) {
  const canvas = html("canvas", { class: "xp-map xp-units", role: "img", "aria-label": label });
  const paint = ({ hidden }) => {
    const most = Math.max(...hidden);
    drawSmall(canvas, hidden.length / UNITS, UNITS, (i, j) => hidden[i * UNITS + j] / most, ink(1));
  };
  return { node: canvas, paint };
}

/** One sublayer: its picture, how far it moves the vector, and what the model would say after it. */
function panel(number, picture) {
  const [title, about, bar, move] = ["b", "span", "i", "b"].map((tag) => html(tag));
  const lines = range(SHOWN).map(() => {
    const [name, filled, share] = [html("span"), html("i"), html("b")];
    return { name, filled, share, node: html("div", { class: "xp-bar" }, name, html("span", {}, filled), share) };
  });
  const says = html("p", { class: "xp-caption" });
  const adds = html("p", { class: "xp-caption" }, "length it adds");
  const moved = html("div", {}, adds, html("div", { class: "xp-bar" }, html("span", {}, bar), move));
  const said = html("div", {}, says, ...lines.map(({ node }) => node));
  const shown = html("div", {}, html("p", { class: "xp-caption" }, title, about), picture.node);
  const node = html("div", { class: "xp-sublayer" }, shown, moved, said);
  const paint = ({ name, note, ratio, p, last, label, ...look }) => {
    put(title, `${number} ${name}`);
    put(about, ` ${note}`);
    picture.paint(look);
    bar.style.transform = `scaleX(${Math.min(1, ratio / LONG).toFixed(3)})`;
    put(move, `${fixed(ratio)} ×`);
    put(says, last ? "the model says" : "it would say");
    highest(p, SHOWN).forEach((id, k) => {
      put(lines[k].name, label(id));
      lines[k].filled.style.transform = `scaleX(${p[id].toFixed(3)})`;
      put(lines[k].share, percent(p[id]));
    });
  };
  return { node, paint };
}

const LONG = 4; // what a whole bar of “adds” stands for
const SWITCHES = { mask: "mask", self_attention: "self-attention", cross_attention: "cross-attention" };
const WITHOUT = { ...SWITCHES, mask: "the mask" };
const OFF = { self_attention: "self", cross_attention: "cross" };
const isDigit = (text) => /^\d$/.test(text);

const TASKS = [
  ["find a symbol that is sure before the date is read?", ({ state, whole, shares, wrote }) => whole && state.layer === "1" && shares[0][wrote] > 0.9],
  ["get a digit right without cross-attention?", ({ state, right, label, wrote }) => !state.cross_attention && right && isDigit(label(wrote))],
  ["lose the end ⊣ with one switch?", ({ off, ended, ends }) => off.length === 1 && ended && !ends],
];

/** Which symbol the heads of an attention like best: the head, the place, the weight. */
function most(heads) {
  const all = heads.flatMap((line, head) => Array.from(line, (weight, place) => ({ head, place, weight })));
  return all.reduce((best, one) => (one.weight > best.weight ? one : best));
}

async function build(stage) {
  const translator = openTranslator(await weights(stage.model, "date_translator", unpackFlat));
  const label = (id) => visible(translator.target[id]);
  const machine = writer(translator, LONGEST);
  const start = slices(() => machine.advance(), () => stage.repaint());
  const ink = inks(stage.root);
  let [now, asked, ready] = [{ source: [], labels: [] }, undefined, false];

  const text = textbox(stage, { name: "date", label: "A date", change: (date) => ({ date }) });
  const output = strip(LONGEST, "What the model says at each position", ink, (row) => ready && row !== stage.get("row") && stage.set({ row }));
  const switches = Object.entries(SWITCHES).map(([name, words]) => toggle(stage, { name, label: [words] }));
  const answer = html("div", { class: "xp-translated" }, html("p", { class: "xp-caption" }, "What it says at each position"), output.node);
  const above = html("div", { class: "xp-decoder" }, text, choice(stage, { name: "layer", label: "Layer" }), answer, html("div", { class: "xp-switches" }, ...switches));
  const pictures = [looks(LONGEST, "The weights of four heads over the output so far", ink), looks(MOST, "The weights of four heads over the date", ink), units("The hidden units", ink)];
  const panels = pictures.map((picture, k) => panel(k + 1, picture));
  const sublayers = html("div", { class: "xp-sublayers" }, ...panels.map(({ node }) => node));
  const tasks = goalsBeside(stage, TASKS);
  tasks.node.classList.add("xp-in-row");
  stage.root.classList.remove("xp-footed");
  stage.root.classList.add("xp-told");
  stage.root.append(above, sublayers, tasks.node);

  const traced = memo((_, mask, without) => traceTarget(translator.model, machine.encoded(), machine.rows.map(({ read }) => read), mask, without));
  const aim = ({ date }) => {
    if (date === asked) return;
    asked = date;
    const read = translator.known(date).slice(0, MOST - 1);
    const source = read.length ? translator.encode(read) : [];
    now = { source, labels: source.map((id) => visible(translator.source[id])) };
    machine.aim(source, [], []);
    start();
  };
  aim({ date: stage.get("date") });
  while (machine.advance());

  return (state) => {
    aim(state);
    ready = machine.done() && machine.rows.length > 0;
    answer.hidden = sublayers.hidden = now.labels.length === 0;
    const lost = unread(translator, state.date, MOST - 1);
    if (now.labels.length === 0) return [...lost, "No date yet."].join(" ");
    if (!ready) return `Writing: ${machine.rows.length} characters.`;
    const [read, written] = ["read", "id"].map((name) => machine.rows.map((row) => row[name]));
    const off = Object.keys(SWITCHES).filter((name) => !state[name]);
    const without = off.filter((name) => name in OFF).map((name) => OFF[name]);
    const layers = traced(asked, state.mask, without);
    const said = layers.at(-1).map(({ after }) => highest(logitsOf(translator.model, after[2]), 1)[0]);
    const [row, here] = [Math.min(state.row, read.length - 1), layers[state.layer - 1]];
    const at = here[row];
    const wrong = said.map((id, i) => id !== written[i]);
    output.paint({ labels: said.map(label), row, weight: () => 0, fresh: (i) => wrong[i] });
    const shares = at.after.map((z) => probabilities(logitsOf(translator.model, z)));
    const ratios = at.added.map((update, k) => length(update) / length(k ? at.after[k - 1] : at.z));
    const ahead = at.self.reduce((sum, line) => sum + Array.from(line).slice(row + 1).reduce((a, b) => a + b, 0), 0) / at.self.length;
    const final = state.layer === String(layers.length);
    const reads = read.map(label);
    const looked = [
      { name: state.mask ? "masked self-attention" : "unmasked self-attention", note: state.self_attention ? (state.mask ? "later tokens are hidden" : `${percent(ahead)} lies ahead`) : "off", labels: reads, heads: at.self, row, off: !state.self_attention },
      { name: "cross-attention", note: state.cross_attention ? "to the date" : "off", labels: now.labels, heads: at.cross, off: !state.cross_attention },
      { name: "feed-forward network", note: `${at.hidden.filter((value) => value > 0).length} of ${at.hidden.length} hidden units active`, hidden: at.hidden },
    ];
    looked.forEach((look, k) => panels[k].paint({ ...look, ratio: ratios[k], p: shares[k], last: final && k === 2, label }));
    const done = tasks.paint({ state, off, whole: off.length === 0, shares, wrote: written[row], right: !wrong[row], ended: written.at(-1) === translator.end, ends: said.at(-1) === translator.end, label });
    return sentenceOn({ state, row, reads, off, at, shares, said, wrong, final, lost, labels: now.labels, label }) + done;
  };
}

function sentenceOn({ state, row, reads, off, at, shares, said, wrong, final, lost, labels, label }) {
  const [own, cross] = [most(at.self), most(at.cross)];
  const before = reads.slice(1, row + 1).join("");
  const say = shares.map((p) => `${quoted(label(highest(p, 1)[0]))} (${percent(Math.max(...p))})`);
  const lookedAt = [
    state.self_attention && `in self-attention on ${quoted(reads[own.place])} (${fixed(own.weight)})`,
    state.cross_attention && `in cross-attention on ${quoted(labels[cross.place])} (${fixed(cross.weight)})`,
  ].filter(Boolean).join(", ");
  const count = wrong.filter(Boolean).length;
  const gone = off.map((name) => WITHOUT[name]).join(" and ");
  const outcome = off.length === 0 ? `The model says ${quoted(said.map(label).join(""))}.` : `Without ${gone} the model says ${quoted(said.map(label).join(""))}: ${count === 0 ? "nothing changes" : `${count} of ${wrong.length} symbols change`}.`;
  return (
    `${[...lost, outcome].join(" ")} Layer ${state.layer}, ${before ? `after ${quoted(before)}` : "at the beginning"}${lookedAt && `: the largest weight is ${lookedAt}`}. ` +
    `It would say ${say[0]} after the first sublayer, ${say[1]} after the second; after the third ${final ? "it says" : "it would say"} ${say[2]}.`
  );
}

export default explorable("A decoder layer, sublayer by sublayer", names, build);
