import { selfAttention } from "../attention/formulas.js";
import { goalsBeside } from "../goals.js";
import { choice, clamp, explorable, fixed, handle, html, inks, put, set, svg, tell } from "../kit.js";
import { placesOfLargest, range } from "../numbers.js";
import { sinusoidal } from "./formulas.js";

const names = ["order", "given", "words", "vectors"];
const LARGEST = 2.5; // the number with the full colour
const LEFT = 58;
const CHIP = { y: 22, height: 38 };
const CELL = 12;
const NOW = 84; // where the vectors of now begin, and those of the sentence as it was
const FIRST = 204;
const CHANGE = 330;
const HEIGHT = 346;

const mean = (rows) => rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length);
const apart = (a, b) => Math.max(...a.map((x, c) => Math.abs(x - b[c])));

/** What attention gives to each word, in the sentence's own order of words, wherever they stand. */
function outputs({ vectors, given }, order) {
  const X = order.map((w) => vectors[w]);
  const P = sinusoidal(range(order.length), X[0].length, 10000);
  const Z = given === "sinusoids" ? X.map((x, i) => x.map((value, c) => value + P[i][c])) : X;
  const O = selfAttention(Z, given === "mask");
  return range(order.length).map((w) => O[order.indexOf(w)]);
}

/** A column of ink for a vector, in a frame. */
function column(size, y, ink) {
  const cells = range(size).map((c) => svg("rect", { y: y + c * CELL, height: CELL }));
  const frame = svg("rect", { class: "xp-line", y, height: size * CELL });
  const node = svg("g", {}, svg("g", { class: "xp-map" }, ...cells), frame);
  const paint = (vector, width) => {
    set(frame, { width });
    vector.forEach((x, c) => {
      const strength = Math.min(1, Math.abs(x) / LARGEST).toFixed(3);
      set(cells[c], { width, fill: `rgb(${ink(x)})`, "fill-opacity": strength });
    });
  };
  return { node, paint };
}

/** What stands below a word, or below the mean of all: its vector now, at first, and how far the two are apart. */
function results(size, ink) {
  const [now, first] = [column(size, NOW, ink), column(size, FIRST, ink)];
  const number = svg("text", { y: CHANGE, "text-anchor": "middle" });
  const node = svg("g", {}, now.node, first.node, number);
  const paint = (x, slot, vectors) => {
    set(node, { transform: `translate(${x + 3},0)` });
    [now, first].forEach((part, i) => part.paint(vectors[i], slot - 6));
    set(number, { x: (slot - 6) / 2 });
    put(number, fixed(apart(...vectors)));
  };
  return { node, paint };
}

/** A word to be dragged along the sentence, or moved by keys. */
function chip(stage, w, text, slots) {
  const flag = svg("rect", { class: "xp-flag xp-position", rx: 8, y: CHIP.y, height: CHIP.height });
  const words = svg("text", { class: "xp-flagged", y: CHIP.y + CHIP.height / 2 + 4.5 }, text);
  const node = svg("g", {}, svg("rect", { class: "xp-hit", y: CHIP.y - 2, height: CHIP.height + 4 }), flag, words);
  const move = (place) => {
    const order = stage.get("order").filter((other) => other !== w);
    order.splice(clamp(place, 0, order.length), 0, w);
    if (order.join() !== stage.get("order").join()) stage.set({ order });
  };
  const here = () => stage.get("order").indexOf(w);
  handle(node, {
    label: `${text}, at first in place ${w}: left and right move it`,
    drag: ({ x }) => move(Math.floor((x - LEFT) / slots())),
    step: (dx, dy) => move(here() + dx + dy),
    end: (side) => move(side < 0 ? 0 : Infinity),
  });
  const paint = (x, slot, place, n) => {
    set(node, { transform: `translate(${x + 3},0)` });
    for (const part of [flag, node.firstChild]) set(part, { width: slot - 6 });
    set(words, { x: (slot - 6) / 2 });
    tell(node, place, 0, n - 1, `place ${place}`);
  };
  return { node, paint };
}

