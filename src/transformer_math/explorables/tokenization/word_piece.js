import { choice, explorable, fixed, html, memo, plural, put, quoted, set, show, slider, textbox } from "../kit.js";
import { goals } from "../goals.js";
import { range } from "../numbers.js";
import { afterwards } from "../afterwards.js";
import { slices } from "../work.js";
import { mergeSteps } from "./likelihood.js";

const names = ["corpus", "merges", "rule", "left", "right"];
const [MOST, PAIRS] = [400, 6];
const BY = { freq: "count of the pair", gain: "gain in likelihood", score: "score", count: "number of places" };
const COLUMNS = ["pair", "count", "score", "gain"];
const DECIDES = { freq: 1, count: 1, score: 2, gain: 3 };
const times = (count) => (count === 1 ? "once" : `${count} times`);

/** Six lines for the pairs, each a button that brings its pair into sight. */
function pairTable(stage, name) {
  const caption = html("caption");
  const heads = COLUMNS.map((text) => html("th", { scope: "col" }, text));
  const lines = range(PAIRS).map((i) => {
    const button = html("button", { type: "button", onclick: () => stage.set({ [name]: i }) });
    const cells = range(3).map(() => html("td"));
    return { row: html("tr", {}, html("th", { scope: "row" }, button), ...cells), button, cells };
  });
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const node = html("table", { class: "xp-next xp-joined" }, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const paint = (title, pairs, rule, seen) => {
    const decides = DECIDES[rule];
    put(caption, title);
    heads.forEach((head, k) => head.classList.toggle("xp-decides", k === decides));
    show(lines.map(({ row }) => row), pairs.length);
    pairs.slice(0, PAIRS).forEach(({ a, b, freq, m, score, gain }, i) => {
      const { button, cells } = lines[i];
      put(button, `${a} ${b}`);
      set(button, { "aria-pressed": i === seen });
      [String(rule === "freq" ? freq : m), fixed(score), fixed(gain)].forEach((text, k) => put(cells[k], text));
      cells.forEach((cell, k) => cell.classList.toggle("xp-decides", k + 1 === decides));
    });
  };
  return { node, paint };
}

/** The words of the corpus as pieces, the pair in sight framed. */
function drawWords(node, rows, pair) {
  const word = ({ tokens, count }) => {
    let taken = -1;
    const piece = (token, i) => {
      const first = pair && i > taken && token === pair.a && tokens[i + 1] === pair.b;
      if (first) taken = i + 1;
      return html("i", { class: first || i === taken ? "xp-hit-piece" : "" }, token);
    };
    return html("span", {}, ...tokens.map(piece), count > 1 ? html("small", {}, ` ×${count}`) : "");
  };
  node.replaceChildren(...rows.map(word));
}

/** The steps of a text by a rule, as many as were asked for so far. */
function stepper() {
  const begun = memo((text, rule) => ({ steps: [], left: mergeSteps(text, rule) }));
  return (text, rule, merges) => {
    const { steps, left } = begun(text, rule);
    while (steps.length <= merges) {
      const { done, value } = left.next();
      if (done) break;
      steps.push(value);
    }
    return steps;
  };
}

/** How many merges there are, at most `high`, found out a few at a time; `high` until that is known. `stepsTo(n)` are both sides' steps so far. */
function merged(high, found) {
  let [asked, stepsTo, upTo, last] = [undefined, undefined, 0, undefined];
  const advance = () => {
    if (last !== undefined) return false;
    upTo += 1;
    const most = Math.max(...stepsTo(upTo).map((steps) => steps.length - 1));
    if (most < upTo || upTo === high) last = most;
    return last === undefined;
  };
  const start = slices(advance, () => last === undefined || found());
  const count = (key, steps) => {
    if (key === asked) return;
    [asked, stepsTo, upTo, last] = [key, steps, 0, undefined];
    start();
  };
  return { count, last: () => last ?? high, isBusy: () => last === undefined };
}

/** Why a pair stands where it does. */
function reason({ a, b, m, nA, nB, N, score, gain }) {
  const chance = fixed((nA * nB) / N);
  const counts = a === b ? `${quoted(a)} occurs ${nA}×` : `${quoted(a)} occurs ${nA}×, ${quoted(b)} ${nB}×`;
  return `${quoted(a)} ${quoted(b)}: ${counts}, of ${N} tokens; by chance they would meet ${chance}×, and a merge changes ${plural(m, "place")}: score ${fixed(score)}, gain ${fixed(gain)}.`;
}

function side(stage, name, title) {
  const [table, note, words, learnt] = [pairTable(stage, name), html("p", { class: "xp-note" }), html("div", { class: "xp-corpus", tabindex: 0, role: "group", "aria-label": `Corpus of ${title}` }), html("p", { class: "xp-learnt", tabindex: 0, role: "group", "aria-label": `Merged by ${title}; the box scrolls` })];
  const node = html("div", {}, html("div", { class: "xp-pair-room" }, table.node), note, words, learnt);
  let drawn = {};
  const drawRest = afterwards(words, (rows, pair, told) => {
    if (drawn.rows !== rows || drawn.pair !== pair) drawWords(words, rows, pair);
    put(learnt, told);
    drawn = { rows, pair };
  });
  const paint = (steps, made, rule, seen) => {
    const at = Math.min(made, steps.length - 1);
    const { rows, pairs } = steps[at];
    const chosen = Math.min(seen, Math.min(pairs.length, PAIRS) - 1);
    table.paint(`${title}: next by ${BY[rule]}`, pairs, rule, chosen);
    put(note, pairs.length ? reason(pairs[chosen]) : rows.length ? "Every word is one token: no pair is left." : "The corpus holds no word yet.");
    const merged = steps.slice(0, at).map(({ pairs: [{ a, b }] }) => (rule === "freq" ? a + b : a + b.replace(/^##/, "")));
    drawRest(rows, pairs[chosen], merged.length ? `Merged, the last first: ${merged.reverse().join(", ")}` : "Nothing merged yet.");
    const alike = pairs.slice(1).filter((other) => !isAhead([pairs[0], other])).length;
    return { next: pairs[0], seen: pairs[chosen], at, ahead: isAhead(pairs), alike };
  };
  return { node, paint };
}

/** Whether the first pair beats another, by more than rounding. */
const isAhead = ([first, second]) => second !== undefined && first.value - second.value > 1e-9 * Math.abs(first.value);

const bare = ({ a, b }) => [a, b].map((token) => token.replace(/^##/, "")).join(" ");

const TASKS = [
  ["let both prefer the same letters, untied?", (sides) => sides.every(({ ahead }) => ahead) && sides.map(({ next }) => bare(next)).reduce((a, b) => a === b)],
  ["let WordPiece merge in one place, BPE in four?", ([bpe, wordPiece]) => wordPiece.next?.m === 1 && bpe.next?.m >= 4],
  ["find different tokens that meet less than by chance?", (sides) => sides.some(({ seen }) => seen && seen.a !== seen.b && seen.score < 1)],
];

function build(stage) {
  const text = textbox(stage, { name: "corpus", label: "Corpus", change: (typed) => ({ corpus: typed, left: 0, right: 0 }) });
  const onward = (merges) => ({ merges, left: 0, right: 0 });
  const made = merged(stage.bounds.merges.high, () => stage.repaint());
  const upToLast = ({ merges }) => Math.min(merges, made.last());
  const onwards = slider(stage, { name: "merges", label: ["Merges made"], max: made.last, read: upToLast, show: (merges) => String(upToLast({ merges })), change: onward });
  const rules = choice(stage, { name: "rule", label: "WordPiece goes by", change: (rule) => ({ rule, left: 0, right: 0 }) });
  const sides = [side(stage, "left", "BPE"), side(stage, "right", "WordPiece")];
  const tasks = goals(TASKS);
  tasks.node.classList.add("xp-in-row");
  stage.root.classList.add("xp-told", "xp-joining");
  stage.root.append(html("div", { class: "xp-lead" }, text, onwards, rules), html("div", { class: "xp-grid" }, ...sides.map(({ node }) => node)), tasks.node);
  const [bpe, wordPiece] = [stepper(), stepper()];
  return ({ corpus, merges, rule, left, right }) => {
    const read = [...corpus].slice(0, MOST).join("");
    const stepsTo = (count) => [bpe(read, "freq", count), wordPiece(read, rule, count)];
    const [ofBpe, ofWordPiece] = stepsTo(merges);
    const now = [sides[0].paint(ofBpe, merges, "freq", left), sides[1].paint(ofWordPiece, merges, rule, right)];
    made.count(`${rule} ${read}`, stepsTo);
    set(onwards, { "aria-busy": made.isBusy() });
    const done = Math.min(merges, Math.max(...now.map(({ at }) => at)));
    const said = now.map(({ next, at, alike }, k) => {
      const who = `${["BPE", "WordPiece"][k]}${at && at < done ? ` (after its last merge, number ${at})` : ""}`;
      const tie = alike ? `, like ${plural(alike, "other pair")}: the smaller ids win` : "";
      return next ? `${who} merges ${quoted(next.a)} and ${quoted(next.b)} next, ${k === 0 ? `counted ${times(next.freq)}` : rule === "count" ? plural(next.m, "place") : `${BY[rule]} ${fixed(next.value)}`}${tie}` : at ? `${who} has no pair left` : `${who} has nothing to merge`;
    });
    const cut = [...corpus].length > MOST ? ` Only the first ${MOST} characters are read.` : "";
    return `After ${plural(done, "merge")}: ${said.join("; ")}.${cut}${tasks.paint(now)}`;
  };
}

export default explorable("WordPiece against BPE", names, build);
