/** Tokens as running text: one is chosen, and the others’ colour is the stronger, the more it looks at them. */
import { clamp, html, put, set, show } from "../kit.js";
import { range } from "../numbers.js";

const EDGE = 4; // pixels between a revealed token and the edge

/** Scroll the box that holds a token, and nothing else, as far as the token is whole in it. */
function reveal(token) {
  const box = [token.parentElement, token.parentElement.parentElement].find((node) => node.scrollHeight > node.clientHeight);
  if (!box || token.offsetParent === null) return;
  const [inner, outer] = [token, box].map((node) => node.getBoundingClientRect());
  box.scrollTop += Math.max(0, inner.bottom + EDGE - outer.bottom) + Math.min(0, inner.top - EDGE - outer.top);
}

/** `choose(i)` is called with the token that a pointer or the keys come to; without it, the tokens only show. */
export function strip(most, label, ink, choose) {
  const to = (i) => ({ onfocus: () => choose(i), onclick: () => choose(i), onpointerenter: () => choose(i) });
  const tokens = range(most).map((i) => (choose ? html("button", { type: "button", ...to(i) }) : html("span")));
  const shades = tokens.map((token) => token.appendChild(html("i", { class: "xp-map", "aria-hidden": "true" })));
  const texts = tokens.map((token) => token.appendChild(html("span")));
  const node = html("div", { class: "xp-strip", role: "group", "aria-label": label }, ...tokens);
  let [count, chosen, revealed] = [0, -1, undefined];
  const follow = () => tokens[chosen] && reveal(tokens[chosen]);
  if (choose) new ResizeObserver(follow).observe(node); // it is shown anew, or lines break elsewhere
  node.addEventListener("keydown", (event) => {
    const moves = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -most, End: most };
    if (!choose || !(event.key in moves)) return;
    event.preventDefault();
    tokens[clamp(tokens.indexOf(document.activeElement) + moves[event.key], 0, count - 1)].focus();
  });
  /** `weight(i)` in 0 … 1 shades token i; `fresh(i)` marks what the model wrote; `dim(i)` what it has not read yet. */
  const paint = ({ labels, row, weight, fresh = () => false, dim = () => false }) => {
    count = labels.length;
    show(tokens, count);
    const [r, g, b] = ink(1);
    labels.forEach((text, i) => {
      put(texts[i], text);
      const colour = `rgba(${r}, ${g}, ${b}, ${(weight(i) ?? 0).toFixed(3)})`;
      if (shades[i].dataset.ink !== colour) shades[i].style.background = shades[i].dataset.ink = colour;
      tokens[i].classList.toggle("xp-fresh", fresh(i));
      tokens[i].classList.toggle("xp-dim", dim(i));
      if (!choose) return;
      const again = labels.indexOf(text) !== labels.lastIndexOf(text);
      set(tokens[i], { "aria-pressed": i === row, "aria-label": again ? `${text}, position ${i}` : text });
      tokens[i].tabIndex = i === row ? 0 : -1;
    });
    chosen = row;
    if (revealed !== (revealed = `${row} of ${labels}`)) follow();
  };
  return { node, paint };
}
