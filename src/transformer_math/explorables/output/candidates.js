/** The most probable next tokens: a line for each, its bar the probability with which it is drawn. */
import { fixed, html, put, set, show, slider } from "../kit.js";
import { range } from "../numbers.js";
import { nucleus, probabilities, topK } from "./formulas.js";

/** A probability in per cent, written so that it is 0 only where it is. */
export function percent(p) {
  if (p === 0) return "0 %";
  return p < 0.001 ? "< 0.1 %" : `${fixed(100 * p, 1)} %`;
}

/** `take(id)` is called with the token whose button is pressed; without `plain`, the last column is left out. */
export function candidates(most, take) {
  const caption = html("caption");
  const heads = ["next token", "drawn with", "untouched"].map((text) => html("th", { scope: "col" }, text));
  set(heads[2], { title: "All heads on, temperature 1, nothing cut off" });
  const ids = [];
  const lines = range(most).map((i) => {
    const button = html("button", { type: "button", onclick: () => take(ids[i]) });
    const [bar, number, plain] = [html("i"), html("b"), html("td")];
    const drawn = html("td", {}, html("div", { class: "xp-bar" }, html("span", {}, bar), number));
    return { row: html("tr", {}, html("th", { scope: "row" }, button), drawn, plain), button, bar, number, plain };
  });
  const body = html("tbody", {}, ...lines.map(({ row }) => row));
  const node = html("table", { class: "xp-next" }, caption, html("thead", {}, html("tr", {}, ...heads)), body);
  const paint = ({ title, tokens, drawn, plain, label }) => {
    put(caption, title);
    put(heads[1], plain ? "drawn with" : "probability");
    node.classList.toggle("xp-short", !plain);
    show(lines.map(({ row }) => row), tokens.length);
    tokens.forEach((id, i) => {
      const { row, button, bar, number, plain: before } = lines[i];
      ids[i] = id;
      put(button, label(id));
      set(button, { title: `Add “${label(id)}”`, "aria-label": `Add “${label(id)}”` });
      bar.style.transform = `scaleX(${drawn[id].toFixed(3)})`;
      put(number, percent(drawn[id]));
      if (plain) put(before, percent(plain[id]));
      row.classList.toggle("xp-cut", drawn[id] === 0);
    });
  };
  return { node, paint };
}

/** Buttons side by side, each as [text, what it does]. */
export function buttonRow(...pairs) {
  const make = ([text, onclick]) => html("button", { type: "button", onclick }, text);
  return html("div", { class: "xp-buttons" }, ...pairs.map(make));
}

/** The three sliders that shape a distribution; top-k at its end cuts nothing. */
export function shaping(stage) {
  const all = (k) => (k === stage.bounds.top_k.high ? "all" : String(k));
  const share = (p) => (p === 1 ? "all" : `${fixed(100 * p, 0)} %`);
  return html(
    "div",
    { class: "xp-stack" },
    slider(stage, { name: "temperature", label: ["Temperature"], step: 0.05, show: (t) => fixed(t) }),
    slider(stage, { name: "top_k", label: ["Top-k"], show: all }),
    slider(stage, { name: "nucleus", label: ["Nucleus"], step: 0.05, show: share }),
  );
}

/** The distribution from which the next token is drawn: temperature, then top-k, then nucleus. */
export function shaped(logits, state, bounds) {
  const p = probabilities(logits, state.temperature);
  return nucleus(state.top_k < bounds.top_k.high ? topK(p, state.top_k) : p, state.nucleus);
}
