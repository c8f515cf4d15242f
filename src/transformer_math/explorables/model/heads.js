/** All layers and heads of a model as small pictures: one is in sight, each can be switched off. */
import { html, put, set } from "../kit.js";
import { range } from "../numbers.js";
import { slices } from "../work.js";

/** A matrix of weights as one pixel an entry. */
export function drawSmall(canvas, rows, columns, weight, [r, g, b]) {
  if (canvas.width !== columns || canvas.height !== rows) set(canvas, { width: columns, height: rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let i = 0, at = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1, at += 4) {
      const w = weight(i, j);
      if (w > 0) [image.data[at], image.data[at + 1], image.data[at + 2], image.data[at + 3]] = [r, g, b, 255 * w];
    }
  }
  context.putImageData(image, 0, 0);
}

/**
 * A radio button for each head; `choose(layer, head)` is called with the one that was chosen. The pictures are drawn, in
 * the frames after, when `version` changes; where it is undefined the weights are still being computed, and the old ones
 * stay. What `weight` reads may not change later.
 */
export function headGrid(layers, heads, ink, choose) {
  const group = `heads-${Math.random().toString(36).slice(2)}`;
  const canvases = range(layers).map(() => range(heads).map(() => html("canvas", { class: "xp-map", "aria-hidden": "true" })));
  const names = canvases.map((row) => row.map(() => html("span", { class: "xp-hidden" })));
  const inputs = canvases.map((row, l) => row.map((_, h) => html("input", { type: "radio", name: group, onchange: () => choose(l, h) })));
  const label = (l, h) => html("label", { class: "xp-head" }, inputs[l][h], canvases[l][h], names[l][h]);
  const line = (l) => html("div", {}, html("span", { "aria-hidden": "true" }, `layer ${l + 1}`), ...range(heads).map((h) => label(l, h)));
  const node = html("fieldset", { class: "xp-heads" }, html("legend", {}, "Layers and heads"), ...range(layers).map(line));
  const every = range(layers).flatMap((l) => range(heads).map((h) => [l, h]));
  let [drawn, current, left] = [undefined, undefined, []];
  const drawRest = slices(
    () => {
      const [l, h] = left.shift();
      drawSmall(canvases[l][h], current.rows, current.columns, (i, j) => current.weight(l, h, i, j), ink(1));
      return left.length > 0;
    },
    () => set(node, { "aria-busy": left.length > 0 }),
  );
  const paint = ({ layer, head, off, version, rows, columns, weight }) => {
    range(layers).forEach((l) =>
      range(heads).forEach((h) => {
        const isOff = off(l, h);
        inputs[l][h].checked = l === layer && h === head;
        inputs[l][h].parentElement.classList.toggle("xp-off", isOff);
        const name = `Layer ${l + 1}, head ${h}${isOff ? ", off" : ""}`;
        put(names[l][h], name);
      }),
    );
    if (version === undefined || version === drawn) return;
    [drawn, current, left] = [version, { rows, columns, weight }, [...every]];
    set(node, { "aria-busy": true });
    drawRest();
  };
  return { node, paint };
}

/** A switch for the head in sight, whose name `here()` says: what an "off" head finds is left out. */
export function headSwitch(stage, here) {
  const input = html("input", { type: "checkbox", role: "switch" });
  const label = html("span");
  input.addEventListener("change", () => {
    const others = stage.get("off").filter((one) => one !== here());
    stage.set({ off: input.checked ? [...others, here()] : others });
  });
  const paint = ({ layer, head, off }) => {
    input.checked = off.includes(here());
    put(label, `Layer ${layer + 1}, head ${head} off`);
  };
  return { node: html("label", { class: "xp-toggle" }, input, label), paint };
}
