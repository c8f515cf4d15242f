import { choice, explorable, fixed, html, inks, memo, newId, put, set, show, textbox, unpackInSlices, weights } from "../kit.js";
import { quotedShort } from "../attention/short.js";
import { goalsBeside } from "../goals.js";
import { againstRows, residualParts } from "../model/formulas.js";
import { bare, lens, openLanguageModel, reader, tokenLabel } from "../model/reader.js";
import { strip } from "../model/strip.js";
import { whereItRests } from "../rest.js";
import { slices } from "../work.js";
import { dot, range } from "../numbers.js";
import { percent } from "../output/candidates.js";
import { highest, probabilities } from "../output/formulas.js";
import { addedAlong, scaledParts } from "./formulas.js";

const names = ["text", "row", "candidate", "against", "part"];
const [RAISED, EPS, FULL] = [3, 1e-5, 4]; // tokens told of a part, the norm's ε, what fills half a bar
const signed = (x) => `${x >= 0 ? "+" : ""}${fixed(x)}`;
const row = (E, v) => Array.from(E.data.subarray(v * E.shape[1], (v + 1) * E.shape[1]));

/** The mean of the rows of E. */
function meanRow(E) {
  const [n, d] = E.shape;
  const sum = new Float64Array(d);
  E.data.forEach((value, k) => (sum[k % d] += value));
  return Array.from(sum, (value) => value / n);
}

/** The likeliest tokens after the one in sight, one of them chosen. */
function asked(most, choose) {
  const buttons = range(most).map((k) => html("button", { type: "button", onclick: () => choose(k) }));
  const node = html("div", { class: "xp-asked-for", role: "group", "aria-label": "The token whose logit is taken apart" }, ...buttons);
  const paint = ({ tokens, p, candidate, label }) =>
    tokens.forEach((id, k) => {
      put(buttons[k], `${label(id)}  ${percent(p[id])}`);
      set(buttons[k], { "aria-pressed": k === candidate });
    });
  return { node, paint };
}

/** What each part is called, in the order of the sum. */
const partNames = (layers, heads) => [
  "Embedding",
  ...range(layers).flatMap((l) => [...range(heads).map((h) => `Layer ${l + 1}, head ${h}`), `Layer ${l + 1}, network`]),
  "Biases of attention",
];

/** A radio button for each part, with the number and its bar; a line for each layer, and at its end what would be said after it. */
function sheet(layers, heads, choose) {
  const [group, called] = [newId(), partNames(layers, heads)];
  const cells = called.map((name, part) => {
    const input = html("input", { type: "radio", name: group, onchange: () => choose(part) });
    const [words, number, bar] = [html("span", { class: "xp-hidden" }, `${name}: `), html("b"), html("i", { class: "xp-map", "aria-hidden": "true" })];
    return { input, number, bar, node: html("label", {}, input, words, number, bar) };
  });
  const guesses = range(layers + 1).map(() => html("span", { class: "xp-would" }, "…"));
  const title = (text, kind) => html("span", { "aria-hidden": "true", class: kind }, text);
  const name = (text) => title(text, "xp-of");
  const head = [title("", "xp-of xp-if-room"), ...[...range(heads).map((h) => `head ${h}`), "network"].map((text) => title(text, "xp-part-name")), title("", "xp-blank xp-if-room")];
  const inner = range(layers).flatMap((l) => {
    const from = 1 + l * (heads + 1);
    return [name(`layer ${l + 1}`), guesses[l + 1], ...cells.slice(from, from + heads + 1).map(({ node }) => node)];
  });
  const first = [name("embedding"), guesses[0], cells[0].node, title("biases of attention", "xp-fill"), cells.at(-1).node];
  const node = html("fieldset", { class: "xp-parts" }, html("legend", {}, "What each part adds to the logit"), html("div", {}, name(""), title("would say", "xp-would"), ...first, ...head, ...inner));
  const paint = ({ added, part, guessed }) => {
    cells.forEach(({ input, number, bar }, k) => {
      input.checked = k === part;
      put(number, signed(added[k]));
      bar.style.transform = `scaleX(${Math.max(-1, Math.min(1, added[k] / FULL)).toFixed(3)})`;
      bar.classList.toggle("xp-less", added[k] < 0);
    });
    set(node, { "aria-busy": guessed === undefined });
    guessed?.forEach((one, l) => put(guesses[l], one));
  };
  return { node, paint, called };
}

/** Which tokens a part raises and lowers most. */
function raised() {
  const [up, down] = [html("td"), html("td")];
  const line = (text, cell) => html("tr", {}, html("th", { scope: "row" }, text), cell);
  const caption = html("caption");
  const node = html("table", { class: "xp-raised" }, caption, html("tbody", {}, line("raises most", up), line("lowers most", down)));
  const told = (pairs) => pairs.map(([token, x]) => `${token} ${signed(x)}`).join("   ");
  const paint = ({ name, most, least }) => {
    put(caption, `${name}: what it adds to other logits, counted from their mean`);
    put(up, told(most));
    put(down, told(least));
  };
  return { node, paint };
}

const TASKS = [
  ["find a head that adds more than 1?", ({ isHead, added, part }) => isHead && added[part] > 1],
  ["find a part that takes 1 or more from the likeliest token?", ({ state, added, part }) => state.candidate === 0 && added[part] <= -1],
  ["find a part that makes a third of a token’s logit?", ({ state, added, sum, part }) => state.against === "mean" && sum > 0 && added[part] > sum / 3],
];

