/** A small table that the maps of words and sentences share. */

import { html, put } from "../kit.js";

/** A table with a name, and a line for each of `heads`. */
export function lines(name, heads, columns) {
  const cells = heads.map(() => columns.map(() => html("td", {})));
  const names = heads.map((head) => html("th", { scope: "row" }, head));
  const top = html("tr", {}, html("td", {}), ...columns.map((column) => html("th", { scope: "col" }, column)));
  const node = html("table", { class: "xp-lines", "aria-label": name }, html("thead", {}, top), html("tbody", {}, ...cells.map((row, i) => html("tr", {}, names[i], ...row))));
  const paint = (rows) => rows.forEach((row, i) => row.forEach((text, k) => put(cells[i][k], text)));
  return { node, paint, heads: names };
}
