import { goalsBeside } from "../goals.js";
import { centredAt, choice, clamp, explorable, fixed, handle, html, set, slider, svg, tell, unpack, weights } from "../kit.js";
import { range } from "../numbers.js";
import { whereItRests } from "../rest.js";
import { cosinesWith, distancesFrom, planeOfQuestion } from "./formulas.js";
import { lines } from "./lines.js";

const names = ["layer", "sentence", "sentences", "planted"];
const SENSES = { river: "query", money: "key" };
const ENDS = [
  ["shore", "beach"],
  ["treasury", "mint"],
];
const SHOWN = 5;
const HEIGHT = 230;
const [SIDE, TOP] = [40, 24];
const SQUARE = 9;

const squareAt = ([x, y]) => ({ x: x - SQUARE / 2, y: y - SQUARE / 2 });

const mean = (rows) => rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0) / rows.length);

/** A dot for each sentence, round for rivers and square for money, and for each word; the words with one sense are named. */
function sentencePicture(stage, planted, words) {
  const last = planted.length - 1;
  const shapes = { river: () => svg("circle", { r: 5, class: "xp-dot xp-query" }), money: () => svg("rect", { width: SQUARE, height: SQUARE, class: "xp-dot xp-key" }) };
  const dots = planted.map((sense) => shapes[sense]());
  const others = words.map((word) => {
    const end = ENDS.findIndex((one) => one.includes(word));
    return svg("circle", { r: 2.5, class: `xp-dot xp-${end < 0 ? "muted" : Object.values(SENSES)[end]}` });
  });
  const labels = ENDS.map((end) => svg("text", { class: "xp-named", "text-anchor": "middle" }, end.join(", ")));
  const ring = svg("circle", { r: 10, class: "xp-band" });
  const grip = svg("g", {}, svg("rect", { class: "xp-hit", width: 10, height: HEIGHT }), ring);
  const node = svg("svg", { height: HEIGHT }, ...others, ...dots, ...labels, grip);
  let at = [];
  const nearest = ({ x, y }) => {
    const away = at.map(([u, v]) => Math.hypot(u - x, v - y));
    stage.set({ sentence: away.indexOf(Math.min(...away)) });
  };
  /** The next sentence to one side, from left to right. */
  const along = (step) => {
    const order = range(at.length).sort((i, j) => at[i][0] - at[j][0] || i - j);
    stage.set({ sentence: order[clamp(order.indexOf(stage.get("sentence")) + step, 0, last)] });
  };
  handle(grip, {
    label: "The sentence",
    drag: nearest,
    step: (dx, dy) => along(dx + dy),
    end: (side) => along(side * at.length),
  });
  const place = (event) => {
    const box = node.getBoundingClientRect();
    nearest({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  grip.addEventListener("pointerdown", place);
  node.addEventListener("pointermove", (event) => event.pointerType === "mouse" && event.buttons === 0 && place(event));
  const paint = (chosen, width, Y, text) => {
    const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((k) => most(...Y.map((y) => y[k]))));
    const room = [width - 2 * SIDE, HEIGHT - 2 * TOP];
    const onPage = (y) => [SIDE + (room[0] * (y[0] - low[0])) / (high[0] - low[0]), HEIGHT - TOP - (room[1] * (y[1] - low[1])) / (high[1] - low[1])];
    const places = Y.map(onPage);
    const ends = places.splice(0, ENDS.length);
    const lowest = ENDS.map((end) => Math.max(...end.map((word) => places[planted.length + words.indexOf(word)][1])));
    at = places.slice(0, planted.length);
    set(node, { width });
    set(grip.firstChild, { width });
    [...dots, ...others].forEach((one, i) => set(one, one.tagName === "rect" ? squareAt(places[i]) : centredAt(places[i])));
    labels.forEach((label, k) => set(label, { x: clamp(ends[k][0], 50, width - 50), y: lowest[k] + 18 }));
    set(ring, centredAt(at[chosen]));
    tell(grip, chosen, 0, last, text);
  };
  return { node, paint };
}

const TASKS = [
  ["find a sentence decided by under 2 %?", ({ river, money }) => river !== money && Math.abs(river - money) < 0.02 * Math.max(river, money)],
  ["find one 3 times as near to one sense?", ({ river, money }) => river !== money && 3 * Math.min(river, money) <= Math.max(river, money)],
  ["find the sentence nearest to money?", ({ river, money, least }) => river !== money && money === least],
];

async function build(stage) {
  const parts = await weights(stage.model, "contextual_vectors", unpack);
  const words = parts.words.split(" ");
  const [sentences, planted] = [stage.get("sentences"), stage.get("planted")];
  const layer = choice(stage, { name: "layer", label: "Layers of the encoder" });
  const sentence = slider(stage, { name: "sentence", label: ["Sentence"], show: (i) => `${i + 1} of ${sentences.length}` });
  const map = sentencePicture(stage, planted, words);
  const near = lines("Nearest words", range(SHOWN).map((i) => String(i + 1)), ["nearest words", "cosine"]);
  const mark = (sense, shape) => html("span", { class: `xp-${SENSES[sense]}` }, `${shape} “bank”, ${sense}`);
  const tasks = whereItRests(stage, goalsBeside(stage, TASKS));
  stage.root.append(
    html("div", { class: "xp-controls xp-level" }, layer, sentence),
    html("div", { class: "xp-grid" }, html("div", { class: "xp-stack" }, map.node, html("p", { class: "xp-legend" }, mark("river", "●"), mark("money", "■"))), near.node),
    tasks.node,
  );
  return (state) => {
    const [banks, means, others] = ["banks", "means", "others"].map((name) => parts[`${state.layer}/${name}`]);
    const corners = [...ENDS.map((end) => mean(end.map((word) => others[words.indexOf(word)]))), mean(banks)];
    const Y = planeOfQuestion([...corners, ...banks, ...others], 0, 1, 2);
    map.paint(state.sentence, stage.column, Y.filter((_, i) => i !== ENDS.length), sentences[state.sentence]);
    const x = banks[state.sentence];
    const cosines = cosinesWith(others, x);
    const order = range(words.length).sort((i, j) => cosines[j] - cosines[i]);
    near.paint(order.slice(0, SHOWN).map((i) => [words[i], fixed(cosines[i])]));
    const given = `“${sentences[state.sentence]}”`;
    const [river, money] = distancesFrom(x, means);
    const least = Math.min(...banks.map((bank) => distancesFrom(bank, means)[1]));
    const done = tasks.paint({ river, money, least });
    if (river === money) return `${given}: by the table, “bank” has one vector for all sentences, as far from the one sense as from the other.${done}`;
    const told = river < money ? "river" : "money";
    return (
      `${given}: here “bank” is ${fixed(river)} from the mean of sentences about rivers and ${fixed(money)} from that of those about money: ` +
      `${told}${told === planted[state.sentence] ? ", as was planted" : `; planted was ${planted[state.sentence]}`}.${done}`
    );
  };
}

export default explorable("One word by its sentence", names, build);
