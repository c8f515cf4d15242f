import { entropy } from "../attention/formulas.js";
import { clamp, explorable, fixed, handle, html, memo, path, put, set, slider, svg, tell } from "../kit.js";
import { goals } from "../goals.js";
import { placesOfLargest, range } from "../numbers.js";
import { percent } from "./candidates.js";
import { coldest, probabilities } from "./formulas.js";

const names = ["logits", "constant", "temperature", "words"];
const [TALL, FOOT, CURVE, SIDE] = [270, 20, 104, 30]; // pixels
const POINTS = 60; // of the curve

const bitsAt = (x, temperature) => entropy(Array.from(probabilities(x, temperature)));

/** The logits as bars from zero, each with a grip at its end; `move(v, logit)` puts one elsewhere. */
function barsOf(stage, words) {
  const most = stage.bounds.logits.high;
  const reach = 2 * most + 0.4; // a logit and the constant
  const middle = (TALL - FOOT) / 2;
  const unit = (middle - 20) / reach; // with room for the number behind a bar
  const zero = svg("path", { class: "xp-line" });
  const move = (v, x) => stage.set({ logits: stage.get("logits").map((old, u) => (u === v ? Number(clamp(x, -most, most).toFixed(2)) : old)) });
  const bars = words.map((word, v) => {
    const bar = svg("rect", { class: "xp-dot xp-query" });
    const knob = svg("rect", { class: "xp-grip xp-query", height: 8, y: -4, rx: 3 });
    const hit = svg("rect", { class: "xp-hit", height: 36, y: -18 });
    const number = svg("text", { "text-anchor": "middle", class: "xp-caption" });
    const grip = svg("g", {}, hit, knob);
    handle(grip, {
      label: `Logit of ${word}`,
      drag: ({ y }) => move(v, (middle - y) / unit - stage.get("constant")),
      step: (dx, dy) => move(v, stage.get("logits")[v] + 0.1 * (dx + dy)),
      end: (side) => move(v, side * most),
    });
    return { bar, knob, hit, number, grip, label: svg("text", { "text-anchor": "middle", y: TALL - 4, class: "xp-caption" }, word) };
  });
  const node = svg("svg", { height: TALL, role: "group", "aria-label": "Logits" }, zero, ...bars.flatMap(({ bar, label, number }) => [bar, label, number]), ...bars.map(({ grip }) => grip));
  const paint = ({ logits, constant }) => {
    const step = stage.column / words.length;
    set(node, { width: stage.column });
    set(zero, { d: `M0,${middle}h${stage.column}` });
    bars.forEach(({ bar, knob, hit, number, grip, label }, v) => {
      const [x, top] = [step * (v + 0.5), middle - unit * (logits[v] + constant)];
      set(bar, { x: x - 0.3 * step, width: 0.6 * step, y: Math.min(top, middle), height: Math.abs(top - middle) });
      for (const part of [knob, hit]) set(part, { x: -0.3 * step, width: 0.6 * step });
      set(grip, { transform: `translate(${x.toFixed(1)},${top.toFixed(1)})` });
      set(number, { x, y: top + (top > middle ? 18 : -9) });
      put(number, fixed(logits[v] + constant));
      set(label, { x });
      tell(grip, logits[v], -most, most, fixed(logits[v] + constant));
    });
  };
  return { node, paint };
}

/** Each word's probability, between its two limits. */
function tableOf(words) {
  const lines = words.map((word) => {
    const [bar, number, cold, hot] = [html("i"), html("b"), html("td"), html("td", {}, percent(1 / words.length))];
    const drawn = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), number));
    return { bar, number, cold, row: html("tr", {}, html("th", { scope: "row" }, word), cold, drawn, hot) };
  });
  const now = html("th", { scope: "col" });
  const head = html("tr", {}, html("td"), html("th", { scope: "col" }, "T → 0"), now, html("th", { scope: "col" }, "T → ∞"));
  const node = html("table", { class: "xp-limits", "aria-label": "Probabilities between their limits" }, html("thead", {}, head), html("tbody", {}, ...lines.map(({ row }) => row)));
  const paint = ({ p, cold, temperature }) => {
    put(now, `T = ${fixed(temperature)}`);
    lines.forEach((line, v) => {
      line.bar.style.transform = `scaleX(${p[v].toFixed(3)})`;
      put(line.number, percent(p[v]));
      put(line.cold, percent(cold[v]));
    });
  };
  return { node, paint };
}

