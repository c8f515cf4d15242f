import { clamp, explorable, fixed, html, memo, put, set, show, slider, svg, textbox } from "../kit.js";
import { goals } from "../goals.js";
import { range } from "../numbers.js";
import { percent } from "../output/candidates.js";
import { bestWays, drawnCuts, edgePosteriors, emStep, firstPieces, forwardSums, heated, latticeOf, wordCounts } from "./lattice.js";

const names = ["corpus", "word", "steps", "temperature", "uniforms"];
const [MOST_WORDS, LONGEST_WORD, LONGEST_PIECE] = [12, 12, 6];
const ROWS = 6;
const HALO = "paint-order: stroke; stroke: var(--pst-color-background, var(--jp-layout-color0, Canvas)); stroke-width: 4px; stroke-linejoin: round";
const [TOP, BASE, HEIGHT] = [0, 152, 204];
const [HIGHEST, ROOMY] = [150, 70]; // of an arc over its foot; between letters that leave room for every label

const ALONG = range(41).map((k) => k / 40); // where an arc is looked at
const [RISES, FALLS] = [12, 3]; // of a label over its line, and below it
/** Where along its arc a label may stand, and how far below the arc its line is. */
const PLACES = [-6, -8, -10, 17, 19].flatMap((away) => range(21).map((k) => [0.5 + (k % 2 ? 0.0125 : -0.0125) * (k + (k % 2)), away]));
const thick = (share) => 0.8 + 6 * share;
const HAIR = thick(0.05) / 2; // half of it

/** A point of an arc from a place on a line to another. */
function onBend(from, to, foot, height, t) {
  const [near, far] = [3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2];
  return [(1 - t) ** 3 * from + near * (from + 6) + far * (to - 6) + t ** 3 * to, foot - height * (near + far)];
}

/** The pieces after each number of steps, and the log-likelihood there. */
const training = memo((corpus, most) => {
  const counts = wordCounts(corpus, MOST_WORDS, LONGEST_WORD);
  if (counts.length === 0) return [];
  const found = [];
  for (let pieces = firstPieces(counts, LONGEST_PIECE), step = 0; step <= most; step += 1) {
    const after = emStep(counts, pieces);
    found.push({ pieces, likelihood: after.likelihood });
    pieces = after.pieces;
  }
  return found;
});

/** The letters of a word that are no pieces; the lattice has an edge for them all the same. */
const unknownIn = (word, pieces) => {
  const known = new Set(pieces.map(([piece]) => piece));
  return [...new Set(word)].filter((letter) => !known.has(letter));
};

/** Everything that is shown of a state. */
function compute({ corpus, word: typed, steps, temperature, uniforms }, most) {
  const word = [...typed.replaceAll(" ", "")].slice(0, LONGEST_WORD).join("");
  const [first, model] = [training(corpus, most)[0], training(corpus, most)[steps]];
  if (word === "" || !model) return undefined;
  const L = latticeOf(word, model.pieces);
  const hot = heated(L, temperature);
  const whole = forwardSums(hot).at(-1);
  const best = bestWays(L, ROWS).map(({ score, cuts }) => ({ score, cuts, share: Math.exp(score / temperature - whole) }));
  const before = bestWays(latticeOf(word, first.pieces), 1)[0].cuts;
  return { word, ...model, L, gamma: edgePosteriors(hot), best, before, drawn: drawnCuts(hot, uniforms), unknown: unknownIn(word, model.pieces) };
}

const cutInto = (word, cuts) => {
  const characters = [...word];
  return cuts.slice(1).map((end, k) => characters.slice(cuts[k], end).join(""));
};
const edgesOf = (cuts) => cuts.slice(1).map((end, k) => `${cuts[k]} ${end}`);

/** A table of a few lines: two texts and a bar in each. */
function barTable(caption, heads) {
  const title = html("caption", {}, caption);
  const lines = range(ROWS).map(() => {
    const [name, number, bar] = [html("th", { scope: "row" }), html("b"), html("i")];
    const cell = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), number));
    return { row: html("tr", {}, name, cell), name, number, bar };
  });
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const node = html("table", { class: "xp-next xp-dense" }, title, html("thead", {}, head), html("tbody", {}, ...lines.map(({ row }) => row)));
  const paint = (items) => {
    show(lines.map(({ row }) => row), items.length);
    items.forEach(([text, share], k) => {
      put(lines[k].name, text);
      put(lines[k].number, percent(share));
      lines[k].bar.style.transform = `scaleX(${share.toFixed(3)})`;
    });
  };
  return { node, paint };
}

