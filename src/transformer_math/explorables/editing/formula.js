import { goals } from "../goals.js";
import { clamp, explorable, fixed, html, inks, library, plural, put, set, weights } from "../kit.js";
import { slices } from "../work.js";
import { distances, farthest, isAboutFormula, openBook, recognise, runExample, runPartly, SAME, wantedParts } from "./book.js";
import { tooDeep } from "./brackets.js";
import { field } from "./field.js";
import { later } from "./later.js";
import { PICTURES } from "./pictures.js";
import { functionNames, squeezed, understood } from "./typed.js";
import { typesetter } from "./typeset.js";
import { amount, explained } from "./words.js";

const names = ["equation", "latex", "example"];
const UNREAD = "This is nothing that the book’s reader of formulas can make sense of."; // whatever went wrong within it
const EMPTIED = " "; // the state of a field that the reader emptied: "" is the book's formula

/** The formula with each replacement of an edit made wherever it applies. */
export const edited = (tex, replacements) => replacements.reduce((text, [from, to]) => text.replaceAll(from, to), tex);

/** KaTeX and the book's formulas, read when somebody first edits. */
function reader(stage, formulas) {
  return later(stage, async () => {
    const katex = await library(stage.model, "katex");
    return { katex, book: await openBook(katex, formulas), functions: functionNames(formulas) };
  });
}

const PADDING = 4; // of the typeset formula, left and right together
const SMALLEST = 66; // per cent; what is wider still scrolls
const GAIN = 5; // per cent that a formula has to win to grow again: letters are not exactly as wide as their size says

/** The typeset formula: the page's own until KaTeX is here; the last that could be read, faint, where this one cannot. */
function preview(stage, label) {
  const node = html("div", { class: "xp-typeset", tabindex: 0, role: "group", "aria-label": "The formula, typeset" });
  const printed = document.getElementById(`equation-${label}`)?.querySelector(".katex-display");
  if (printed) node.append(copied(printed));
  const formula = typesetter(stage, node);
  let [wanted, shown, katex] = [undefined, undefined, undefined];
  const typeset = () => {
    shown = wanted;
    try {
      if (tooDeep(shown)) throw new RangeError("nothing that a browser can lay out");
      formula.paint(katex, shown);
      node.classList.remove("xp-stale");
    } catch {
      node.classList.add("xp-stale");
    }
    return false;
  };
  let [room, size] = ["", 100];
  const fit = () => {
    if (room === (room = `${stage.width} ${shown}`) || !node.firstElementChild) return;
    const { width: wide } = node.firstElementChild.getBoundingClientRect();
    const fitting = clamp(Math.floor((size * (node.clientWidth - PADDING)) / wide), SMALLEST, 100);
    if (fitting >= size && fitting <= size + GAIN) return;
    node.style.fontSize = `${(size = fitting)}%`;
  };
  // the verdict answers at once, the typeset formula in the frame after it
  const renew = slices(typeset, () => {
    fit();
    set(node, { "aria-busy": false });
  });
  const paint = (library, tex) => {
    if (tex === wanted) return;
    [wanted, katex] = [tex, library];
    set(node, { "aria-busy": true });
    renew();
  };
  return { node, paint, fit };
}

/** How many whole lines of the field have room beside the buttons, of which two stand in a row, below the typeset formula. */
const linesBeside = (edits, lines) => {
  const free = 44 * Math.ceil((Object.keys(edits).length + 1) / 2) - 8 - 26 * lines - 90;
  return 3 + Math.max(0, Math.floor((free + 11) / 21));
};

/** A copy that no label points at and no key stops at. */
function copied(printed) {
  const copy = printed.cloneNode(true);
  copy.querySelector(".symbols")?.remove(); // the links by which the page's own symbols answer
  for (const part of copy.querySelectorAll("*")) for (const name of ["id", "tabindex", "role", "aria-label", "aria-describedby"]) part.removeAttribute(name);
  return copy;
}

function buttons(stage, edits, tex) {
  const all = [["Back to the book’s formula", []], ...Object.entries(edits)];
  const made = all.map(([label, replacements]) => {
    const latex = replacements.length ? edited(tex, replacements) : "";
    const button = html("button", { type: "button", onclick: () => stage.set({ latex }) }, label);
    return { button, latex };
  });
  const paint = (latex) => {
    for (const one of made) set(one.button, { "aria-pressed": one.latex === latex });
  };
  return { node: html("div", { class: "xp-edits", role: "group", "aria-label": "Edits" }, ...made.map(({ button }) => button)), paint };
}

