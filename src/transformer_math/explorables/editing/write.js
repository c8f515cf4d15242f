import { explorable, html, library, newId, plural, put, set, weights } from "../kit.js";
import { piecewise } from "../work.js";
import { asked, without } from "./asked.js";
import { openBook } from "./book.js";
import { tooDeep } from "./brackets.js";
import { codeNames } from "./codes.js";
import { field } from "./field.js";
import { grading } from "./grade.js";
import { later } from "./later.js";
import { written } from "./lines.js";
import { SIGMOID } from "./logistic.js";
import { functionNames, understood } from "./typed.js";
import { typeset, typesetter } from "./typeset.js";
import { amount } from "./words.js";

const names = ["equation", "latex", "hints"];
const SHOWN = 3; // hints: the last one is the formula

// ---- what was written is remembered here, and nowhere else ----

const keyOf = (label) => `write:${label}`;

function remembered(label) {
  try {
    return localStorage.getItem(keyOf(label)) !== null;
  } catch {
    return false; // a browser that remembers nothing
  }
}

function remember(label) {
  try {
    localStorage.setItem(keyOf(label), new Date().toISOString().slice(0, 10));
  } catch {
    // it is remembered until the page is left
  }
  document.dispatchEvent(new CustomEvent("exercise:done", { detail: { formula: label } }));
}

// ---- KaTeX, the book's formulas and the cases to try, when somebody first writes ----

function reader(stage) {
  return later(stage, async () => {
    const [katex, packed, tried] = await Promise.all([library(stage.model, "katex"), weights(stage.model, "printed_formulas"), weights(stage.model, "trials")]);
    const formulas = JSON.parse(packed.formulas);
    return { katex, formulas, trials: JSON.parse(tried.trials), functions: [...functionNames(formulas), SIGMOID], whole: await openBook(katex, formulas) };
  });
}

/** Typesets and grades what was written, a piece between two frames: the task, the formula, then one case after another. */
function grader(source, view, changed) {
  let [asking, task, text, verdict] = [undefined, undefined, "", undefined];
  const work = piecewise(changed);
  const prepare = () => {
    const { katex, formulas, functions, whole, trials } = source.ready();
    const { label, name } = task;
    const book = without(whole, formulas, label);
    asking = { label, ...trials[label], ...asked(katex, formulas, label, name), reader: { katex, functions, book, printed: formulas[label].tex, codes: codeNames(task.symbols) } };
  };
  function* steps() {
    if (asking?.label !== task.label) {
      prepare();
      yield;
    }
    const { katex, printed, functions, codes } = asking.reader;
    view.paint(katex, written(understood(text, printed, functions, codes), asking.left) || asking.left);
    yield;
    return yield* grading(asking.reader, asking, asking.cases, asking.known, text);
  }
  const aim = (wanted, latex) => {
    if (wanted === task && latex === text) return;
    [task, text, verdict] = [wanted, latex, undefined];
    work.begin(steps(), (found) => (verdict = found));
  };
  return { aim, verdict: () => verdict };
}

// ---- parts ----

/** The list of all tasks by chapter, and buttons to the one before and after. */
function chooser(stage, tasks, go) {
  const [id, options] = [newId(), tasks.map(({ label, title }) => html("option", { value: label }, title))];
  const groups = new Map();
  tasks.forEach(({ chapter }, i) => groups.set(chapter, [...(groups.get(chapter) ?? []), options[i]]));
  const select = html("select", { id, onchange: () => go(select.value) }, ...[...groups].map(([label, own]) => html("optgroup", { label }, ...own)));
  const step = (by, words) => html("button", { type: "button", onclick: () => go(tasks[tasks.findIndex(({ label }) => label === select.value) + by].label) }, words);
  const [before, behind] = [step(-1, "Previous"), step(1, "Next")];
  const count = html("span", { class: "xp-count" });
  const pick = html("div", { class: "xp-pick" }, html("label", { for: id }, "Formula"), select);
  const node = html("div", { class: "xp-choosing" }, pick, html("div", { class: "xp-buttons" }, before, behind, count));
  let marked = 0;
  const mark = (done) => {
    marked = done.size;
    tasks.forEach((one, i) => put(options[i], done.has(one.label) ? `✓ ${one.title}` : one.title));
  };
  const paint = (label, done) => {
    if (select.value !== label) select.value = label;
    before.disabled = label === tasks[0].label;
    behind.disabled = label === tasks.at(-1).label;
    if (marked !== done.size) mark(done);
    put(count, `${done.size} of ${tasks.length} written`);
  };
  return { node, paint };
}