/** The lattice: places on a line, an arc for each piece above it, the way that was drawn below it. */
function drawing() {
  const group = svg("g");
  const node = svg("svg", { height: HEIGHT, role: "img", "aria-label": "The lattice" }, group);
  const bend = (from, to, foot, height) => `M${from.toFixed(1)},${foot} C${(from + 6).toFixed(1)},${(foot - height).toFixed(1)} ${(to - 6).toFixed(1)},${(foot - height).toFixed(1)} ${to.toFixed(1)},${foot}`;
  const paint = ({ word, L, gamma, best, drawn, unknown }, width) => {
    const characters = [...word];
    const isUnknown = (i, j) => j === i + 1 && unknown.includes(characters[i]);
    const dashes = (i, j) => (isUnknown(i, j) ? "8 5" : "none");
    const gap = (width - 24) / characters.length;
    const x = (place) => 12 + gap * place;
    const solid = new Set(edgesOf(best[0].cuts));
    const edges = range(characters.length).flatMap((i) => range(characters.length + 1).filter((j) => gamma[i][j] > 0.0005).map((j) => ({ i, j, own: solid.has(`${i} ${j}`) })));
    const slope = clamp(HIGHEST / Math.max(...edges.map(({ i, j }) => x(j) - x(i))), 0.34, 0.9);
    const rise = (from, to) => 24 + Math.min(HIGHEST, slope * (to - from));
    const parts = [];
    const labels = [];
    const taken = [];
    const passed = edges.flatMap(({ i, j }) => ALONG.map((t) => [...onBend(x(i), x(j), BASE, rise(x(i), x(j)), t), thick(gamma[i][j]) / 2]));
    /** What is said beside an arc: its share, where no other arc and no label stands; of the best way, at the worst over arcs as thin as hairs. */
    const label = ({ i, j, own }) => {
      const share = percent(gamma[i][j]);
      for (const said of isUnknown(i, j) ? [`${share}, unknown`, "unknown", share] : [share]) {
        const half = 4 * said.length + 3;
        const isFree = (least) => ({ middle, y }) =>
          y >= TOP + RISES && middle >= half && middle <= width - half &&
          !taken.some((other) => Math.abs(other.y - y) < 16 && Math.abs(other.middle - middle) < other.half + half) &&
          !passed.some(([px, py, pad]) => pad > least && Math.abs(px - middle) < half + pad && py > y - RISES - pad && py < y + FALLS + pad);
        const places = PLACES.map(([t, away]) => {
          const [middle, y] = onBend(x(i), x(j), BASE, rise(x(i), x(j)), t);
          return { middle, y: y + away, half };
        });
        const found = places.find(isFree(0)) ?? (own && places.find(isFree(HAIR)));
        if (!found) continue;
        taken.push(found);
        return [svg("text", { x: found.middle, y: found.y, "text-anchor": "middle", style: HALO }, said)];
      }
      return [];
    };
    for (const { i, j, own } of edges) {
      const piece = characters.slice(i, j).join("");
      const score = isUnknown(i, j) ? `unknown, scored ${fixed(L[i][j])}` : `ln p = ${fixed(L[i][j])}`;
      const look = { class: `xp-curve ${own ? "xp-query" : "xp-muted"}`, "stroke-dasharray": dashes(i, j) };
      const line = svg("path", { d: bend(x(i), x(j), BASE, rise(x(i), x(j))), ...look }, svg("title", {}, `${piece}: ${score}, posterior ${percent(gamma[i][j])}`));
      line.style.strokeWidth = `${thick(gamma[i][j]).toFixed(2)}px`;
      parts.push(line);
      if (own || (gap >= ROOMY && gamma[i][j] >= 0.05)) labels.push({ i, j, own });
    }
    drawn.slice(1).forEach((end, k) => parts.push(svg("path", { d: bend(x(drawn[k]) + 2, x(end) - 2, BASE + 30, -26), class: "xp-curve xp-key", "stroke-dasharray": dashes(drawn[k], end) })));
    const texts = labels.sort((a, b) => b.own - a.own || gamma[b.i][b.j] - gamma[a.i][a.j]).flatMap(label);
    const letters = characters.map((letter, i) => svg("text", { x: x(i) + gap / 2, y: BASE + 22, "text-anchor": "middle", "font-size": 18 }, letter));
    const dots = range(characters.length + 1).map((place) => svg("circle", { cx: x(place), cy: BASE, r: 3, class: "xp-dot xp-muted" }));
    set(node, { width, viewBox: `0 0 ${width} ${HEIGHT}`, "aria-label": `The lattice of ${word}: best way ${cutInto(word, best[0].cuts).join(" ")}, drawn ${cutInto(word, drawn).join(" ")}` });
    group.replaceChildren(...parts, ...dots, ...letters, ...texts);
  };
  return { node, paint };
}

