/** A short table that two figures share: what is counted, and how many. */
import { html, put } from "../kit.js";

export function facts(heads) {
  const cells = heads.map(() => html("td", {}));
  const rows = heads.map((head, i) => html("tr", {}, html("th", { scope: "row" }, head), cells[i]));
  const node = html("table", { class: "xp-lines xp-facts", "aria-label": "Counts" }, html("tbody", {}, ...rows));
  return { node, paint: (values) => values.forEach((value, i) => put(cells[i], value)) };
}