/** What is to be computed, and what there is for it. */
function question() {
  const title = html("p", { class: "xp-asks" });
  const says = html("p", {});
  const rows = html("tbody");
  const table = html("table", { class: "xp-given", "aria-label": "You have" }, rows);
  const node = html("div", { class: "xp-question", tabindex: 0, role: "group", "aria-label": "What is to be written" }, title, says, html("p", { class: "xp-caption" }, "You have"), table);
  const row = ({ math, meaning, shape, code }) => {
    const [symbol, words] = [html("td"), html("td")];
    symbol.innerHTML = math;
    words.innerHTML = [meaning, shape && ` <span>${shape}</span>`, code && ` ${code}`].filter(Boolean).join(";");
    return html("tr", {}, symbol, words);
  };
  let shown;
  const paint = (task, isDone) => {
    put(title, `${isDone ? "✓ " : ""}${task.title[0].toUpperCase()}${task.title.slice(1)}`);
    if (shown === task) return;
    shown = task;
    says.innerHTML = task.says;
    rows.replaceChildren(...task.symbols.map(row));
    node.scrollTop = 0;
  };
  return { node, paint };
}

/** The typeset formula: its left side until something was written; the last that could be read, faint, where this one cannot. */
function preview(stage) {
  const node = html("div", { class: "xp-typeset", tabindex: 0, role: "group", "aria-label": "Your formula, typeset" });
  const formula = typesetter(stage, node);
  const reset = (left) => {
    formula.stop();
    node.innerHTML = `<div>${left}</div>`;
    node.classList.remove("xp-stale");
  };
  const paint = (katex, tex) => {
    try {
      if (tooDeep(tex)) throw new RangeError("nothing that a browser can lay out");
      formula.paint(katex, tex);
      node.classList.remove("xp-stale");
    } catch {
      node.classList.add("xp-stale");
    }
  };
  return { node, reset, paint };
}

/** Hints, one more with each press of the button. */
function hints(stage, source) {
  const button = html("button", { type: "button", onclick: () => stage.set({ hints: stage.get("hints") + 1 }) });
  const again = html("button", { type: "button", onclick: () => stage.set({ latex: "", hints: 0 }) }, "Start again");
  const [uses, first, whole] = [html("p"), html("p"), html("div", { class: "xp-solution" })];
  const room = html("div", { class: "xp-hints", tabindex: 0, role: "group", "aria-label": "Hints" }, whole, uses, first);
  const node = html("div", { class: "xp-helps" }, html("div", { class: "xp-buttons" }, button, again), room);
  let shown;
  const write = (task) => {
    const called = task.calls.length ? ` It calls on ${listed(task.calls)}.` : "";
    uses.innerHTML = `It uses ${listed(task.uses)}.${called}`;
    const more = task.lines > 1 ? ` The book’s formula has ${task.lines} lines, with a name of its own for each step.` : "";
    put(first, `Outermost stands ${task.first}.${more}`);
    whole.replaceChildren();
    shown = task;
  };
  const paint = (task, count) => {
    if (shown !== task) write(task);
    [uses, first, whole].forEach((part, i) => (part.hidden = i >= count));
    button.disabled = count === SHOWN;
    put(button, ["A hint: what goes in", "A hint: the first sign", "Show the formula", "The formula is shown"][count]);
    room.classList.toggle("xp-empty", count === 0);
    if (count < SHOWN || whole.firstChild) return;
    source.open();
    const ready = source.ready();
    if (ready) whole.innerHTML = typeset(stage, ready.katex, ready.formulas[task.label].tex);
  };
  return { node, paint };
}

const listed = (all) => (all.length ? all.join(", ").replace(/, ([^,]*)$/, " and $1") : "nothing that is given");

// ---- the verdict in words ----

const ordinal = (case_, count) => (count > 1 ? `in case ${case_ + 1}` : "");
const PLACES = [() => "", ([i]) => `at place ${i}`, ([i, j]) => `in row ${i}, column ${j}`];
const placed = (at) => (PLACES[at.length] ?? (() => `at ${at.join(", ")}`))(at);
const alike = (at, others) => (at.length ? `as at ${plural(others, "other place")}` : `as in ${plural(others, "other case")}`);

