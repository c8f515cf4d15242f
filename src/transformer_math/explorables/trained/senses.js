import { arrow } from "../arrows.js";
import { choice, clamp, explorable, fixed, html, memo, newId, put, set, show, slider, svg, textbox, unpackFlat, unpackInSlices, weights } from "../kit.js";
import { listed, quotedShort, someOf } from "../attention/short.js";
import { goals } from "../goals.js";
import { encoderStates, readEncoder, statesOf } from "../model/formulas.js";
import { openLanguageModel, reader } from "../model/reader.js";
import { slices } from "../work.js";
import { cosine, range } from "../numbers.js";
import { chosenOf, sharedWords, upTo, wordsOf } from "./formulas.js";

const names = ["first", "second", "third", "word", "reader", "layer"];
const SENTENCES = ["first", "second", "third"];
const KINDS = ["xp-query", "xp-key", "xp-value-arrow"];
const PAIRS = [[0, 1], [0, 2], [1, 2]];
const [MOST_WORDS, MOST_TOKENS] = [14, 64];
const [MASK, HEIGHT, NAMED] = [1, 130, 60]; // an id; pixels of the drawing, and of the table's first column
const LAST = { encoder: 2, language: 4 }; // layers
const SAYS = { encoder: "encoder", language: "language model" };

const textsOf = (state) => SENTENCES.map((name) => state[name]);
const readIn = (state) => textsOf(state).map((text) => wordsOf(text, MOST_WORDS));
const layerName = (l) => (l ? `layer ${l}` : "no layer");

// ---- the two models ----

/** The planted encoder: for each sentence the word's vectors, layer by layer. */
function openEncoder(tensors) {
  const vocabulary = JSON.parse(tensors.vocabulary);
  const model = readEncoder(tensors, JSON.parse(tensors.config).n_heads);
  const known = new Map(vocabulary.map((word, id) => [word, id]));
  const states = SENTENCES.map(() => memo((words) => encoderStates(model, words.map((one) => known.get(one) ?? MASK))));
  const vectors = (sentences, word) => sentences.map((words, k) => (words.length ? states[k](words).map((Z) => Z[words.lastIndexOf(word)]) : undefined));
  return { vectors, knows: (word) => known.has(word), size: vocabulary.length - 2 };
}

/** The language model, which is loaded when it is first asked for, and reads as far as the word, a few tokens a frame. */
function languageReader(stage) {
  let [language, texts, asked] = [undefined, [], false];
  const advance = () => texts.some((text) => text.advance()) || texts.some((text) => text.left() > 0);
  const start = slices(advance, () => stage.repaint());
  const load = async () => {
    asked = true;
    language = openLanguageModel(await weights(stage.model, "language_model", unpackInSlices));
    texts = SENTENCES.map(() => reader(language.model, statesOf));
  };
  const aim = memo((prefixes) => {
    prefixes.forEach((prefix, i) => texts[i].aim(language.encode(prefix).slice(-MOST_TOKENS), []));
    start();
  });
  /** The vectors, or nothing while they are not there yet. */
  const vectors = (prefixes) => {
    if (!asked) load().then(() => stage.repaint());
    if (!language) return undefined;
    aim(prefixes);
    return texts.every((text) => text.left() === 0) ? texts.map((text) => text.rows.at(-1)) : undefined;
  };
  const finish = () => {
    while (advance());
  };
  return { load, vectors, finish, loaded: () => language !== undefined };
}

// ---- what is shown ----

/** The word to compare while sentences change: the one that was asked for, or that is compared now. */
function kept(stage) {
  const state = Object.fromEntries(names.map((name) => [name, stage.get(name)]));
  return state.word || (chosenOf(sharedWords(readIn(state)), "") ?? "");
}

/** A sentence to write, and under it what the model reads of it. */
function sentence(stage, k) {
  const label = html("span", {}, html("span", { class: KINDS[k], "aria-hidden": "true" }, "● "), `Sentence ${k + 1}`);
  const box = textbox(stage, { name: SENTENCES[k], label, change: (typed) => ({ [SENTENCES[k]]: typed, word: kept(stage) }) });
  const read = html("p", { class: "xp-caption xp-as-read" });
  let shown;
  const paint = (pieces) => {
    if (shown === (shown = JSON.stringify(pieces))) return;
    read.replaceChildren(...pieces.flatMap(([text, kind]) => [html(kind === "xp-shared" ? "b" : "span", { class: kind }, text), " "]));
  };
  return { node: html("div", {}, box, read), paint };
}

/** The pieces of a sentence, each with how it is read. */
function asRead(text, words, word, reader, encoder) {
  if (words.length === 0 || word === null) return [[words.length ? "No word shared." : "No words: left out.", ""]];
  if (reader === "encoder") return words.map((one, i) => [one, i === words.lastIndexOf(word) ? "xp-shared" : encoder.knows(one) ? "" : "xp-masked"]);
  const prefix = upTo(text, word, MOST_WORDS);
  return [[prefix.slice(0, -word.length), ""], [prefix.slice(-word.length), "xp-shared"], [text.slice(prefix.length), "xp-unseen"]].filter(([piece]) => piece.trim());
}