/** The names that somebody may have meant who wrote another one. */
const namesOf = ({ common, cases: [{ given, wanted }] }, functions) => ({ symbols: Object.keys({ ...common, ...given, ...wanted }), functions });

/** What an edited formula gives, compared: the largest difference of each part, and where; or why there is none. */
export function judge({ katex, book, functions }, { page }, tex, example, wanted) {
  const deep = tooDeep(tex);
  if (deep) return { problem: { words: deep, place: [0, tex.length] } };
  try {
    const { parts, apart, unsaid } = runPartly(katex, book, page, tex, example);
    const compared = Object.keys(parts).map((name) => ({ name, ...largest(parts[name], wanted[name]) }));
    const here = Math.max(apart, ...compared.map(({ by }) => by));
    const elsewhere = here < SAME && !unsaid.length ? farthestElsewhere(katex, book, page, tex, example.elsewhere) : 0;
    return { parts, apart, compared, unsaid, elsewhere, known: recognise(parts, example.known) };
  } catch (error) {
    return { problem: isAboutFormula(error) ? explained(error, tex, namesOf(example, functions)) : { words: UNREAD, place: [0, tex.length] } };
  }
}

/** The largest difference from the function in a case with other numbers; what cannot be run there is infinitely far. */
export function farthestElsewhere(katex, book, page, tex, elsewhere) {
  const example = { common: {}, cases: [elsewhere] };
  try {
    const [{ parts, apart }, wanted] = [runExample(katex, book, page, tex, example), wantedParts(example)];
    return Math.max(apart, ...Object.keys(wanted).map((name) => largest(parts[name], wanted[name]).by));
  } catch (error) {
    if (!isAboutFormula(error)) throw error;
    return Infinity;
  }
}

/** The largest difference and its place; one of another size, or no number, is infinitely far. */
function largest(own, wanted) {
  if (own.length !== wanted.length) return { by: Infinity, count: own.length };
  const { by, places } = farthest(distances(own, wanted));
  return { by, at: by > 0 ? places[0] : undefined, others: places.length - 1 };
}

const where = ({ place, rows, columns }, at) => {
  const again = (names, i) => (names.indexOf(names[i]) !== names.lastIndexOf(names[i]) ? ` (${i})` : "");
  const said = (name) => (typeof name === "number" ? fixed(name) : /^\d+$/.test(name) ? name : `“${name}”`);
  const named = (word, names, i) => (word ? [`${word} ${said(names[i])}${again(names, i)}`] : []);
  return [...named(place[0], rows, Math.floor(at / columns.length)), ...named(place[1], columns, at % columns.length)].join(", ");
};

/** The comparison of the one part that a formula says. */
function partly({ compared: [{ name, by }], known, unsaid }) {
  const rest = `It does not say what ${unsaid.join(" and ")} is.${known ? ` ${known.says}` : ""}`;
  return by < SAME ? `The book’s numbers for ${name}: the largest difference is ${amount(by)}. ${rest}` : `${name} differs from the book’s by up to ${amount(by)}. ${rest}`;
}

/** The comparison in words. */
export function verdict({ problem, compared, apart, elsewhere, known, parts, unsaid }, { view }, wanted, pristine) {
  if (problem) return problem.words;
  if (unsaid.length) return partly({ compared, known, unsaid });
  const worst = compared.reduce((a, b) => (b.by > a.by ? b : a));
  if (pristine) return `The book’s formula, run on this page: it differs from the function by ${amount(worst.by)} at most.`;
  if (elsewhere >= SAME) return `The book’s numbers here, and wrong elsewhere${Number.isFinite(elsewhere) ? `, by up to ${amount(elsewhere)}` : ""}: in a case with other numbers and sizes. Does a number stand where a symbol belongs?`;
  if (worst.by < SAME && apart < SAME) return `Written otherwise, the same numbers: the largest difference from the book’s is ${amount(worst.by)}.`;
  const shown = compared.find(({ name }) => name === view.name);
  const says = known ? [known.says] : [];
  if (worst.count !== undefined) says.push(`It gives ${plural(worst.count, "number")}, and ${wanted[worst.name].length} are wanted.`);
  else if (worst.by < SAME) says.push("On the left it gives the book’s numbers.");
  else if (shown.by < SAME) says.push(`${view.name} is the book’s; ${worst.name} differs by up to ${amount(worst.by)}.`);
  else {
    const [own, right] = [parts, wanted].map((some) => amount(some[view.name][shown.at]));
    const both = own === right ? `${own} in both, rounded` : `${own}, the book’s ${right}`;
    const more = shown.others ? `, and at ${plural(shown.others, "other place")}` : "";
    says.push(`Largest difference: ${amount(shown.by)}, at ${where(view, shown.at)}${more}: ${both}.`);
  }
  if (!known && apart >= SAME && (Number.isFinite(apart) || Object.values(parts).flat().every(Number.isFinite))) says.push("The sides of “=” no longer agree.");
  return says.join(" ");
}

