import { goalsBeside } from "../goals.js";
import { centredAt, choice, clamp, explorable, fixed, handle, html, newId, path, put, set, svg, tell, toggle, unpack, weights } from "../kit.js";
import { dot, range } from "../numbers.js";
import { analogyCosines, planeOfQuestion } from "./formulas.js";
import { slices } from "../work.js";
import { lines } from "./lines.js";

const names = ["text", "way", "a", "b", "c", "near", "own", "asked"];
const CORNERS = ["a", "b", "c"];
const SHOWN = 5;
const [WIDE, NARROW] = [194, 220]; // the map’s height in two columns and in one
const [SIDE, TOP] = [46, 22];
const DOT = 3; // a word’s radius
const inOrder = new Intl.Collator().compare;

/** A list of all words on the map, in the order of the alphabet, to choose one from: the chosen one at once, the others after it. */
function wordPicker(stage, name, label) {
  const id = newId();
  const select = html("select", { id, onchange: () => stage.set({ [name]: Number(select.value), near: Number(select.value) }) });
  const option = (i) => html("option", { value: i }, shown[i]);
  let [shown, chosen] = [undefined, undefined];
  const fill = slices(
    () => {
      const order = range(shown.length).sort((i, j) => inOrder(shown[i], shown[j]));
      select.replaceChildren(...order.map(option));
      select.value = chosen;
      return false;
    },
    () => set(select, { "aria-busy": false }),
  );
  const paint = (words, at) => {
    chosen = at;
    if (words !== shown) {
      shown = words;
      select.replaceChildren(option(at));
      set(select, { "aria-busy": true });
      fill();
    }
    if (Number(select.value) !== at) select.value = at;
  };
  return { node: html("div", { class: "xp-pick" }, html("label", { for: id }, label), select), paint };
}

/** A dot as a part of a path: all are written in one attribute. */
const disc = ([x, y]) => `M${(x - DOT).toFixed(1)},${y.toFixed(1)}a${DOT},${DOT} 0 1 0 ${2 * DOT},0a${DOT},${DOT} 0 1 0 ${-2 * DOT},0`;

/** The words as dots in the plane of the question, its parallelogram, and the names of what matters. */
function planePicture(stage, count) {
  const dots = svg("path", { class: "xp-dot xp-muted" });
  const [sides, far] = [svg("path", { class: "xp-curve xp-position" }), svg("path", { class: "xp-curve xp-key" })];
  const corner = svg("circle", { r: 7, class: "xp-span" });
  const ring = svg("circle", { r: 9, class: "xp-band" });
  const labels = range(6).map(() => svg("text", { class: "xp-named", "text-anchor": "middle" }));
  const grip = svg("g", {}, svg("rect", { class: "xp-hit", width: 10 }), ring);
  const node = svg("svg", {}, dots, sides, far, corner, grip, ...labels);
  let at = [];
  const nearest = ({ x, y }) => {
    const away = at.map(([u, v]) => Math.hypot(u - x, v - y));
    stage.set({ near: away.indexOf(Math.min(...away)) });
  };
  /** The next word to one side, from left to right. */
  const along = (step) => {
    const order = range(at.length).sort((i, j) => at[i][0] - at[j][0] || i - j);
    stage.set({ near: order[clamp(order.indexOf(stage.get("near")) + step, 0, count - 1)] });
  };
  handle(grip, {
    label: "The word whose neighbours are told",
    drag: nearest,
    step: (dx, dy) => along(dx + dy),
    end: (side) => along(side * count),
  });
  const place = (event) => {
    const box = node.getBoundingClientRect();
    nearest({ x: event.clientX - box.left, y: event.clientY - box.top });
  };
  grip.addEventListener("pointerdown", place);
  node.addEventListener("pointermove", (event) => event.pointerType === "mouse" && event.buttons === 0 && place(event));
  const paint = (state, words, Y, answer) => {
    const height = stage.wide ? WIDE : NARROW;
    const [a, b, c] = CORNERS.map((name) => Y[state[name]]);
    const target = [b[0] - a[0] + c[0], b[1] - a[1] + c[1]];
    const every = [...Y, target];
    const [low, high] = [Math.min, Math.max].map((most) => [0, 1].map((k) => most(...every.map((y) => y[k]))));
    const room = [stage.width - 2 * SIDE, height - 2 * TOP];
    const scale = Math.min(...room.map((length, k) => length / (high[k] - low[k])));
    const inset = room.map((length, k) => (length - scale * (high[k] - low[k])) / 2);
    const onPage = ([x, y]) => [SIDE + inset[0] + scale * (x - low[0]), height - TOP - inset[1] - scale * (y - low[1])];
    at = Y.map(onPage);
    const end = onPage(target);
    for (const one of [node, grip.firstChild]) set(one, { width: stage.width, height });
    set(dots, { d: at.map(disc).join("") });
    set(sides, { d: `${path([at[state.a], at[state.b], end, at[state.c]])}Z` });
    set(far, { d: path([end, at[answer]]) });
    set(corner, centredAt(end));
    set(ring, centredAt(at[state.near]));
    const named = [...new Set([state.near, state.a, state.b, state.c, answer])];
    labels.forEach((label, i) => {
      set(label, { visibility: i < named.length ? "inherit" : "hidden" });
      if (i >= named.length) return;
      const [x, y] = at[named[i]];
      put(label, words[named[i]]);
      set(label, { x: clamp(x, 30, stage.width - 30), y: y < 24 ? y + 20 : y - 11 });
    });
    tell(grip, state.near, 0, count - 1, words[state.near]);
  };
  return { node, paint };
}

