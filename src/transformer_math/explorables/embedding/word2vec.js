import { goalsBeside } from "../goals.js";
import { axisLabels, centredAt, choice, explorable, fixed, grouped, html, path, set, slider, svg, symbol } from "../kit.js";
import { range } from "../numbers.js";
import { bestScore, noiseShares, pairLoss } from "./formulas.js";

const names = ["power", "k", "score", "pair", "corpus"];
const [LOWEST, HIGHEST] = [-5, -1]; // powers of ten, of the axis of shares
const ROW = 24;
const HEIGHT = 224;
/** An expected number of pairs, with the digits that its logarithm needs. */
const expected = (x) => (x >= 1000 ? grouped(Math.round(x)) : String(Number(x.toPrecision(4))));
const percent = (p) => `${(100 * p).toPrecision(2)}\u202f%`;

/** Everything the pictures need, from the state. */
function measure({ power, k, score, pair, corpus }) {
  const shares = corpus.counts.map((c) => c / corpus.total);
  const noise = noiseShares(corpus.counts, corpus.rest, power);
  const [real, ofCentre] = corpus.pairs[pair];
  const invented = k * ofCentre * noise[corpus.words.indexOf(pair.split(" ")[1])];
  const best = bestScore(real, invented);
  return { shares, noise, real, invented, best, loss: pairLoss(score, real, invented), least: pairLoss(best, real, invented) };
}

/** For each word two dots on a logarithmic axis: its share of the text, and its share of the noise. */
function noisePicture(stage, words) {
  const rows = words.map(() => ({
    line: svg("path", { class: "xp-line" }),
    text: svg("circle", { r: 4.5, class: "xp-dot xp-muted" }),
    noise: svg("circle", { r: 6, class: "xp-dot xp-query" }),
  }));
  const [frame, labels] = [svg("path", { class: "xp-line" }), axisLabels()];
  const parts = rows.flatMap(({ line, text, noise }) => [line, text, noise]);
  const picture = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, labels.group, ...parts);
  const left = 92;
  const paint = (state, { shares, noise }) => {
    const width = stage.column - left - 26;
    const x = (share) => left + ((Math.log10(share) - LOWEST) / (HIGHEST - LOWEST)) * width;
    const bottom = ROW * rows.length + 6;
    set(picture, { width: stage.column });
    const marks = range(HIGHEST - LOWEST + 1).map((i) => 10 ** (LOWEST + i));
    set(frame, { d: `M${left},${bottom}h${width}${marks.map((m) => `M${x(m)},4V${bottom}`).join("")}` });
    const below = marks.map((m) => [x(m), bottom + 18, `${Number((100 * m).toPrecision(1))}\u202f%`]);
    const beside = words.map((word, i) => [left - 10, ROW * (i + 0.5) + 8, word, "end"]);
    labels.paint([...below, ...beside]);
    rows.forEach((row, i) => {
      const y = ROW * (i + 0.5) + 4;
      const [from, to] = [x(shares[i]), x(noise[i])];
      set(row.line, { d: `M${from},${y}H${to}` });
      set(row.text, centredAt([from, y]));
      set(row.noise, centredAt([to, y]));
    });
  };
  return { picture, paint };
}

/** The loss per question about the pair against its score, the least of it, and the score that was chosen. */
function lossPicture(stage) {
  const { low, high } = stage.bounds.score;
  const scores = range(97).map((i) => low + ((high - low) * i) / 96);
  const curve = svg("path", { class: "xp-curve xp-position" });
  const [least, chosen] = [svg("path", { class: "xp-marker" }), svg("circle", { r: 6, class: "xp-dot xp-query" })];
  const [frame, labels] = [svg("path", { class: "xp-line" }), axisLabels()];
  const picture = svg("svg", { height: HEIGHT, "aria-hidden": "true" }, frame, labels.group, least, curve, chosen);
  const left = 30;
  const paint = ({ score }, { real, invented, best, loss }) => {
    const width = stage.column - left - 12;
    const [top, bottom] = [6, HEIGHT - 26];
    const x = (s) => left + ((s - low) / (high - low)) * width;
    const y = (value) => bottom - (Math.min(value, 6) / 6) * (bottom - top);
    set(picture, { width: stage.column });
    set(frame, { d: `M${left},${bottom}h${width}M${x(0)},${top}V${bottom}` });
    labels.paint([
      ...[-6, -3, 0, 3, 6].map((s) => [x(s), HEIGHT - 8, fixed(s, 0)]),
      ...[0, 2, 4, 6].map((v) => [left - 8, y(v) + 4, fixed(v, 0), "end"]),
    ]);
    set(curve, { d: path(scores.map((s) => [x(s), y(pairLoss(s, real, invented))])) });
    set(least, { d: best > high ? "" : `M${x(best)},${top}V${bottom}` });
    set(chosen, centredAt([x(score), y(loss)]));
  };
  return { picture, paint };
}

const TASKS = [
  ["draw noise as the text draws its words?", ({ shares, noise }) => shares.every((share, i) => Math.abs(noise[i] / share - 1) < 0.01)],
  ["bring the loss within 0.001 of its least?", ({ loss, least }) => loss - least < 0.001],
  ["let the best score of a pair be negative?", ({ best }) => best < -0.05],
];

function build(stage) {
  const { words } = stage.get("corpus");
  const [noise, loss] = [noisePicture(stage, words), lossPicture(stage)];
  const power = slider(stage, { name: "power", step: 0.05, label: ["Power ", symbol("α")], show: (a) => fixed(a) });
  const k = slider(stage, { name: "k", label: ["Invented words ", symbol("k"), " for each real one"] });
  const score = slider(stage, { name: "score", step: 0.05, label: ["Score of the pair"], show: (s) => fixed(s) });
  const pair = choice(stage, { name: "pair", label: "Pair: centre, neighbour" });
  const legend = html(
    "p",
    { class: "xp-legend" },
    html("span", { class: "xp-muted" }, "share of the text"),
    html("span", { class: "xp-query" }, "share of the noise"),
  );
  const caption = html("p", { class: "xp-caption" }, "Loss per question, by score; the line marks the best");
  const tasks = goalsBeside(stage, TASKS);
  stage.root.append(
    html(
      "div",
      { class: "xp-grid" },
      html("div", { class: "xp-stack" }, power, noise.picture, legend),
      html("div", { class: "xp-stack" }, score, loss.picture, caption),
    ),
    html("div", { class: "xp-controls" }, pair, k),
    tasks.node,
  );
  return (state) => {
    const found = measure(state);
    noise.paint(state, found);
    loss.paint(state, found);
    const { shares, noise: q, real, invented, best, loss: now, least } = found;
    const rare = words.indexOf("opinion");
    return (
      `“the” is ${percent(shares[0])} of the text, ${percent(q[0])} of the noise; “opinion” is drawn ` +
      `${fixed(q[rare] / shares[rare], 1)} times as often as it occurs. (${stage.bounds.pair.labels[state.pair]}) comes ` +
      `${grouped(real)} times, ${expected(invented)} times as noise on average: best score ` +
      `ln(${real} / ${expected(invented)}) = ${fixed(best)}${best > stage.bounds.score.high ? ", beyond the axis" : ""}. At ${fixed(state.score)} the loss is ${fixed(now)} nats, ` +
      `${fixed(now - least)} above the least.${tasks.paint(found)}`
    );
  };
}

export default explorable("Negative sampling: noise and scores", names, build);