/** How far what was found is from the book's, in the parts that the formula says. */
const distance = ({ compared, apart, elsewhere }) => (compared ? Math.max(apart, elsewhere, ...compared.map(({ by }) => by)) : NaN);

const TASKS = [
  ["write it differently and keep the numbers", ({ found, isBooks }) => !isBooks && distance(found) < SAME],
  ["write one that is known here, right or wrong", ({ found }) => Boolean(found.known)],
  ["be wrong, but nowhere by more than 0.01", ({ found }) => distance(found) >= SAME && distance(found) < 0.01],
];

async function build(stage) {
  const formulas = JSON.parse((await weights(stage.model, "printed_formulas")).formulas);
  let parts;
  const make = (label, example) => {
    const tex = formulas[label].tex;
    const change = (text) => stage.set({ latex: text === tex ? "" : text || EMPTIED });
    const source = reader(stage, formulas);
    const [view, edits] = [preview(stage, label), buttons(stage, example.edits, tex)];
    const text = field(`${stage.bounds.equation.labels[label]}, in LaTeX`, change, source.open);
    const picture = PICTURES[example.view.kind](example.view);
    text.node.style.setProperty("--lines", linesBeside(example.edits, example.lines));
    view.node.style.minHeight = view.node.style.height = `${26 * example.lines}px`;
    parts?.box.remove();
    set(stage.root, { "aria-label": `Edit the formula: ${stage.bounds.equation.labels[label]}` }); // a page may hold two
    const box = html("div", { class: "xp-editing" }, view.node, text.node, edits.node, picture.node);
    stage.root.prepend(box);
    parts = { label, tex, source, view, edits, text, picture, box, wanted: wantedParts(example) };
    stage.settle = () => {
      text.align();
      view.fit();
    };
  };
  const tasks = goals(TASKS);
  stage.root.append(tasks.node);
  stage.root.classList.add("xp-with-field");
  const ink = inks(stage.root);
  return ({ equation, latex, example }) => {
    if (parts?.label !== equation) make(equation, example);
    const { tex, source, view, edits, text, picture, wanted } = parts;
    const written = latex || tex;
    if (latex) source.open();
    const ready = source.ready();
    const meant = ready && latex ? understood(written, tex, ready.functions) : written;
    if (ready) view.paint(ready.katex, meant);
    const found = ready && judge(ready, formulas[equation], meant, example, wanted);
    const shown = example.view.name;
    const own = found?.parts?.[shown];
    const fits = own?.length === wanted[shown].length;
    const at = found?.compared?.find(({ name }) => name === shown)?.at;
    const place = found?.problem?.place;
    text.paint(latex === EMPTIED ? "" : written, place && meant !== written ? [0, written.length] : place);
    edits.paint(latex);
    const right = wanted[shown];
    picture.paint(stage, found ? (fits ? own : right.map(() => NaN)) : right, right, found && latex ? at : undefined, ink);
    if (source.problem()) return `KaTeX could not be loaded: ${source.problem().message}.`;
    if (!found) return latex ? "KaTeX is on its way." : "The book’s formula, and its numbers. Change it, or press a button.";
    if (!written.trim()) return "The field is empty: type a formula, or go back to the book’s with the first button.";
    const isBooks = squeezed(meant) === squeezed(tex);
    const says = verdict(found, example, wanted, isBooks);
    const done = latex && tasks.paint({ found, isBooks });
    return `${says}${meant === written ? "" : ` Read as “${meant.trim()}”.`}${done}`;
  };
}

export default explorable("Edit the formula", names, build);
