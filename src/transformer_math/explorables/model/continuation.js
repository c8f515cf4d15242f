import { goalsLast } from "../goals.js";
import { explorable, html, newId, put, set, show, unpackInSlices, weights } from "../kit.js";
import { range } from "../numbers.js";
import { someOf } from "../attention/short.js";
import { buttonRow, percent } from "../output/candidates.js";
import { bare, openLanguageModel } from "./reader.js";
import { slices } from "../work.js";
import { unknownIn, writer } from "./writing.js";

/** A text field after whose text stands, in grey, what may be added. */
function ghostField(label, help, { change, press }) {
  const id = newId();
  const [typed, ghost] = [html("span"), html("b")];
  const shade = html("div", { class: "xp-shade", "aria-hidden": "true", tabindex: -1 }, typed, ghost);
  const input = html("textarea", { id, autocomplete: "off", spellcheck: "false", "aria-describedby": help.id });
  set(input, { oninput: () => change(input.value), onkeydown: press, onscroll: () => (shade.scrollTop = input.scrollTop) });
  const node = html("div", {}, html("label", { for: id }, label), html("div", { class: "xp-ghost" }, shade, input));
  const paint = (text, added) => {
    if (input.value !== text) input.value = text;
    put(typed, text);
    put(ghost, added);
    shade.scrollTop = input.scrollTop;
  };
  return { node, input, paint };
}

/** Words in a table, each with its probability as a bar. */
function likely(most) {
  const caption = html("caption");
  const lines = range(most).map(() => ({ word: html("th", { scope: "row" }), bar: html("i"), number: html("b") }));
  const rows = lines.map(({ word, bar, number }) => html("tr", {}, word, html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), number))));
  const node = html("div", { class: "xp-likely" }, html("table", {}, caption, html("tbody", {}, ...rows)));
  const paint = (words, again) => {
    put(caption, `How likely it found each word: draw number ${again}`);
    show(rows, words.length);
    words.forEach(({ text, p }, i) => {
      put(lines[i].word, text);
      put(lines[i].number, percent(p));
      lines[i].bar.style.transform = `scaleX(${p.toFixed(3)})`;
    });
  };
  return { node, paint };
}

/** What of a text the model does not read. */
function unread(text, { ids, dropped }) {
  const unknown = unknownIn(text);
  const never = unknown.length ? ` It never saw ${someOf(unknown)}${unknown.length > 1 ? ", and leaves them" : " and leaves it"} out.` : "";
  return dropped ? `${never} It reads the last ${ids.length} of your ${ids.length + dropped} tokens.` : never;
}

/** When each of the tasks is done, whose words Python writes below the still picture too. */
const DONE = [
  ({ job, words }) => words.length > 0 && job.start.length > 0,
  ({ job, words }) => words.length > 0 && job.start.length === 0 && words[0].p >= 0.9,
  ({ text }) => unknownIn(text).length > 0,
];

async function build(stage) {
  const language = openLanguageModel(await weights(stage.model, "language_model", unpackInSlices));
  const writing = writer(language, stage.bounds.text);
  const start = slices(writing.advance, () => stage.repaint());
  let [asked, hidden, armed, wanted, ghost] = [undefined, false, false, false, ""];
  const write = (text) => {
    [armed, wanted] = [true, false];
    stage.set({ text });
  };
  const take = () => {
    if (hidden) {
      hidden = false;
      return stage.repaint();
    }
    wanted = !writing.job().done;
    if (!wanted && ghost) stage.set({ text: bare(stage.get("text")) + writing.ghost("") });
  };
  const again = () => stage.set({ again: (stage.get("again") + 1) % (stage.bounds.again.high + 1) });
  const hide = () => {
    [hidden, armed] = [true, false];
    stage.repaint();
  };
  const atEnd = ({ selectionStart, selectionEnd, value }) => selectionStart === selectionEnd && selectionEnd === value.length;
  const press = (event) => {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const { key, target } = event;
    if (key === "Escape") return hide();
    const takes = key === "Enter" || (ghost && !hidden && ((key === "Tab" && armed) || (key === "ArrowRight" && atEnd(target))));
    if (!takes) return;
    event.preventDefault();
    take();
  };
  const note = html("p", { class: "xp-note", id: newId() }, "Tab, → or Enter takes it, Esc hides it.");
  const text = ghostField("Write, and the model goes on", note, { change: write, press });
  const words = likely(stage.bounds.text.words);
  const tasks = goalsLast(stage, stage.bounds.text.tasks.map((words, i) => [words, DONE[i]]));
  const parts = [text.node, buttonRow(["Take it", take], ["Again", again]), words.node, note];
  stage.root.classList.add("xp-at-home");
  stage.root.append(html("div", { class: "xp-continued" }, ...parts), tasks.node);
  const aim = (state) => {
    if (asked === (asked = `${state.again} ${state.text}`)) return;
    hidden = false;
    writing.aim(state.text, state.again);
    start();
  };
  return (state) => {
    aim(state);
    const job = writing.job();
    ghost = writing.ghost(state.text);
    if (job.done && wanted) take();
    text.paint(state.text, hidden ? "" : ghost);
    words.paint(writing.words(), state.again);
    if (job.ids.length === 0) return `Type a word or two.${unread(state.text, job)}${unknownIn(state.text).length ? tasks.paint({ text: state.text, job, words: [] }) : ""}`;
    if (!job.done) return `Reading and writing …${unread(state.text, job)}`;
    const done = tasks.paint({ text: state.text, job, words: writing.words() });
    const says = ghost.trim() === "" ? "It goes on with spaces alone." : hidden ? "Its words are hidden; “Take it” shows them again." : `It goes on: “${ghost.trim()}”.`;
    return `${says}${unread(state.text, job)}${done}`;
  };
}

export default explorable("The language model goes on with a text", ["text", "again"], build);
