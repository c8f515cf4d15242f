import { explorable, fixed, html, put, set, slider, textbox, unpackFlat, weights } from "../kit.js";
import { goalsBeside } from "../goals.js";
import { placesOfLargest } from "../numbers.js";
import { bare, openLanguageModel, reader, tokenLabel } from "../model/reader.js";
import { slices } from "../work.js";
import { decodeText } from "../tokenization/formulas.js";
import { buttonRow } from "./candidates.js";
import { plant, search } from "./search.js";
import { drawTree, scrolling, treeBox } from "./tree.js";

const names = ["prompt", "length", "width", "temperature", "top_k", "mass", "uniforms"];
const METHODS = { greedy: "Greedy", beam: "Beam search", topk: "Top-k", nucleus: "Nucleus" };
const MOST = 48; // tokens of the prompt

const shortened = (prompt) => ([...prompt].length > 20 ? `…${[...prompt].slice(-19).join("")}` : prompt);

/** What a method is set by, what it wrote, and how probable the model finds it. */
function card(method, control) {
  const [text, score] = [html("p", { class: "xp-wrote" }), html("p", { class: "xp-caption" })];
  const node = html("div", { class: `xp-card xp-by-${method}` }, control, text, score);
  return { node, text, score };
}

const share = (p) => (p === 1 ? "all" : `${fixed(100 * p, 0)} %`);

function makeCards(stage) {
  const titled = (method, rest) => [html("b", {}, METHODS[method]), rest];
  const controls = {
    greedy: html("p", { class: "xp-unset" }, ...titled("greedy", ": always the likeliest")),
    beam: slider(stage, { name: "width", label: titled("beam", ": sequences kept") }),
    topk: slider(stage, { name: "top_k", label: titled("topk", ": likeliest tokens") }),
    nucleus: slider(stage, { name: "mass", label: titled("nucleus", ": probability"), step: 0.05, show: share }),
  };
  return Object.fromEntries(Object.entries(controls).map(([method, control]) => [method, card(method, control)]));
}

const ends = (paths) => Object.fromEntries(Object.entries(paths).map(([method, path]) => [method, path.at(-1)]));
const TASKS = [
  ["make all four write the same?", ({ greedy, beam, topk, nucleus }) => [beam, topk, nucleus].every((end) => end === greedy)],
  ["draw a text more probable than greedy’s?", ({ greedy, topk, nucleus }) => Math.max(topk.logP, nucleus.logP) > greedy.logP],
  ["let greedy beat a beam of 2 or more?", ({ width, greedy, beam }) => width > 1 && beam.logP < greedy.logP],
];

async function build(stage) {
  const language = openLanguageModel(await weights(stage.model, "language_model", unpackFlat));
  const start = slices(() => advance(), () => stage.repaint());
  const prompt = reader(language.model);
  const label = (id) => tokenLabel(id, language.bpe);
  let [asked, read, tree, job, found] = ["", "", undefined, undefined, undefined];

  /** One piece of work: a token of the prompt, then one of the search. */
  const advance = () => {
    if (prompt.left() > 0) return prompt.advance() || true;
    if (!job) return false;
    tree ??= plant(language.model, prompt.memory(), prompt.rows.at(-1).logits);
    job.search ??= search(tree, job);
    const { done, value } = job.search.next();
    if (done) [found, job] = [value, undefined];
    return !done;
  };
  const aim = (state) => {
    const ids = language.encode(state.prompt).slice(0, MOST);
    if (asked === (asked = JSON.stringify(names.map((name) => state[name])))) return ids;
    if (read !== (read = ids.join())) {
      prompt.aim(ids, []);
      tree = undefined;
    }
    [found, job] = [undefined, ids.length ? { ...state } : undefined];
    if (job) start();
    return ids;
  };
  aim(Object.fromEntries(names.map((name) => [name, stage.get(name)])));
  while (advance());

  const text = textbox(stage, { name: "prompt", label: "Prompt", read: bare, change: (typed) => ({ prompt: typed }) });
  const anew = buttonRow(["Draw anew", () => stage.set({ uniforms: stage.get("uniforms").map(() => Math.random()) })]);
  const controls = html(
    "div",
    { class: "xp-asked" },
    text,
    slider(stage, { name: "length", label: ["Tokens to add"] }),
    slider(stage, { name: "temperature", label: ["Temperature of draws"], step: 0.05, show: (t) => fixed(t) }),
    anew,
  );
  const cards = makeCards(stage);
  const box = treeBox();
  const note = html("p", { class: "xp-note" });
  const tasks = goalsBeside(stage, TASKS);
  const four = html("div", { class: "xp-cards" }, ...Object.values(cards).map(({ node }) => node));
  stage.root.append(controls, four, box, note, tasks.node);
  let [drawn, told] = [undefined, ""];
  stage.settle = () => put(note, told + scrolling(box));

  return (state) => {
    const ids = aim(state);
    const over = language.encode(state.prompt).length - MOST;
    told = over > 0 ? `Only the first ${MOST} tokens of the prompt are read.` : "Where lines part, methods chose differently. Grey: dropped by the beam.";
    box.hidden = ids.length === 0;
    if (ids.length === 0) {
      for (const { text: wrote, score } of Object.values(cards)) [wrote, score].forEach((node) => put(node, ""));
      return "No prompt yet.";
    }
    const wanted = `${state.length} tokens after “${shortened(state.prompt)}”, beam ${state.width}, top-k ${state.top_k}, nucleus ${share(state.mass)}, temperature ${fixed(state.temperature)}`;
    for (const node of [four, box]) set(node, { "aria-busy": !found }); // until then they show what was asked before
    if (!found) return `Writing ${wanted} …`;
    for (const [method, { text: wrote, score }] of Object.entries(cards)) {
      const path = found.paths[method];
      put(wrote, `…${decodeText(path.map(({ id }) => id), language.bpe)}`);
      put(score, `log p = ${fixed(path.at(-1).logP)}`);
    }
    const column = Math.max(64, Math.floor((stage.width - 28) / state.length));
    if (drawn !== (drawn = `${asked}|${column}`)) box.replaceChildren(drawTree({ root: tree.root, ...found, column, label }));
    const last = ends(found.paths);
    const methods = Object.keys(METHODS);
    const best = placesOfLargest(methods.map((method) => last[method].logP)).map((i) => METHODS[methods[i]].toLowerCase());
    const wrote = best.length === methods.length ? "all four wrote the same" : `what ${best.join(" and ")} wrote is the most probable of the four`;
    return (
      `${wanted}: ${wrote}, ` +
      `log p = ${fixed(Math.max(...methods.map((method) => last[method].logP)))}. Greedy and beam search ${last.greedy === last.beam ? "agree" : "differ"}. Drawn: ${fixed(last.topk.logP)} (top-k), ${fixed(last.nucleus.logP)} (nucleus).` +
      tasks.paint({ ...state, ...last })
    );
  };
}

export default explorable("Four ways to choose the next tokens", names, build);