async function build(stage) {
  const { model, bpe, encode } = openLanguageModel(await weights(stage.model, "language_model", unpackInSlices));
  const count = (name) => stage.bounds[name].high + 1;
  const [most, heads] = [count("row"), model.nHeads];
  const label = (id) => tokenLabel(id, bpe);
  const zero = meanRow(model.E);
  const reading = reader(model, (traced) => traced);
  const start = slices(reading.advance, () => stage.repaint());
  const text = textbox(stage, { name: "text", label: "Text", read: bare, change: (typed) => ({ text: typed, row: most - 1, candidate: 0 }) });
  const rivals = choice(stage, { name: "against", label: "A logit is counted from" });
  const words = strip(most, "Choose the token after which is asked", inks(stage.root), (at) => at !== stage.get("row") && stage.set({ row: at, candidate: 0 }));
  const tokens = asked(count("candidate"), (candidate) => stage.set({ candidate }));
  const parts = sheet(model.layers.length, heads, (part) => stage.set({ part }));
  const told = raised();
  const below = html("div", { class: "xp-taken-apart" }, tokens.node, parts.node, told.node);
  const tasks = whereItRests(stage, goalsBeside(stage, TASKS));
  stage.root.append(html("div", { class: "xp-controls xp-over-strip" }, text, rivals), words.node, below, tasks.node);

  let [ids, over] = [[], 0];
  const aim = ({ text: typed }) => {
    const all = encode(typed);
    const given = all.slice(0, most);
    over = all.length - given.length;
    if (String(given) === String(ids)) return;
    reading.aim((ids = given), []);
    if (reading.left() > 0) start();
  };
  aim({ text: stage.get("text") });
  while (reading.advance());

  const takenApart = memo((given, at) => scaledParts(residualParts(model, reading.rows[at]), model.norm.gamma.data, EPS));
  const seen = lens(model, () => stage.repaint());
  const effectOf = memo((given, at, part) => {
    const effect = againstRows(takenApart(given, at)[part], model.E);
    const middle = effect.reduce((a, b) => a + b, 0) / effect.length;
    const told = (sign) => highest(effect.map((x) => sign * x), RAISED).map((id) => [label(id), effect[id] - middle]);
    return { most: told(1), least: told(-1) };
  });

  return (state) => {
    aim(state);
    const n = ids.length;
    below.hidden = words.node.hidden = n === 0;
    if (n === 0) return "No tokens yet.";
    const labels = ids.map(label);
    const at = Math.min(state.row, n - 1);
    const { rows } = reading;
    const isHead = state.part > 0 && state.part < parts.called.length - 1 && (state.part - 1) % (heads + 1) < heads;
    const [layer, head] = [Math.floor((state.part - 1) / (heads + 1)), (state.part - 1) % (heads + 1)];
    const line = isHead && at < rows.length ? rows[at].attention[layer][head] : [];
    words.paint({ labels, row: at, weight: (i) => line[i] ?? 0, dim: (i) => i >= rows.length });
    if (reading.left() > 0) return `Reading: ${rows.length} of ${n} tokens.`;
    const p = probabilities(rows[at].logits);
    const found = highest(p, count("candidate"));
    const wanted = found[state.candidate];
    const rival = found[state.candidate ? 0 : 1];
    const from = state.against === "mean" ? zero : row(model.E, rival);
    const direction = row(model.E, wanted).map((value, j) => value - from[j]);
    const added = addedAlong(takenApart(ids, at), direction);
    const ofBeta = dot(direction, model.norm.beta.data);
    const name = parts.called[state.part];
    tokens.paint({ tokens: found, p, candidate: state.candidate, label });
    seen.aim(rows[at]);
    const guessed = seen.found()?.map(([best, p]) => `${label(best)} ${percent(p)}`);
    parts.paint({ added, part: state.part, guessed });
    const effect = effectOf(ids, at, state.part);
    told.paint({ name, ...effect });
    const sum = added.reduce((a, b) => a + b, ofBeta);
    const to = line.indexOf(Math.max(...line));
    const looked = isHead ? ` It looks most at ${to === at ? "this token itself" : `${quotedShort(labels[to])} (position ${to})`}, ${fixed(line[to])}.` : "";
    const rest = over > 0 ? ` Only the first ${most} tokens of the text are read.` : "";
    const against = state.against === "mean" ? "the mean of all logits" : `that of ${quotedShort(label(rival))}`;
    const several = name.startsWith("Biases");
    return (
      `After ${quotedShort(labels[at])}, the logit of ${quotedShort(label(wanted))} (${percent(p[wanted])}) is ${fixed(Math.abs(sum))} ${sum < 0 ? "below" : "above"} ${against}: ` +
      `the sum of all parts, with ${signed(ofBeta)} from the last norm’s β. ${name} ${several ? "add" : "adds"} ${signed(added[state.part])}.${looked} ` +
      `Of all tokens ${several ? "they raise" : "it raises"} ${quotedShort(effect.most[0][0])} most.${rest}` +
      tasks.paint({ state, isHead, added, sum, part: state.part })
    );
  };
}

export default explorable("What each part adds to a logit", names, build);