const kept = (change) => change < 1e-9;
const moved = (order) => order.some((w, place) => w !== place);
const stays = (order) => order.map((_, w) => order[w] === w);

const TASKS = [
  ["sinusoids: move two, change no other?", ({ given, order, changes }) => given === "sinusoids" && stays(order).filter((same) => !same).length === 2 && stays(order).every((same, w) => !same || kept(changes[w]))],
  ["mask: move words, keep three vectors?", ({ given, order, changes }) => given === "mask" && moved(order) && changes.filter(kept).length >= 3],
  ["mask: keep only the last word’s vector?", ({ given, changes }) => given === "mask" && changes.every((change, w) => kept(change) === (w === changes.length - 1))],
];

function build(stage) {
  const [words, vectors] = [stage.get("words"), stage.get("vectors")];
  const [n, size] = [words.length, vectors[0].length];
  const slots = () => (stage.width - LEFT) / (n + 1);
  const ink = inks(stage.root);
  const own = range(n);
  const to = (text, order) => html("button", { type: "button", onclick: () => stage.set({ order: order() }) }, text);
  const buttons = html("div", { class: "xp-buttons" },
    to("Man bites dog", () => [0, 4, 2, 3, 1]),
    to("Reverse", () => [...stage.get("order")].reverse()),
    to("As it was", () => own));
  const controls = html("div", { class: "xp-controls" }, choice(stage, { name: "given", label: "Attention is told about places by" }), buttons);
  const chips = own.map((w) => chip(stage, w, words[w], slots));
  const below = range(n + 1).map(() => results(size, ink));
  const places = own.map(() => svg("text", { y: 12, "text-anchor": "middle" }));
  const label = (y, text) => svg("text", { x: LEFT - 8, y, "text-anchor": "end" }, text);
  const sides = [label(12, "place"), label(NOW + 52, "now"), label(FIRST + 52, "at first"), label(CHANGE, "change")];
  const all = svg("text", { y: CHIP.y + 24, "text-anchor": "middle" }, "mean");
  const ticks = svg("g", { class: "xp-ticks" }, ...sides, ...places, all);
  const picture = svg("svg", { height: HEIGHT, role: "group", "aria-label": "The sentence, and what each word gets" }, ticks);
  picture.append(...below.map(({ node }) => node), ...chips.map(({ node }) => node));
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(controls, picture, tasks.node);
  return (state) => {
    const { order, given } = state;
    const [now, first] = [outputs(state, order), outputs(state, own)];
    const slot = slots();
    const at = (place) => LEFT + place * slot;
    set(picture, { width: stage.width });
    order.forEach((w, place) => {
      chips[w].paint(at(place), slot, place, n);
      below[w].paint(at(place), slot, [now[w], first[w]]);
      set(places[place], { x: at(place) + slot / 2 });
      put(places[place], String(place));
    });
    below[n].paint(at(n), slot, [mean(now), mean(first)]);
    set(all, { x: at(n) + slot / 2 });
    const changes = own.map((w) => apart(now[w], first[w]));
    const most = placesOfLargest(changes);
    const named = most.map((w) => `“${words[w]}” (at first in place ${w})`).join(" and ");
    const same = changes[most[0]] < 1e-9;
    const told = { nothing: "Nothing tells attention about places", sinusoids: "Sinusoids are added", mask: "Every word sees itself and the words before it" };
    const sentence = `“${order.map((w) => words[w]).join(" ")}”`;
    const verdict = order.every((w, place) => w === place)
      ? "the words stand as they did at first."
      : same
        ? "every word has the vector that it had at first, and so has the mean: only their places changed."
        : `the ${most.length > 1 ? `vectors of ${named} change` : `vector of ${named} changes`} most, by ${fixed(changes[most[0]])}, and the mean by ${fixed(apart(mean(now), mean(first)))}.`;
    return `${sentence}. ${told[given]}: ${verdict}${tasks.paint({ given, order, changes })}`;
  };
}

export default explorable("Words change places", names, build);