const SAYS = {
  empty: () => "Nothing is written yet.",
  unread: ({ problem }) => problem.words,
  copied: ({ name }) => `${name} is a name for what is asked. Write what it computes, from what goes in.`,
  right: ({ count, worst, overflows }, wasShown) => `${overflows ? `Right on paper. In a computer some cases end in no number: ${overflows}` : `Right: the book’s numbers in all ${count} cases, with a largest difference of ${amount(worst)}.`} ${wasShown ? "The formula was shown, so this one is not marked as written. Come back to it another time." : "It is marked as written."}`,
  held: () => "Its numbers are the book’s, but it stops other gradients: what stands in sg is held fixed, everything else moves.",
  wrong: (found) => (found.known ? `${found.known.says} (${differs(found)})` : `${differs(found)} ${where(found)}`),
};

const OVERFLOWS = "an exponential overflows: it is larger than any number that a computer holds. In the others they are the book’s. In a sum of exponentials, subtract the largest exponent from all of them first.";

const differs = ({ failed, count, onlyInfinite, onlyOverflow }) =>
  onlyOverflow ? `Its numbers are off in ${failed} of ${count} cases, where ${OVERFLOWS}` : onlyInfinite ? `Where all its numbers are finite, they are the book’s; in ${failed} of ${count} cases some are not.` : `Other numbers than the book’s in ${failed} of ${count} cases.`;

function where({ shapes, case: number, count, at, mine, right, by, others }) {
  if (shapes) return `Its result ${ordinal(number, count)} is ${shapes[0]}; wanted ${shapes[1]}.`;
  const place = [ordinal(number, count), placed(at), others && alike(at, others)].filter(Boolean).join(", ");
  return `The largest difference, ${amount(by)}, is ${place}: yours ${amount(mine)}, the book’s ${amount(right)}. Cases count from 1; rows, columns and places from 0.`;
}

const tidy = (text) => text.replace(/ {2,}/g, " ").trim();

/** The task that a link to the page names, as in practice.html?write=eq-softmax; a figure's own state, after "#", goes before. */
const fromAddress = () => !location.hash && new URLSearchParams(location.search).get("write");

async function build(stage) {
  const tasks = JSON.parse((await weights(stage.model, "tasks")).tasks);
  const byLabel = new Map(tasks.map((task) => [task.label, task]));
  const done = new Set(tasks.map(({ label }) => label).filter(remembered));
  const go = (equation) => byLabel.has(equation) && stage.set({ equation, latex: "", hints: 0 });
  const source = reader(stage);
  const [choose, asks, view, hint] = [chooser(stage, tasks, go), question(), preview(stage), hints(stage, source)];
  const change = (latex) => stage.set({ latex });
  const text = field("Your formula, in LaTeX or as you would type it", change, source.open);
  const grade = grader(source, view, () => stage.repaint());
  stage.root.append(choose.node, asks.node, html("div", { class: "xp-answer" }, view.node, text.node), hint.node);
  stage.root.classList.add("xp-writing");
  go(fromAddress());
  let cleared;
  stage.settle = () => text.align();
  return ({ equation, latex, hints: count }) => {
    const task = byLabel.get(equation);
    const isEmpty = !latex.trim();
    if (!isEmpty) source.open();
    if (source.ready() && !isEmpty) grade.aim(task, latex);
    const found = isEmpty ? { kind: "empty" } : source.ready() && grade.verdict();
    if (found?.kind === "right" && count < SHOWN && !done.has(equation)) {
      done.add(equation);
      remember(equation);
    }
    if (isEmpty && cleared !== (cleared = `${equation} ${latex}`)) view.reset(task.left);
    if (!isEmpty) cleared = undefined;
    choose.paint(equation, done);
    asks.paint(task, done.has(equation));
    hint.paint(task, count);
    text.paint(latex, found?.problem?.place);
    if (source.problem()) return `KaTeX could not be loaded: ${source.problem().message}.`;
    if (latex === "") return "Write what stands on the right of the “=”. What you write is run on cases of the formula’s check; a further line may define a name.";
    if (!found) return "Reading …";
    const says = tidy(SAYS[found.kind](found, count === SHOWN));
    return found.meant && found.meant !== latex ? `${says} Read as ${found.meant.trim()}` : says;
  };
}

export default explorable("Write the formula", names, build);