/** The entropy at every temperature; a dot that can be moved along stands at this one. */
function curveOf(stage, n) {
  const { low, high } = stage.bounds.temperature;
  const most = Math.log2(n);
  const to = (share) => stage.set({ temperature: clamp(Number((low * (high / low) ** share).toPrecision(2)), low, high) });
  const share = (t) => Math.log(t / low) / Math.log(high / low);
  const [ceiling, line, dot] = [svg("path", { class: "xp-line" }), svg("path", { class: "xp-curve xp-key" }), svg("circle", { r: 6, class: "xp-grip xp-key" })];
  const grip = svg("g", {}, svg("circle", { r: 18, class: "xp-hit" }), dot);
  const texts = [0.1, 1, 10].map((t) => ({ t, text: svg("text", { "text-anchor": "middle", y: CURVE - 1 }, String(t)) }));
  const sides = [svg("text", { x: SIDE - 5, y: 14, "text-anchor": "end" }, fixed(most, 1)), svg("text", { x: SIDE - 5, y: CURVE - 15, "text-anchor": "end" }, "0")];
  const node = svg("svg", { height: CURVE, role: "group", "aria-label": "Entropy by temperature" }, ceiling, line, svg("g", { class: "xp-ticks" }, ...texts.map(({ text }) => text), ...sides), grip);
  let width = 1;
  handle(grip, {
    label: "Temperature on the curve",
    drag: ({ x }) => to(clamp((x - SIDE) / width, 0, 1)),
    step: (dx, dy) => to(clamp(share(stage.get("temperature")) + 0.02 * (dx + dy), 0, 1)),
    end: (side) => to(side > 0 ? 1 : 0),
  });
  const at = (t, h) => [SIDE + width * share(t), 10 + (CURVE - 30) * (1 - h / most)];
  /** Neither the temperature nor a constant changes the curve. */
  const drawn = memo((logits) => path(range(POINTS).map((k) => low * (high / low) ** (k / (POINTS - 1))).map((t) => at(t, bitsAt(logits, t)))));
  const paint = ({ logits, temperature, bits }) => {
    width = stage.column - SIDE - 8;
    set(node, { width: stage.column });
    set(ceiling, { d: `M${SIDE},10h${width}M${SIDE},${CURVE - 20}h${width}` });
    set(line, { d: drawn(logits, width) });
    set(grip, { transform: `translate(${at(temperature, bits).map((c) => c.toFixed(1))})` });
    for (const { t, text } of texts) set(text, { x: at(t, 0)[0] });
    tell(grip, temperature, low, high, `${fixed(temperature)}: ${fixed(bits)} bits`);
  };
  return { node, paint };
}

const second = (p) => [...p].sort((a, b) => b - a)[1];

const tasks = (start, n) => [
  ["get half of the largest entropy, at T = 1?", ({ temperature, bits }) => temperature === 1 && Math.abs(bits - Math.log2(n) / 2) < 0.02],
  ["give a word 99 % and move no logit?", ({ logits, p }) => logits.join() === start && Math.max(...p) >= 0.99],
  ["make one word ten times as likely as the next?", ({ p }) => Math.abs(Math.max(...p) / second(p) - 10) < 0.2],
];

function measure(state) {
  const x = state.logits.map((logit) => logit + state.constant);
  const p = Array.from(probabilities(x, state.temperature));
  return { ...state, x, p, cold: coldest(x), bits: entropy(p) };
}

function sentenceOn({ p, words, bits, temperature, constant }) {
  const most = Math.log2(words.length);
  const best = placesOfLargest(p);
  const likeliest = best.length === 1 ? "the likeliest word is" : "the likeliest words are";
  const added = constant ? ` The ${fixed(constant)} that is added to every logit changes no probability.` : "";
  return (
    `At T = ${fixed(temperature)} ${likeliest} ${best.map((v) => `“${words[v]}”`).join(" and ")}, ${percent(p[best[0]])}${best.length > 1 ? " each" : ""}. The entropy is ${fixed(bits)} bits, ` +
    `${fixed((100 * bits) / most, 0)} % of the ${fixed(most)} that ${words.length} equal words would have.${added}`
  );
}

function build(stage) {
  const words = stage.get("words");
  const [bars, table, curve] = [barsOf(stage, words), tableOf(words), curveOf(stage, words.length)];
  const done = goals(tasks(stage.get("logits").join(), words.length));
  const { low, high } = stage.bounds.temperature;
  const write = (x) => clamp(Number((10 ** x).toPrecision(2)), low, high);
  const heat = slider(stage, { name: "temperature", label: ["Temperature T"], min: Math.log10(low), max: () => Math.log10(high), step: 0.02, show: (t) => fixed(t), read: (state) => Math.log10(state.temperature), write });
  const raise = slider(stage, { name: "constant", label: ["Add to every logit"], step: 0.1, show: (c) => fixed(c) });
  const caption = (text) => html("p", { class: "xp-caption" }, text);
  stage.root.append(
    html("div", { class: "xp-grid xp-heat-bath" },
      html("div", {}, caption("Logits: drag the end of a bar"), bars.node, heat, raise),
      html("div", {}, caption("Probabilities"), table.node, caption("Entropy in bits, by temperature"), curve.node, done.node)),
  );
  return (state) => {
    const now = measure(state);
    for (const part of [bars, table, curve]) part.paint(now);
    return sentenceOn(now) + done.paint(now);
  };
}

export default explorable("Logits, temperature, probabilities", names, build);