/** The words that all sentences share, one of them chosen. */
function wordChoice(stage) {
  const id = newId();
  const select = html("select", { id, onchange: () => stage.set({ word: select.value }) });
  const only = html("b");
  let offered;
  const paint = (shared, word) => {
    if (offered !== (offered = shared.join("|"))) select.replaceChildren(...shared.map((one) => html("option", { value: one }, one)));
    select.hidden = shared.length < 2;
    put(only, select.hidden ? (word ?? "none") : "");
    if (select.value !== (word ?? "")) select.value = word ?? "";
  };
  return { node: html("div", { class: "xp-pick" }, html("label", { for: id }, "Shared word"), select, only), paint };
}

/** The first sentence with words, to which the others are turned; what is not computed yet leaves it open. */
const levelOf = (cosines) => PAIRS[cosines?.findIndex(Boolean) ?? 0][0];

/** The angle of each sentence to the level one at a layer: the second upwards, the third downwards, none where no words are. */
function turnsAt(cosines, l) {
  const level = levelOf(cosines);
  return SENTENCES.map((_, k) => {
    if (k === level) return 0;
    const c = cosines[PAIRS.findIndex(([i, j]) => i === level && j === k)]?.[l];
    return c === undefined ? undefined : (k === 1 ? -1 : 1) * Math.acos(clamp(c, -1, 1));
  });
}

/** For each layer the vectors as arrows from one point. */
function fans(stage) {
  const most = stage.bounds.layer.high + 1;
  const columns = range(most).map((l) => {
    const ground = svg("rect", { class: "xp-ground", y: 0, height: HEIGHT, onclick: () => stage.set({ layer: l }) });
    const arrows = KINDS.map(arrow);
    return { ground, arrows, node: svg("g", {}, ground, ...[...arrows].reverse().map(({ node }) => node)) };
  });
  const node = svg("svg", { height: HEIGHT, "aria-hidden": "true", class: "xp-fans" }, ...columns.map((column) => column.node));
  const paint = (cosines, count, layer) => {
    const step = (stage.column - NAMED) / count;
    const length = Math.min(0.78 * step, HEIGHT / 2 - 8);
    set(node, { width: stage.column });
    columns.forEach(({ ground, arrows, node: column }, l) => {
      set(column, { display: l < count && cosines ? "inline" : "none", transform: `translate(${NAMED + step * l},0)` });
      set(ground, { width: step, "data-on": l === layer });
      if (!cosines || l >= count) return;
      turnsAt(cosines, l).forEach((turn, k) => {
        set(arrows[k].node, { display: turn === undefined ? "none" : "inline" });
        if (turn !== undefined) arrows[k].point(8 + length * Math.cos(turn), HEIGHT / 2 + length * Math.sin(turn), 8, HEIGHT / 2);
      });
    });
  };
  return { node, paint };
}

/** The cosine of each pair of sentences at each layer. */
function cosineTable(most) {
  const heads = range(most).map((l) => html("th", { scope: "col" }, layerName(l)));
  const rows = PAIRS.map(() => range(most).map(() => html("td")));
  const lines = rows.map((cells, p) => html("tr", {}, html("th", { scope: "row" }, PAIRS[p].map((k) => k + 1).join(" and ")), ...cells));
  const node = html("table", { class: "xp-cosines", "aria-label": "Cosines of sentences by layer" }, html("thead", {}, html("tr", {}, html("td", {}, "cosine"), ...heads)), html("tbody", {}, ...lines));
  const paint = (cosines, count, layer) =>
    [heads, ...rows].forEach((cells, r) => {
      show(cells, count);
      cells.forEach((cell, l) => {
        cell.classList.toggle("xp-lit", l === layer);
        if (r > 0) put(cell, cosines?.[r - 1] && l < count ? fixed(cosines[r - 1][l], 3) : "–");
      });
    });
  return { node, paint };
}

const oneDiffers = ([a, b]) => a.length === b.length && a.filter((word, i) => word !== b[i]).length === 1;
const last = ({ cosines }) => cosines?.[0]?.at(-1) ?? NaN;
const TASKS = [
  ["bring 1 and 2 to 0.99 in the encoder, with other words?", (now) => now.reader === "encoder" && now.differ && last(now) >= 0.99],
  ["bring 1 and 2 below 0.6, differing in one word?", (now) => now.reader === "encoder" && oneDiffers(now.sentences) && last(now) < 0.6],
  ["make the language model see no difference?", (now) => now.reader === "language" && now.differ && last(now) > 0.99999],
];

