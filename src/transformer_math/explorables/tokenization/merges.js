/** BPE merge by merge, on a corpus of the reader's own: the counts, the words as they are cut, the trees that grow. */
import { clamp, explorable, html, memo, put, set, slider, svg, textbox } from "../kit.js";
import { quotedShort } from "../attention/short.js";
import { goals } from "../goals.js";
import { range } from "../numbers.js";
import { countWords, trainSteps } from "./formulas.js";

const names = ["text", "step"];
const [MOST_LETTERS, MOST_PAIRS] = [240, 6];
const [LETTER, LEVEL, GAP] = [26, 30, 26];
const times = (count) => (count === 1 ? "once" : `${count} times`);
const merges = (count) => (count === 0 ? "No merge is" : count === 1 ? "One merge is" : `${count} merges are`);

/** The corpus and all its merges. */
const learn = (text, most) => {
  const words = countWords(text);
  return { words, ...trainSteps(words, most) };
};

/** Each word as a row of tokens after its count; the token made last is marked. */
function wordList() {
  const list = html("ul", { class: "xp-words" });
  const node = html("div", { class: "xp-tree", tabindex: 0, role: "group", "aria-label": "The words, cut into tokens; the box scrolls" }, list);
  const paint = ({ words, tokens }, { cut }, newest) => {
    const token = (id) => html("span", { class: id === newest ? "xp-fresh" : "" }, tokens[id]);
    const row = ([, count], i) => html("li", {}, html("b", {}, `${count} ×`), html("span", { class: "xp-strip" }, ...cut[i].map(token)));
    list.replaceChildren(...words.map(row));
  };
  return { node, paint };
}

