import { explorable, html, inks, put, textbox, unpackFlat, weights } from "../kit.js";
import { candidates, percent } from "../output/candidates.js";
import { probabilities, ranked } from "../output/formulas.js";
import { openLanguageModel, reader, tokenLabel } from "./reader.js";
import { strip } from "./strip.js";
import { slices } from "./work.js";

const SHOWN = 5; // candidates
const quoted = (token) => `“${token}”`;

/** Where a token looked, on average over the heads of the last layer. */
function lastLook({ attention }) {
  const heads = attention.at(-1);
  return heads[0].map((_, j) => heads.reduce((sum, weights) => sum + weights[j], 0) / heads.length);
}

async function build(stage) {
  const { model, bpe, encode } = openLanguageModel(await weights(stage.model, "language_model", unpackFlat));
  const most = stage.bounds.text.most;
  const reading = reader(model);
  const start = slices(reading.advance, () => stage.repaint());
  const label = (id) => tokenLabel(id, bpe);
  const ink = inks(stage.root);
  const text = textbox(stage, { name: "text", label: "Write the beginning of a sentence", change: (typed) => ({ text: typed, written: [] }) });
  const tokens = strip(most, "What the model reads", ink);
  const table = candidates(SHOWN, (id) => stage.set({ written: [...stage.get("written"), id] }));
  const note = html("p", { class: "xp-note" });
  const grid = html("div", { class: "xp-grid" }, html("div", {}, html("div", { class: "xp-panel" }, tokens.node), note), table.node);
  stage.root.append(text, grid);
  let [ids, typed, asked] = [[], 0, undefined];
  const aim = (state) => {
    if (asked === (asked = JSON.stringify([state.text, state.written]))) return;
    const given = encode(state.text).slice(-most);
    typed = given.length;
    ids = [...given, ...state.written].slice(-most);
    reading.aim(ids, []);
    if (ids.length) start();
  };
  aim({ text: stage.get("text"), written: stage.get("written") });
  while (reading.advance());
  return (state) => {
    aim(state);
    const { rows } = reading;
    const done = ids.length > 0 && rows.length === ids.length;
    const look = done ? lastLook(rows.at(-1)) : [];
    const [labels, fresh] = [ids.map(label), ids.length - state.written.length];
    tokens.paint({ labels, row: -1, weight: (j) => look[j], fresh: (i) => i >= fresh, dim: (i) => i >= rows.length });
    put(note, done ? "The stronger the colour, the more the last token looked at it: the mean of the last layer’s heads." : `Reading token ${rows.length + 1} of ${ids.length} …`);
    grid.hidden = ids.length === 0;
    if (ids.length === 0) return "Type a word or two.";
    if (!done) return `Reading ${ids.length} tokens.`;
    const p = probabilities(rows.at(-1).logits);
    const order = [...ranked(p).slice(0, SHOWN)];
    table.paint({ title: "What comes next? Choose one.", tokens: order, drawn: p, label });
    const best = look.indexOf(Math.max(...look));
    return `After ${quoted(labels.at(-1))} the model expects ${quoted(label(order[0]))}, ${percent(p[order[0]])}. It looked most at ${quoted(labels[best])}.`;
  };
}

export default explorable("The language model at a glance", ["text", "written"], build);
