/** One tokenizer's row: its name, its counts, and its tokens as a list from which one is chosen; the Tab key stops at one of them. */
import { fixed, grouped, html, keys, put, set, show } from "../kit.js";

const BREAK = "\u200b"; // a line may end between two tokens
const HUES = 5; // of an id, modulo 5

/** “17 tokens · 0.25 a character”, and how many of them are unknown. */
export function counted(tokens, unknown, length) {
  const lost = tokens.filter(({ id }) => id === unknown).length;
  const many = `${grouped(tokens.length)} ${tokens.length === 1 ? "token" : "tokens"} · ${fixed(tokens.length / Math.max(1, length))} a character`;
  return lost ? `${many} · ${grouped(lost)} unknown` : many;
}

/** A byte is not read sign by sign. */
function speak(option, text) {
  if (text.includes("<0x")) set(option, { "aria-label": text.replaceAll(/<0x(..)>/g, " byte $1").trim() });
  else option.removeAttribute("aria-label");
}

/** `choose(i)` is called with the token that a pointer or the Tab key comes to, `go(dx, dy)` and `end(sign)` by keys. */
export function tokenRow(label, { choose, go, end }) {
  const options = [];
  const pieces = html("div", { class: "xp-pieces", role: "listbox", "aria-label": `Tokens: ${label}` });
  const counts = html("span", { class: "xp-counts" });
  const node = html("div", { class: "xp-row" }, html("p", {}, html("b", {}, label), counts), pieces);
  let first = 0;
  const chosen = ({ target }) => {
    const place = options.indexOf(target);
    if (place >= 0) choose(first + place);
  };
  for (const event of ["focusin", "click", "pointerover"]) pieces.addEventListener(event, chosen);
  keys(pieces, { step: go, end });

  const grow = (count) => {
    while (options.length < count) {
      options.push(pieces.appendChild(html("span", { role: "option" })));
      pieces.append(BREAK);
    }
    show(options, count);
  };
  /** Tokens `from` to `to`, by id where `ids`; those that meet the span `linked` are framed, and the one at `at` is chosen. */
  const paint = ({ tokens, names, spoken = names, unknown, from, to, linked, at, ids, length }) => {
    first = from;
    put(counts, counted(tokens, unknown, length));
    grow(to - from);
    let reached = at;
    for (let i = from; i < to; i += 1) {
      const { id, start, end: stop } = tokens[i];
      const together = start < linked.end && stop > linked.start;
      if (together && reached < 0) reached = i;
      const classes = `xp-id-${id % HUES}${id === unknown ? " xp-unknown" : ""}${together ? " xp-linked" : ""}`;
      const option = options[i - from];
      const text = ids ? String(id) : names[id];
      put(option, text);
      speak(option, ids ? text : spoken[id]);
      set(option, { class: classes, "aria-selected": i === at });
    }
    if (reached < 0) reached = from;
    options.forEach((option, place) => set(option, { tabindex: place === reached - from ? 0 : -1 }));
    return reached;
  };
  return { node, paint, focus: (i) => options[i - first]?.focus() };
}
