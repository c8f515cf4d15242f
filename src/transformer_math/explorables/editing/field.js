/** The field of a formula: plain text that can be edited, with a mark at the place of what is wrong with it. */
import { html, newId, put, set } from "../kit.js";

export function field(label, change, focus) {
  const id = newId();
  const [before, mark, behind] = [html("span"), html("mark"), html("span")];
  const shade = html("div", { class: "xp-shade", "aria-hidden": "true", tabindex: -1 }, before, mark, behind);
  const input = html("textarea", { id, spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": label });
  set(input, {
    oninput: () => change(input.value),
    onfocus: focus,
    onscroll: () => align(),
  });
  const node = html("div", { class: "xp-latex" }, shade, input);
  const paint = (text, place) => {
    if (input.value !== text) input.value = text;
    const [from, to] = place ?? [text.length, text.length];
    put(before, text.slice(0, from));
    put(mark, text.slice(from, to) || (place ? "\u00a0" : ""));
    put(behind, `${text.slice(to)}\n`);
    set(input, { "aria-invalid": place !== undefined });
  };
  const align = () => (shade.scrollTop = input.scrollTop);
  return { node, paint, align };
}