/** How the arrows lie, of the sentences that have words. */
function legendOf({ cosines, sentences }) {
  const level = levelOf(cosines);
  const turned = [[1, "2 upwards"], [2, "3 downwards"]].filter(([k]) => k > level && (!cosines || sentences[k].length));
  return `Sentence ${level + 1} level, ${listed(turned.map(([, says]) => says))}, at ${turned.length > 1 ? "their angles" : "its angle"} to ${level + 1}`;
}

/** What to do where nothing can be compared. */
function missing(sentences) {
  const written = range(sentences.length).filter((k) => sentences[k].length);
  if (written.length > 1) return "These sentences share no word: write one into all of them.";
  return written.length ? `Only sentence ${written[0] + 1} has words: write another with a word of it.` : "No sentence has words: write two with a word in both.";
}

function sentenceOn({ word, asked, reader, layer, cosines, sentences }, encoder) {
  const found = PAIRS.map(([i, j], p) => cosines[p] && `${fixed(cosines[p][layer], 3)} in ${i + 1} and ${j + 1}`).filter(Boolean);
  const place = layer ? `After layer ${layer} of the ${SAYS[reader]}` : `Before the first layer of the ${SAYS[reader]}`;
  const strange = [...new Set(sentences.flat())].filter((one) => !encoder.knows(one));
  const masks = reader === "encoder" && strange.length ? ` It never saw ${someOf(strange)}, and reads a mask there.` : "";
  const instead = asked && asked !== word ? `${quotedShort(asked)} is not read in every sentence, so “${word}” is compared instead. ` : "";
  return `${instead}${place}, the vectors of “${word}” have a cosine of ${listed(found)}.${masks}`;
}

async function build(stage) {
  const encoder = openEncoder(await weights(stage.model, "senses", unpackFlat));
  const language = languageReader(stage);
  const most = stage.bounds.layer.high + 1;
  const which = choice(stage, { name: "reader", label: "Who reads the sentences" });
  const boxes = range(3).map((k) => sentence(stage, k));
  const pick = wordChoice(stage);
  const layer = slider(stage, { name: "layer", label: ["Layer"], max: ({ reader }) => LAST[reader], show: (l, { reader }) => (l ? Math.min(l, LAST[reader]) : "none") });
  const [drawing, table, tasks] = [fans(stage), cosineTable(most), goals(TASKS)];
  const note = html("p", { class: "xp-note" });
  const reads = {
    encoder: `It sees the whole sentence. It knows ${encoder.size} words, and reads any other as a mask (dashed).`,
    language: "It sees what stands before the word. A cue after it (struck out) changes nothing.",
  };
  const legend = html("p", { class: "xp-caption" });
  stage.root.append(
    html("div", { class: "xp-grid xp-senses" },
      html("div", {}, which, note, ...boxes.map(({ node }) => node)),
      html("div", {}, html("div", { class: "xp-pair" }, pick.node, layer), legend, drawing.node, table.node, tasks.node)),
  );
  const read = (state) => {
    const texts = textsOf(state);
    const sentences = readIn(state);
    const shared = sharedWords(sentences);
    const word = chosenOf(shared, state.word);
    const prefixes = () => texts.map((text, i) => (sentences[i].length ? upTo(text, word, MOST_WORDS) : ""));
    const vectors = word === null ? undefined : state.reader === "encoder" ? encoder.vectors(sentences, word) : language.vectors(prefixes());
    const cosines = vectors && PAIRS.map(([i, j]) => vectors[i] && vectors[j] && vectors[i].map((x, l) => cosine(x, vectors[j][l])));
    const differ = sentences[0].join(" ") !== sentences[1].join(" ");
    return { ...state, asked: state.word, texts, sentences, shared, word, cosines, differ, layer: Math.min(state.layer, LAST[state.reader]) };
  };
  if (stage.get("reader") === "language") {
    await language.load();
    read(Object.fromEntries(names.map((name) => [name, stage.get(name)])));
    language.finish();
  }
  return (state) => {
    const now = read(state);
    const count = LAST[now.reader] + 1;
    const long = now.texts.some((text) => wordsOf(text, Infinity).length > MOST_WORDS);
    put(note, `${reads[now.reader]}${long ? ` Only the first ${MOST_WORDS} words of a sentence are read.` : ""}`);
    boxes.forEach((box, k) => box.paint(asRead(now.texts[k], now.sentences[k], now.word, now.reader, encoder)));
    pick.paint(now.shared, now.word);
    drawing.paint(now.cosines, count, now.layer);
    table.paint(now.cosines, count, now.layer);
    put(legend, legendOf(now));
    legend.style.visibility = now.word === null ? "hidden" : "visible"; // nothing is drawn then, and its line stays free
    if (now.word === null) return missing(now.sentences);
    if (!now.cosines) return language.loaded() ? "The language model reads …" : "The language model is being fetched …";
    return sentenceOn(now, encoder) + tasks.paint(now);
  };
}

export default explorable("A word in your sentences", names, build);
