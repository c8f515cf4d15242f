/** Small pictures of panels, drawn in the frames after, in slices, and each only when what it shows has changed. */
import { set, sharpen } from "../kit.js";
import { slices } from "../work.js";
import { drawMatrix } from "./cells.js";
import { PANELS } from "./panels.js";

/** What of a state the numbers of a panel hang on. */
export function versionOf(name, { ids, layer, head, i }) {
  const { of } = PANELS[name];
  return { undefined: [ids], layer: [ids, layer], head: [ids, layer, head], token: [ids, i] }[of].join("|");
}

/** Draws `entries`, each { name, canvas, place } (a `place` of its own, where it is not the chosen layer's or head's); meanwhile `node` is busy. */
export function thumbnails(node, entries, ink) {
  const drawn = new Map();
  let [now, left] = [undefined, []];
  const advance = () => {
    const { name, canvas, place } = left.shift();
    const { at, width, height } = now;
    drawMatrix(sharpen(canvas, width, height), PANELS[name].values({ ...at, ...place }), width, height, ink);
    return left.length > 0;
  };
  const start = slices(advance, () => set(node, { "aria-busy": left.length > 0 }));
  return (at, width, height) => {
    const keyOf = ({ name, place }) => `${versionOf(name, { ...at, ...place })}|${width}`;
    const changed = entries.filter((entry) => drawn.get(entry) !== keyOf(entry));
    if (changed.length === 0) return;
    for (const entry of changed) drawn.set(entry, keyOf(entry));
    left = [...new Set([...left, ...changed])];
    now = { at: { ...at, rows: [...at.rows] }, width, height }; // the reader's own rows go when a text is read anew
    set(node, { "aria-busy": true });
    start();
  };
}