/** Whether a word is cut into four letters or more, each of which is a piece. */
const lettersAlone = (word, cuts, pieces) => {
  const known = new Set(pieces.map(([piece]) => piece));
  return cuts.length >= 5 && cuts.length === [...word].length + 1 && [...word].every((letter) => known.has(letter));
};

const TASKS = [
  ["find a word of four letters or more that falls into letters, all of the corpus?", ({ word, best, pieces }) => lettersAlone(word, best[0].cuts, pieces)],
  ["let EM change the best way of a word?", ({ best, before }) => `${best[0].cuts}` !== `${before}`],
  ["heat the best way below 10 % of all?", ({ best }) => best[0].share < 0.1],
];

/** The word and the corpus; the temperature with a draw, the steps with one more of them. */
function inputs(stage, most) {
  const word = textbox(stage, { name: "word", label: "Word", change: (typed) => ({ word: typed }) });
  const corpus = textbox(stage, { name: "corpus", label: "Corpus", change: (typed) => ({ corpus: typed }) });
  const draw = () => stage.set({ uniforms: stage.get("uniforms").map(() => Math.random()) });
  const next = () => stage.set({ steps: Math.min(most, stage.get("steps") + 1) });
  const button = (text, onclick) => html("div", { class: "xp-buttons" }, html("button", { type: "button", onclick }, text));
  const temperature = slider(stage, { name: "temperature", label: ["Temperature"], step: 0.1, show: (t) => fixed(t, 1) });
  const steps = slider(stage, { name: "steps", label: ["Steps of EM"] });
  const [sample, onward] = [button("Sample", draw), button("One step of EM", next)];
  stage.syncs.push((state) => set(onward.firstChild, { "aria-disabled": state.steps === most }));
  const pressed = html("div", { class: "xp-pressed" }, temperature, sample, steps, onward);
  return html("div", {}, html("div", { class: "xp-lead" }, word, corpus), pressed);
}

function build(stage) {
  const most = stage.bounds.steps.high;
  const picture = drawing();
  const ways = barTable("The most probable ways", ["segmentation", "share of all"]);
  const pieces = barTable("The most probable pieces", ["piece", "probability"]);
  const note = html("p", { class: "xp-note" });
  const tasks = goals(TASKS);
  const below = html("div", { class: "xp-thirds" }, ways.node, pieces.node, tasks.node);
  stage.root.classList.add("xp-told");
  stage.root.append(inputs(stage, most), note, picture.node, below);
  return (state) => {
    const now = compute(state, most);
    const words = new Set(state.corpus.split(" ").filter((part) => part !== ""));
    const long = [state.word.replaceAll(" ", ""), ...words].some((one) => [...one].length > LONGEST_WORD);
    const many = words.size > MOST_WORDS;
    const unread = `${many ? `Only the first ${MOST_WORDS} different words of the corpus are read. ` : ""}${long ? `Of each word only the first ${LONGEST_WORD} characters are read.` : ""}`;
    put(note, many || long ? unread.trim() : "Arcs: pieces, as thick as their posterior. Blue: the best way. Below the letters: the drawn one.");
    below.hidden = !now;
    picture.node.style.visibility = now ? "visible" : "hidden";
    if (!now) return "There is no word yet, or no corpus.";
    picture.paint(now, stage.width);
    ways.paint(now.best.map(({ cuts, share }) => [cutInto(now.word, cuts).join(" "), share]));
    const order = [...now.pieces].sort(([, a], [, b]) => b - a).slice(0, ROWS);
    pieces.paint(order.map(([piece, score]) => [piece, Math.exp(score)]));
    const [{ cuts, score, share }] = now.best;
    const strangers = now.unknown.length ? ` Unknown, and dashed: ${now.unknown.join(" ")}.` : "";
    return (
      `“${now.word}” after ${state.steps} ${state.steps === 1 ? "step" : "steps"} of EM: the best way is ${cutInto(now.word, cuts).join(" ")}, ln p = ${fixed(score)}, ` +
      `${percent(share)} of all ways at temperature ${fixed(state.temperature, 1)}. Drawn: ${cutInto(now.word, now.drawn).join(" ")}.${strangers} Log-likelihood of the corpus: ${fixed(now.likelihood)}.${tasks.paint(now)}`
    );
  };
}

export default explorable("Unigram lattice", names, build);