const own = (state) => CORNERS.map((name) => state[name]);
const different = (words) => new Set(words).size === words.length;

const TASKS = [
  ["get a word of the question as the answer?", ({ state, answers, way }) => different(own(state)) && own(state).includes(answers[way])],
  ["get five answers from the five ways?", ({ state, answers }) => different(own(state)) && different(Object.values(answers))],
  ["ask anew, and get one answer from all?", ({ state, answers }) =>
    different(own(state)) && !own(state).some((word) => state.asked[state.text].includes(word)) && new Set(Object.values(answers)).size === 1],
];

async function build(stage) {
  const maps = await weights(stage.model, "word_ways", unpack);
  const lists = Object.fromEntries(Object.keys(stage.bounds.text.labels).map((text) => [text, maps[`${text}/words`].split(" ")]));
  const count = lists.planted.length;
  const asked = stage.get("asked");
  const methods = Object.keys(stage.bounds.way.labels);
  const text = choice(stage, { name: "text", label: "Text", change: (to) => ({ text: to, a: asked[to][0], b: asked[to][1], c: asked[to][2], near: asked[to][1] }) });
  const way = choice(stage, { name: "way", label: "Vectors by" });
  const pickers = CORNERS.map((name, i) => wordPicker(stage, name, ["Word a", "is to b", "as c"][i]));
  const allowed = toggle(stage, { name: "own", label: ["these words may answer"] });
  const map = planePicture(stage, count);
  const ranking = lines("Ranking", range(SHOWN).map((i) => String(i + 1)), ["nearest to b − a + c", "cosine"]);
  const ways = lines("Each way’s answer", methods, ["its answer", "cosine"]);
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    html("div", { class: "xp-controls xp-level xp-tight" }, text, way),
    html("div", { class: "xp-thirds" }, ...pickers.map(({ node }) => node)),
    map.node,
    html("div", { class: "xp-grid" }, ranking.node, html("div", {}, ways.node, allowed)),
    tasks.node,
  );
  /** The cosines that count, and the words in their order. */
  const ranked = (state, W) => {
    const cosines = analogyCosines(W, state.a, state.b, state.c);
    const answering = range(count).filter((i) => state.own || !own(state).includes(i));
    return { cosines, order: answering.sort((i, j) => cosines[j] - cosines[i]) };
  };
  return (state) => {
    const words = lists[state.text];
    const of = (name) => maps[`${state.text}/${name}`];
    const W = of(state.way);
    CORNERS.forEach((name, i) => pickers[i].paint(words, state[name]));
    const { cosines, order } = ranked(state, W);
    ranking.paint(order.slice(0, SHOWN).map((i) => [words[i], fixed(cosines[i])]));
    const all = methods.map((name) => ranked(state, of(name)));
    ways.paint(all.map((one) => [words[one.order[0]], fixed(one.cosines[one.order[0]])]));
    const answers = Object.fromEntries(methods.map((name, i) => [name, all[i].order[0]]));
    const done = tasks.paint({ state, answers, way: state.way });
    const [a, b, c] = own(state).map((i) => words[i]);
    const plane = [...new Set([...own(state), ...order])].slice(0, CORNERS.length); // three different words: those asked for, and the nearest answers
    map.paint(state, words, planeOfQuestion(W, ...plane), order[0]);
    const beside = range(count)
      .filter((i) => i !== state.near)
      .map((i) => [words[i], dot(W[i], W[state.near])])
      .sort((x, y) => y[1] - x[1])
      .slice(0, SHOWN);
    const near = `Near “${words[state.near]}” are ${beside.map(([word, cosine]) => `${word} ${fixed(cosine)}`).join(", ")}.`;
    if (!different(own(state))) return `With a word asked for twice the plane also goes through ${plane.slice(new Set(own(state)).size).map((i) => `“${words[i]}”`).join(" and ")}. ${near}${done}`;
    return `${a} is to ${b} as ${c} is to ${words[order[0]]}, by ${state.way}; the grey ring is b − a + c, the pink one “${words[state.near]}”. ${near}${done}`;
  };
}

export default explorable("Embedding map", names, build);