/** The most frequent pairs, each with a bar as long as its count. */
function pairTable() {
  const caption = html("caption");
  const heads = ["pair", "count", ""].map((text) => html("th", { scope: "col" }, text));
  set(heads[2], { "aria-hidden": "true" });
  const lines = range(MOST_PAIRS).map(() => {
    const [name, count, bar] = [html("th", { scope: "row" }), html("td"), html("i")];
    const drawn = html("td", { "aria-hidden": "true" }, html("div", { class: "xp-bar" }, html("span", {}, bar)));
    return { row: html("tr", {}, name, count, drawn), name, count, bar };
  });
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const node = html("table", { class: "xp-steps xp-dense xp-counted" }, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const paint = ({ tokens }, { pairs }) => {
    put(caption, pairs.length ? `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"}; merged next:` : "No pair is left");
    lines.forEach(({ row, name, count, bar }, i) => {
      const [first, second, number] = pairs[i] ?? [];
      row.classList.toggle("xp-chosen", i === 0 && pairs.length > 0);
      put(name, i < pairs.length ? `${tokens[first]} + ${tokens[second]}` : "\u00a0");
      put(count, i < pairs.length ? String(number) : "");
      bar.parentElement.style.visibility = i < pairs.length ? "" : "hidden";
      bar.style.transform = `scaleX(${i < pairs.length ? number / pairs[0][2] : 0})`;
    });
  };
  return { node, paint };
}

/** The tree of every token in the words: letters at the bottom, a merge above the two that it joins. */
function forest() {
  const node = html("div", { class: "xp-tree xp-forest", tabindex: 0, role: "group", "aria-label": "The trees of the tokens; the box scrolls" });
  const paint = ({ tokens, steps }, { cut }, made) => {
    const from = new Map(made.map((id, k) => [id, steps[k].pairs[0]]));
    const depth = (id) => (from.has(id) ? 1 + Math.max(...from.get(id).slice(0, 2).map(depth)) : 0);
    const high = Math.max(0, ...cut.flat().map(depth));
    const [lines, texts] = [[], []];
    let right = GAP;
    const draw = (id) => {
      const y = 24 + LEVEL * (high - depth(id));
      const class_ = id === made.at(-1) ? "xp-newest" : "";
      if (!from.has(id)) {
        const x = (right += LETTER) - LETTER / 2;
        texts.push(svg("text", { x, y, "text-anchor": "middle" }, tokens[id]));
        return [x, y];
      }
      const ends = from.get(id).slice(0, 2).map(draw);
      const x = (ends[0][0] + ends[1][0]) / 2;
      for (const [toX, toY] of ends) lines.push(svg("path", { d: `M${x},${y + 5}L${toX},${toY - 14}`, class: "xp-span" }));
      texts.push(svg("text", { x, y, "text-anchor": "middle", class: class_ }, String(made.indexOf(id) + 1)));
      return [x, y];
    };
    for (const word of cut) {
      word.forEach(draw);
      right += GAP;
    }
    const height = 24 + LEVEL * high + 14;
    node.replaceChildren(svg("svg", { width: right, height, viewBox: `0 0 ${right} ${height}`, "aria-hidden": "true" }, ...lines, ...texts));
  };
  return { node, paint };
}

const tokensIn = (cut, words) => cut.reduce((sum, ids, i) => sum + words[i][1] * ids.length, 0);

/** How often the pair of a merge was counted, and in how many places it was merged: in “aaa” one pair overlaps the other. */
function countedAndMerged({ words, steps }, step) {
  const [before, after] = [steps[step - 1], steps[step]];
  return [before.pairs[0][2], tokensIn(before.cut, words) - tokensIn(after.cut, words)];
}

function overlapped(now, step) {
  if (step === 0) return false;
  const [counted, merged] = countedAndMerged(now, step);
  return merged < counted;
}

/** What the last merge made, and how often. */
function made(now, step) {
  const [[first, second]] = now.steps[step - 1].pairs;
  const [counted, merged] = countedAndMerged(now, step);
  const often = merged < counted ? `whose pair was counted ${times(counted)} and merged ${times(merged)}` : `which stood there ${times(counted)}`;
  return `Merge ${step} of ${now.steps.length - 1} made ${quotedShort(now.tokens[first] + now.tokens[second])}, ${often}`;
}

const TASKS = [
  ["go on until every word is one token?", ({ words, steps, step }) => step > 0 && steps[step].pairs.length === 0],
  ["make eight letters one token in three merges?", ({ words, steps, step }) => step <= 3 && steps[step].cut.some((ids, i) => ids.length === 1 && [...words[i][0]].length >= 8)],
  ["merge a pair in fewer places than it was counted?", (now) => overlapped(now, now.step)],
];

/** What the last merge did and which comes next, as a sentence. */
function sentenceOn(now, step) {
  const { words, tokens, steps } = now;
  if (words.length === 0) return "The corpus holds no word yet.";
  const last = steps.length - 1;
  const { cut, pairs } = steps[step];
  const total = tokensIn(cut, words);
  const did = step ? made(now, step) : `${merges(last)} to come`;
  const sizes = `the corpus has ${total} ${total === 1 ? "token" : "tokens"}, the vocabulary ${tokens.length - last + step}`;
  if (!pairs.length) return `${did}; ${sizes}. Every word is one token.`;
  const tied = pairs.filter(([, , count]) => count === pairs[0][2]).length - 1;
  const tie = tied ? ` ${tied === 1 ? "Another pair has" : `${tied} other pairs have`} the same count; the smaller ids win.` : "";
  const next = `${quotedShort(tokens[pairs[0][0]])} and ${quotedShort(tokens[pairs[0][1]])} (${times(pairs[0][2])})`;
  return `${did}; ${sizes}. ${step < last ? "Next" : "The figure ends here; next"} come ${next}.${tie}`;
}

function build(stage) {
  const most = stage.bounds.step.high;
  const learnt = memo((text) => learn(text, most));
  const last = (state) => learnt(state.text).steps.length - 1;
  let shortened; // the text of which the end was lost
  const typed = (value) => {
    const text = [...value].slice(0, MOST_LETTERS).join("");
    shortened = text === value ? undefined : text;
    return { text, step: 0 };
  };
  const go = (by) => stage.set({ step: clamp(Math.min(stage.get("step"), last({ text: stage.get("text") })) + by, 0, last({ text: stage.get("text") })) });
  const line = textbox(stage, { name: "text", label: "Your corpus, words between spaces", change: typed });
  const read = (state) => Math.min(state.step, last(state));
  const steps = slider(stage, { name: "step", label: ["Merges done"], max: last, read, show: (_, state) => `${read(state)} of ${last(state)}` });
  const [back, on] = [["Undo", -1], ["Merge", 1]].map(([text, by]) => html("button", { type: "button", onclick: () => go(by) }, text));
  const [list, table, trees, tasks] = [wordList(), pairTable(), forest(), goals(TASKS)];
  const caption = html("p", { class: "xp-legend" }, "Their trees: a number is a merge, counted from 1");
  const pressed = html("div", { class: "xp-pressed" }, steps, html("div", { class: "xp-buttons" }, back, on));
  stage.root.classList.add("xp-told");
  stage.root.append(html("div", {}, line, pressed), html("div", { class: "xp-thirds" }, list.node, table.node, tasks.node), caption, trees.node);
  let drawn;
  return (state) => {
    const now = learnt(state.text);
    const step = read(state);
    set(steps.querySelector("input"), { max: Math.max(last(state), 0) });
    set(back, { "aria-disabled": step === 0 });
    set(on, { "aria-disabled": step === last(state) });
    const key = JSON.stringify([state.text, step]);
    if (key !== drawn) {
      const made = range(step).map((k) => now.tokens.length - last(state) + k);
      list.paint(now, now.steps[step], made.at(-1));
      table.paint(now, now.steps[step]);
      trees.paint(now, now.steps[step], made);
      drawn = key;
    }
    const cut = state.text === shortened ? ` Only the first ${MOST_LETTERS} characters were kept.` : "";
    return sentenceOn(now, step) + cut + tasks.paint({ ...now, step });
  };
}

export default explorable("Merge stepper", names, build);
